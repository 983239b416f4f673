/** What the server sends and takes, as docs/wire.md tells it. */

export type Level = "easy" | "medium" | "hard" | "expert";
export const LEVELS: readonly Level[] = ["easy", "medium", "hard", "expert"];
export const SIGNS = ["like", "laugh", "wow", "sad", "thanks", "sorry"] as const;
export type Sign = (typeof SIGNS)[number];
export const GESTURES = ["yes", "no", "wait", "hurry", "look", "here", "shrug", "wave"] as const;
export type Gesture = (typeof GESTURES)[number];

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** The position as one eye sees it. The keys of `table` are the game's. */
export interface View {
  game: string;
  over: boolean;
  to_act: number | null;
  round: number;
  scores: (number | null)[];
  winners: number[];
  legal: string[];
  table: Record<string, Value>;
  hand?: string[];
  /** What else a careful player knows; its keys are the game's. */
  recalled?: Record<string, Value>;
  anytime?: string[];
  /** What the score of the last round that ended is made of, in games that keep such a sheet. */
  sheet?: Record<string, Value>;
  clock?: { game: number | null; seats: (number | null)[] };
  /** What a bot has advised us to play in this position: we have asked. */
  hint?: string;
}

export interface Seat {
  name: string;
  bot: Level | null;
  stand_in: Level | null;
  taken: boolean;
  ready: boolean;
}

export interface Clock {
  per: "move" | "game";
  seconds: number;
}

export interface Room {
  table: string;
  game: string;
  options: Record<string, Value>;
  stage: "gathering" | "playing" | "over" | "closed";
  seats: Seat[];
  commitment: string;
  clock: Clock | null;
  listed: boolean;
  delay: number;
  adventure: boolean;
  hints: boolean;
  games: number;
  undo: { seat: number; agreed: number[] } | null;
}

/** An event of the table's log. */
export interface TableEvent {
  kind: string;
  seat?: number | null;
  move?: string;
  name?: string;
  text?: string;
  to?: number;
  sign?: Sign;
  level?: Level;
  why?: string;
  agreed?: boolean;
  moves?: number;
}

export interface Happened {
  version: number;
  at: number;
  event?: TableEvent;
  room?: Room;
  seat?: number;
  view?: View;
}

export interface Welcome {
  version: number;
  now: number;
  present?: number[];
  room: Room;
  events: Happened[];
  seat?: number;
  view?: View;
}

export interface Refusal {
  code: string;
  why: string;
  clause?: string;
}

export interface Answer {
  id: string | null;
  version?: number;
  refused?: Refusal;
}

export interface Passing {
  name: string;
  seat: number | null;
  gesture?: Gesture;
  at?: string;
  typing?: boolean;
}

/** A request without its id: the line gives it one. */
export type Request =
  | { do: "sit"; seat: number; nonce: string }
  | { do: "stand" }
  | { do: "move"; move: string; version: number }
  | { do: "undo" }
  | { do: "hint" }
  | { do: "answer"; agree: boolean }
  | { do: "ready"; nonce: string }
  | { do: "hand"; seat: number; level: Level }
  | { do: "return" }
  | { do: "say"; text: string }
  | { do: "react"; to: number; sign: Sign }
  | { do: "gesture"; sign: Gesture; at?: string }
  | { do: "typing" }
  | { do: "close" }
  | { do: "ping" };

export interface GameOption {
  name: string;
  values?: Value[];
  least?: number;
  most?: number;
  some_of?: string[];
  default: Value;
  clause: string;
  help: string;
}

export interface GameTold {
  name: string;
  title: string;
  summary: string;
  players: number[];
  usual_players: number;
  options: GameOption[];
  languages: string[];
  together: boolean;
  adventure: boolean;
}

/** The cards of a game: how many of each, and for each mark that a card can bear those that do. */
export interface DeckTold {
  cards: Record<string, number>;
  marks: Record<string, string[]>;
}

/** What the server says of a deck of one's own. */
export interface DeckChecked {
  faults: { why: string; card: string | null }[];
  remarks: string[];
  players: number[];
  option: Value;
  cards: Record<string, number> | null;
  marks: Record<string, string[]> | null;
  text: string | null;
}

export interface TableTold {
  table: string;
  game: string;
  stage: Room["stage"];
  seats: { name: string; bot: Level | null }[];
  changed: number;
  to_act?: number;
  seat?: number;
  your_turn?: boolean;
  hints?: boolean;
}

export interface TableWish {
  game: string;
  seats: (Level | null)[];
  options?: Record<string, Value>;
  clock?: Clock | null;
  listed?: boolean;
  delay?: number;
  adventure?: boolean;
  hints?: boolean;
}

export interface GameRecord {
  theriac: number;
  game: string;
  options: Record<string, Value>;
  moves: string[];
  seed?: string;
  deals?: string[][];
  seal?: { commitment: string; secret: string; nonces: string[] };
  x_names?: string[];
  x_bots?: (Level | null)[];
  /** The moves before which a seat took a hint, counted from 1. */
  x_hints?: { move: number; seat: number; advised?: string }[];
}

/** A move of a tutorial as the learner, at seat 0, may know it, and the position after it. */
export interface TutorialMove {
  seat: number | null;
  move: string;
  view: View;
}

export interface TutorialStep {
  /** The key of what is said. */
  say: string;
  /** The move that the learner is asked for; null where there is only something to read. */
  asks: string | null;
  /** Is it a move that the rules refuse, to be tried all the same? */
  refused: boolean;
  moves: TutorialMove[];
}

export interface Tutorial {
  game: string;
  options: Record<string, Value>;
  view: View;
  steps: TutorialStep[];
}

/** What the server says of a move tried in a tutorial. */
export interface Tried {
  meant: boolean;
  legal: boolean;
  why: string | null;
  clause: string | null;
}

export interface Step {
  n: number;
  view: View;
  move?: string;
  seat?: number | null;
  hands?: string[][];
  /** What belongs to the view, told beside it. */
  sheet?: Record<string, Value>;
  recalled?: Record<string, Value>;
}

export interface GameReplayed {
  game: string;
  steps: Step[];
  record: GameRecord;
  /** The cards in the order of their numbers, and every shuffle, first drawn first. */
  cards: string[];
  dealt: string[][];
}

/** What would surely be so after a move: only those keys of `table` that no hidden card decides. */
export type Preview = Record<string, Value>;
