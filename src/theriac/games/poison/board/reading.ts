/** What Poison's board reads in a view. The keys are those of notation.md. */
import type { Preview, Value, View } from "$shell";

export interface Cauldron {
  number: number;
  cards: string[];
  sum: number;
}

const rows = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
const numbers = (value: Value | undefined): number[] => rows(value).map(Number);
const cards = (value: Value | undefined): string[] => rows(value).map(String);

export function cauldrons(table: Record<string, Value>): Cauldron[] {
  const sums = numbers(table["sums"]);
  return rows(table["cauldrons"]).map((inside, i) => ({
    number: i + 1,
    cards: cards(inside),
    sum: sums[i] ?? 0,
  }));
}

export function seatFacts(view: View, seat: number): { held: number; taken: number; deals: boolean } {
  return {
    held: numbers(view.table["hands"])[seat] ?? 0,
    taken: numbers(view.table["taken"])[seat] ?? 0,
    deals: view.table["dealer"] === seat,
  };
}

/** The cards of every place, visible or hidden. */
export function places(view: View, seat: number | null): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const cauldron of cauldrons(view.table)) found[`cauldron ${cauldron.number}`] = cauldron.cards;
  numbers(view.table["hands"]).forEach((held, i) => {
    found[`hand ${i}`] = i === seat && view.hand ? view.hand : Array<string>(held).fill("~");
  });
  return found;
}

/** What a preview says about one cauldron and the player's own taken cards. */
export function outlookOf(
  preview: Preview | undefined,
  view: View,
  cauldron: number,
  seat: number,
): { sum: number; takes: number } | null {
  const sum = preview && numbers(preview["sums"])[cauldron - 1];
  if (sum === undefined) return null;
  const after = numbers(preview?.["taken"])[seat] ?? 0;
  const before = numbers(view.table["taken"])[seat] ?? 0;
  return { sum, takes: Math.max(0, after - before) };
}
