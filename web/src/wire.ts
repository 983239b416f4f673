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
  anytime?: string[];
  clock?: { game: number | null; seats: (number | null)[] };
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

export interface TableTold {
  table: string;
  game: string;
  stage: Room["stage"];
  seats: { name: string; bot: Level | null }[];
  changed: number;
  to_act?: number;
  seat?: number;
  your_turn?: boolean;
}

export interface TableWish {
  game: string;
  seats: (Level | null)[];
  options?: Record<string, Value>;
  clock?: Clock | null;
  listed?: boolean;
  delay?: number;
  adventure?: boolean;
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
}

export interface Step {
  n: number;
  view: View;
  move?: string;
  seat?: number | null;
  hands?: string[][];
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
