/** The seam between the shell and the board of a game. docs/page.md tells it in sentences.
 *
 * A board is found by its file: src/theriac/games/FOLDER/board/NAME.game.ts, where NAME is the name
 * of the game. Nothing in the shell lists the games.
 */
import type { Component } from "svelte";
import type { Gesture, Preview, View } from "./wire";
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
  /** The move that led here, as one may know it. */
  last: { seat: number | null; move: string } | null;
  /** Sentences of the board's words, then of the shell's. */
  say: Say;
}

/** What is drawn at a seat beside its name and score: cards held, taken and so on. */
export interface SeatProps {
  view: View;
  seat: number;
  say: Say;
}

/** A move with the positions around it; `before` is null where it is not known. */
export interface Played {
  move: string;
  before: View | null;
  after: View | null;
}

export interface Board {
  Board: Component<BoardProps>;
  Seat: Component<SeatProps>;
  /** Keys of `table` that have one entry a seat. */
  perSeat: readonly string[];
  /** Keys of `table` whose number is a seat. */
  seats: readonly string[];
  /** A card in words: "red 5". Called for every text in the view that is not a sentence. */
  card: (card: string, say: Say) => string;
  /** A legal move in words, as a button says it: "red 5 into cauldron 2". */
  move: (move: string, say: Say) => string;
  /** What a move did, for the log: "red 5 into cauldron 2, and takes 4 cards". */
  told: (played: Played, say: Say) => string;
  /** Are fewer points better? Only for the order of the scoreboard. */
  fewest: boolean;
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

export async function loadCover(game: string): Promise<Component | null> {
  const found = find(covers, `/board/${game}.cover.svelte`);
  return found && (await found[1]());
}
