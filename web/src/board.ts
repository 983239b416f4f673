/** The interface between the shell and the board of a game. docs/page.md describes it; loadBoard.ts finds
 * the boards. Nothing in the shell lists the games.
 */
import type { Component } from "svelte";
import type { StageParts } from "./boardParts.svelte";
import type { CardMotion } from "./cards/motion";
import type { Gesture, Preview, Value, View } from "./wire";
import type { Sound } from "./sound.svelte";
import type { Say } from "./words.svelte";

export type { Gesture, Preview, Value, View } from "./wire";
export type { Say } from "./words.svelte";

/** The props of a board. It draws them and knows no rules. */
export interface BoardProps {
  /** The position as the server sent it. */
  view: View;
  /** When it arrived (of performance.now): clocks run on from there. */
  viewAt?: number;
  /** The player's own seat; null for a spectator. */
  seat: number | null;
  /** What to call each seat. */
  names: string[];
  /** The options of the game; in a replay only those that were set. */
  options: Record<string, Value>;
  /** The moves that the player may make now: those of the turn and those allowed at any time. Empty
   * while the player cannot act (another's turn, a replay, a lost connection). */
  legal: string[];
  /** May the player send a move now? Then `act` takes any text, and the server decides. */
  canAct: boolean;
  /** Make a move. Resolves to true when it is done: clear the selection. To false when it was refused;
   * the shell shows the refusal. */
  act: (move: string) => Promise<boolean>;
  /** What is certain after each of these moves: keys of `table`, from the server. */
  previewMoves: (moves: string[]) => Promise<Record<string, Preview>>;
  /** Point at a place or a card with a gesture, which the others see. */
  point: (sign: Gesture, at: string) => void;
  /** What others point at now. */
  pointers: { seat: number | null; sign: Gesture; at: string }[];
  /** All hands, in a replay with open cards; else null. The stage shows them. */
  hands: string[][] | null;
  /** The move that led here, as the viewer may know it, and the position before it, if known. */
  last: { seat: number | null; move: string; before: View | null } | null;
  /** A move that a bot advised: highlight it. */
  hinted?: string | null;
  /** Gives cards the ids by which the page lets them fly from place to place: see docs/page.md. */
  cards: CardMotion;
  /** Does the player want to confirm each move? */
  guarded: boolean;
  /** Sentences from the board's words, then from the shell's. */
  say: Say;
}

/** The props of a card of the hand. */
export interface CardProps {
  card: string;
  view: View;
}

/** The props of what a board draws at a seat, beside its name and score: cards held, taken and so on. */
export interface SeatProps {
  view: View;
  seat: number;
  options: Record<string, Value>;
  say: Say;
}

/** A move with the positions around it; null where they are not known. */
export interface PlayedMove {
  move: string;
  before: View | null;
  after: View | null;
  /** What to call each seat. */
  names: string[];
  /** Who made it; null for nature and the clock. */
  seat?: number | null;
  /** The seat of the player who looks on, who is "you"; null or not there for a spectator. */
  viewer?: number | null;
}

/** A move of which both positions are known, and who looks. */
export interface SeenMove extends PlayedMove {
  before: View;
  after: View;
  seat: number | null;
  viewer: number | null;
}

/** A move that could be made, and what was sure about it beforehand. */
export interface ForeseenMove {
  move: string;
  /** Keys of `table` and `recalled` after the move, as the server foresees them. */
  preview: Preview;
  /** The position before it, as the seat that moves sees it. */
  view: View;
  seat: number;
  names: string[];
}

/** Something that has its scene: a cauldron boils over, SHOKOBA!, a shock. */
export interface Moment {
  /** In a word or two, very large. */
  text: string;
  /** Whom it happens to, and what: one line. */
  detail?: string;
  tone: "bad" | "good" | "wonder";
  sound?: Sound;
}

/** The props of the sheet at the end of a round: `after.sheet` says how it was scored. */
export interface SheetProps {
  before: View;
  after: View;
  names: string[];
  seat: number | null;
  options: Record<string, Value>;
  say: Say;
}

/** The props of the place around the table. */
export interface SceneProps {
  view: View | null;
}

/** The view that a text comes from, and what to call each seat. */
export interface ViewContext {
  view: View;
  names: string[];
}

export interface DeckCardProps {
  card: string;
  /** For each mark, the cards that have it. */
  marks: Record<string, string[]>;
}

/** How the deck editor shows the cards. */
export interface DeckDisplay {
  /** The face of a card; without it a card is shown in words. */
  Card?: Component<DeckCardProps>;
  /** The heading that a card is listed under, "red potions"; "" for a text that is no card. */
  heading: (card: string, say: Say) => string;
  /** A mark in words, in a game whose cards have marks. */
  mark?: (mark: string, say: Say) => string;
}

/** A game's part of the page. What is optional and missing is shown in words. */
export interface Board {
  Board?: Component<BoardProps>;
  Seat?: Component<SeatProps>;
  /** The place that the game is played in: it fills the screen behind the table. */
  Scene?: Component<SceneProps>;
  /** Colours of the place, as custom properties of app.css: `{ "--scene-ink": "#fff" }`. */
  theme?: Readonly<Record<string, string>>;
  /** Where the others sit on a wide screen: in a row above the table, or around it. */
  seating?: "row" | "ring";
  /** Short facts for the status line: "trump ♥", "6 jewels in your bag". */
  facts?: (view: View, seat: number | null, say: Say) => string[];
  /** The moment that a move made, if any. */
  moment?: (played: PlayedMove, say: Say) => Moment | null;
  /** The tables that a move passes through, in order, between the one before it and the one after it: first its card
   * lies where it was played, then comes what that did. At the end of a round the last of them is the table as it was
   * left, before the next deal. */
  steps?: (played: SeenMove) => View[];
  /** How the game ended, in a few short sentences, where the points do not say it all. */
  ended?: (view: View, say: Say) => string[];
  /** How a round was scored, line by line. Without it the points before and after are shown. */
  Sheet?: Component<SheetProps>;
  /** The face of a card of the hand, for the hand on a phone. */
  Card?: Component<CardProps>;
  /** A hand in the order in which it is held; without it, as the server sends it. */
  inOrder?: (cards: string[]) => string[];
  /** The parts of a legal move: the card of the hand that it plays, and the place it points at. */
  parts: (move: string) => { card: string | null; at: string | null };
  /** Keys of `table`, or of `recalled`, that have one entry per seat. */
  perSeat: readonly string[];
  /** Keys of `table` whose number is a seat. */
  seats: readonly string[];
  /** A card in words: "red 5". Called for every text in the view that is not a sentence. */
  card: (card: string, say: Say, context?: ViewContext) => string;
  /** A legal move in words, as a button says it: "red 5 into cauldron 2". */
  move: (move: string, say: Say, context?: ViewContext) => string;
  /** For games with very many legal moves: the group that lists this one on the text board. */
  group?: (move: string, say: Say) => string;
  /** An object of the view in words, where its keys and values would be too long. */
  object?: (object: Record<string, Value>, say: Say, context?: ViewContext) => string;
  /** What a move did, for the log: "red 5 into cauldron 2, and takes 4 cards". */
  outcome: (played: PlayedMove, say: Say) => string;
  /** What is sure after a move, before it is made: "would become 7"; "" where nothing is worth saying. */
  outlook?: (foreseen: ForeseenMove, say: Say) => string;
  /** Do the fewest points win? For the order of the scoreboard, where without it the winner shows that, and for the sign of points at the seats. */
  lowestWins?: boolean;
  /** Do all win or lose together? Then the seats show no points. */
  together?: boolean;
  /** Does the board show the clock of the game itself? */
  drawsClock?: boolean;
  /** For a game against a clock: what to say about it before the first one, null where these options have no clock; and the
   * options of a game without. */
  clocked?: { words: (options: Record<string, Value>, say: Say) => string | null; without: Record<string, Value> };
  deck?: DeckDisplay;
  /** A board that is a plain module draws its hand itself, below the seats, unless it fills the stage. */
  isModule?: boolean;
  fillsStage?: boolean;
  /** Why the game's own board could not be loaded. */
  fault?: string;
}

/** What `mount` returns: the shell calls `update` with the props whenever one of them has changed. */
export interface Mounted<Props> {
  update: (props: Props) => void;
  destroy?: () => void;
}

/** Draws into an empty element of the page, which is its own until `destroy`. */
export type Mount<Props> = (element: HTMLElement, props: Props) => Mounted<Props>;

/** The props of a board that is a module: also the parts of the stage that it can use. */
export type ModuleProps = BoardProps & { stage: StageParts };

/** What a board that is a plain module (`board/board.js` of an installed package) exports: functions that
 * draw instead of components, and the rest as in `Board`. */
export interface BoardModule
  extends Partial<
    Pick<
      Board,
      | "parts" | "perSeat" | "seats" | "card" | "move" | "group" | "object" | "outcome" | "lowestWins"
      | "together" | "drawsClock" | "outlook" | "inOrder"
      | "theme" | "seating" | "facts" | "moment" | "steps" | "ended"
    >
  > {
  mount: Mount<ModuleProps>;
  /** Does it draw elements with `data-part` table, hand and action, each for its place on the stage? */
  fillsStage?: boolean;
  mountSeat?: Mount<SeatProps>;
  mountScene?: Mount<SceneProps>;
  mountSheet?: Mount<SheetProps>;
  mountCard?: Mount<CardProps>;
  mountDeckCard?: Mount<DeckCardProps>;
  heading?: DeckDisplay["heading"];
  mark?: NonNullable<DeckDisplay["mark"]>;
}
