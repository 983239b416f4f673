/** The player's own decks, stored in this browser, one per game. The server checks them. */
import type { DeckCheck, Value } from "./wire";

/** How many there are of each card: what was typed, even if it is no number. */
export type Counts = Record<string, number | string>;
export type Marks = Record<string, string[]>;

export interface OwnDeck {
  cards: Counts;
  marks: Marks;
  /** The option `deck` for a new table; null for a deck that cannot be played. */
  option: Value;
}

const storageKey = (game: string) => `theriac.deck.${game}`;

export function storedDeck(game: string): OwnDeck | null {
  try {
    return JSON.parse(localStorage.getItem(storageKey(game)) ?? "null") as OwnDeck | null;
  } catch {
    return null;
  }
}

export function storeDeck(game: string, deck: OwnDeck): void {
  localStorage.setItem(storageKey(game), JSON.stringify(deck));
}

export function forgetDeck(game: string): void {
  localStorage.removeItem(storageKey(game));
}

/** The number of cards, counting only what is a number. */
export const total = (cards: Counts): number =>
  Object.values(cards).reduce<number>((sum, n) => sum + (typeof n === "number" ? n : 0), 0);

/** "R3" after "R2" and before "R10". */
const order = new Intl.Collator("en", { numeric: true });

/** The sorted cards under each heading; headings in the order of their first card. */
export function byHeading(cards: string[], heading: (card: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const card of cards) found.set(heading(card), [...(found.get(heading(card)) ?? []), card]);
  for (const kinds of found.values()) kinds.sort((a, b) => order.compare(a, b));
  return found;
}

/** The usual cards with the stored counts. Unusual cards with a count of 0 are left out. */
export function mergeCounts(usual: Record<string, number>, stored: Counts): Counts {
  const kept = Object.entries(stored).filter(([card, n]) => card in usual || n !== 0);
  return { ...usual, ...Object.fromEntries(kept) };
}

/** Put a mark on a card, or take it off. */
export function setMark(marks: Marks, mark: string, card: string, on: boolean): Marks {
  const others = (marks[mark] ?? []).filter((other) => other !== card);
  return { ...marks, [mark]: on ? [...others, card] : others };
}

/** Is it the deck that comes with the game? The server gives no option for that one. */
export const isUsual = (check: DeckCheck): boolean => !check.faults.length && check.option === null;
