/** Decks of one's own, kept in this browser, one a game. What is right the server says. */
import type { DeckChecked, Value } from "./wire";

/** How many there are of each card: what was typed, even if it is no number. */
export type Counts = Record<string, number | string>;
export type Marks = Record<string, string[]>;

export interface OwnDeck {
  cards: Counts;
  marks: Marks;
  /** What to open a table with; null for one that cannot be played. */
  option: Value;
}

const keyOf = (game: string) => `theriac.deck.${game}`;

export function keptDeck(game: string): OwnDeck | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(game)) ?? "null") as OwnDeck | null;
  } catch {
    return null;
  }
}

export function keepDeck(game: string, deck: OwnDeck): void {
  localStorage.setItem(keyOf(game), JSON.stringify(deck));
}

export function forgetDeck(game: string): void {
  localStorage.removeItem(keyOf(game));
}

/** How many cards that is, as far as they are numbers. */
export const total = (cards: Counts): number =>
  Object.values(cards).reduce<number>((all, n) => all + (typeof n === "number" ? n : 0), 0);

/** "R3" after "R2" and before "R10". */
const order = new Intl.Collator("en", { numeric: true });

/** The cards of each shelf, in order; the shelves in the order of the first card on each. */
export function shelved(cards: string[], shelf: (card: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const card of cards) found.set(shelf(card), [...(found.get(shelf(card)) ?? []), card]);
  for (const kinds of found.values()) kinds.sort((a, b) => order.compare(a, b));
  return found;
}

/** What was kept, upon the usual cards, without other cards that there are none of any more. */
export function upon(usual: Record<string, number>, kept: Counts): Counts {
  const some = Object.entries(kept).filter(([card, n]) => card in usual || n !== 0);
  return { ...usual, ...Object.fromEntries(some) };
}

/** Put a mark on a card, or take it off. */
export function marked(marks: Marks, mark: string, card: string, on: boolean): Marks {
  const others = (marks[mark] ?? []).filter((one) => one !== card);
  return { ...marks, [mark]: on ? [...others, card] : others };
}

/** Is it the usual deck, as far as can be seen without the server? */
export const isUsual = (found: DeckChecked): boolean => !found.faults.length && found.option === null;
