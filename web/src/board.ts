/** The seam between the shell and the board of a game. docs/page.md tells it in sentences.
 *
 * A board is found by its file: src/theriac/games/FOLDER/board/NAME.game.ts, where NAME is the name
 * of the game. Nothing in the shell lists the games.
 */
import type { Component } from "svelte";
import type { Gesture, Preview, Value, View } from "./wire";
import type { Language, Say, Words } from "./words.svelte";

export type { Gesture, Preview, Value, View } from "./wire";
export type { Say } from "./words.svelte";

/** What a board is given. It draws this and knows no rules. */
export interface BoardProps {
  /** The position as the server sent it. */
  view: View;
  /** Our own seat; null for one who watches. */
  seat: number | null;
  /** What to call each seat. */
  names: string[];
  /** The options of the game; looking back, only those that were given. */
  options: Record<string, Value>;
  /** The moves we may make now: those of our turn and those that may be made at any time. Empty
   * where nothing may be done (not our turn, looking back, the line is lost). */
  legal: string[];
  /** May something be sent now? Then any text may be tried with `act`: the server decides. */
  free: boolean;
  /** Make a move. True when it is done: forget what was chosen for it. False when it was refused, which
   * the shell shows. */
  act: (move: string) => Promise<boolean>;
  /** What would surely be so after each of these moves: keys of `table`, as the server says. */
  foresee: (moves: string[]) => Promise<Record<string, Preview>>;
  /** Point at a place or a card with a gesture, which is shown to the others. */
  point: (sign: Gesture, at: string) => void;
  /** What others point at now. */
  pointed: { seat: number | null; sign: Gesture; at: string }[];
  /** All hands, looking back with open cards; else null. */
  hands: string[][] | null;
  /** The move that led here, as one may know it, and the position before it, if that is known. */
  last: { seat: number | null; move: string; before: View | null } | null;
  /** A move that a bot has advised: lit on the board. */
  hinted?: string | null;
  /** Sentences of the board's words, then of the shell's. */
  say: Say;
}

/** What a card of the hand is drawn from. */
export interface CardProps {
  card: string;
  view: View;
}

/** What is drawn at a seat beside its name and score: cards held, taken and so on. */
export interface SeatProps {
  view: View;
  seat: number;
  options: Record<string, Value>;
  say: Say;
}

/** A move with the positions around it; `before` is null where it is not known. */
export interface Played {
  move: string;
  before: View | null;
  after: View | null;
  /** What to call each seat. */
  names: string[];
}

/** What a text of a view may be told with: the view it stands in, and what to call each seat. */
export interface Around {
  view: View;
  names: string[];
}

export interface DeckCardProps {
  card: string;
  /** For each mark the cards that bear it. */
  marks: Record<string, string[]>;
}

export interface DeckLook {
  /** The face of a card. */
  Card: Component<DeckCardProps>;
  /** Under what heading a card stands, "red potions"; "" for a text that is no card. */
  shelf: (card: string, say: Say) => string;
  /** A mark in words, in a game whose cards bear any. */
  mark?: (mark: string, say: Say) => string;
}

export interface Board {
  Board: Component<BoardProps>;
  Seat: Component<SeatProps>;
  /** The face of a card of the hand, where it stands alone on a phone. */
  Card: Component<CardProps>;
  /** What a legal move is made of: the card of the hand that it plays, and where it points. */
  parts: (move: string) => { card: string | null; at: string | null };
  /** Keys of `table`, or of `recalled`, that have one entry a seat. */
  perSeat: readonly string[];
  /** Keys of `table` whose number is a seat. */
  seats: readonly string[];
  /** A card in words: "red 5". Called for every text in the view that is not a sentence. */
  card: (card: string, say: Say, around?: Around) => string;
  /** A legal move in words, as a button says it: "red 5 into cauldron 2". */
  move: (move: string, say: Say, around?: Around) => string;
  /** Under what a legal move is found on the text board, where there are very many: its card. */
  group?: (move: string, say: Say) => string;
  /** An object of the view in words, where its keys and values would be too long. */
  thing?: (thing: Record<string, Value>, say: Say, around?: Around) => string;
  /** What a move did, for the log: "red 5 into cauldron 2, and takes 4 cards". */
  told: (played: Played, say: Say) => string;
  /** Are fewer points better? Only for the order of the scoreboard. */
  fewest: boolean;
  /** How the cards are shown to somebody who counts those of a box. */
  deck?: DeckLook;
}

/** What the home page shows of a game before it is opened. */
export interface Cover {
  Cover: Component;
  words: Words;
}

type Loader<T> = () => Promise<T>;

const boards = import.meta.glob<Board>("../../src/theriac/games/*/board/*.game.ts", {
  import: "default",
});
const covers = import.meta.glob<Component>("../../src/theriac/games/*/board/*.cover.svelte", {
  import: "default",
});
const words = import.meta.glob<Words>("../../src/theriac/games/*/board/words/*.json", {
  import: "default",
});

const lessons = import.meta.glob<Words>("../../src/theriac/games/*/tutorial/words/*.json", {
  import: "default",
});

function find<T>(files: Record<string, Loader<T>>, ending: string): [string, Loader<T>] | null {
  return Object.entries(files).find(([path]) => path.endsWith(ending)) ?? null;
}

/** The folder of a game's board; null where the page has none for it. */
function folderOf(game: string): string | null {
  const found = find(boards, `/board/${game}.game.ts`);
  return found && found[0].slice(0, found[0].lastIndexOf("/"));
}

export function hasBoard(game: string): boolean {
  return folderOf(game) !== null;
}

export async function loadBoard(game: string): Promise<Board | null> {
  const found = find(boards, `/board/${game}.game.ts`);
  return found && (await found[1]());
}

export async function loadWords(game: string, language: Language): Promise<Words> {
  const folder = folderOf(game);
  const load = words[`${folder}/words/${language}.json`];
  return load ? load() : {};
}

/** What the tutorial of a game says; the games of a folder share these words as they share a board's. */
export async function loadLesson(game: string, language: Language): Promise<Words> {
  const load = lessons[`${folderOf(game)?.replace(/board$/, "tutorial")}/words/${language}.json`];
  return load ? load() : {};
}

export async function loadCover(game: string): Promise<Component | null> {
  const found = find(covers, `/board/${game}.cover.svelte`);
  return found && (await found[1]());
}
