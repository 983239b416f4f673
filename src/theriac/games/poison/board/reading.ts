/** What Poison's board reads in a view. The keys are those of notation.md. */
import type { Preview, Value, View } from "$shell";

export interface Cauldron {
  number: number;
  cards: string[];
  sum: number;
  /** What brews: the letter of its colour, "X" while there is only poison, null while it is empty. */
  colour: string | null;
}

const rows = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
const numbers = (value: Value | undefined): number[] => rows(value).map(Number);
const cards = (value: Value | undefined): string[] => rows(value).map(String);
const fields = (value: Value | undefined): Record<string, Value> =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};

export function cauldrons(table: Record<string, Value>): Cauldron[] {
  const sums = numbers(table["sums"]);
  return rows(table["cauldrons"]).map((inside, i) => {
    const potions = cards(inside);
    const colour = potions.find((card) => card !== "X")?.[0] ?? potions[0]?.[0] ?? null;
    return { number: i + 1, cards: potions, sum: sums[i] ?? 0, colour };
  });
}

/** The numbers of the rules, as the server sends them. */
export interface Numbers {
  /** The highest sum of a cauldron that is safe. */
  limit: number;
  /** What a poison card adds to it; null where that is not known. */
  poison: number | null;
  /** What a taken card costs, by the letter of its colour. */
  points: Record<string, Value>;
}

export function numbersOf(view: View | null): Numbers {
  const known = view?.recalled ?? {};
  const most = Math.max(1, ...numbers(view?.table["sums"]));
  return { limit: Number(known["limit"]) || most, poison: Number(known["poison"]) || null, points: fields(known["points"]) };
}

/** What a card adds to the sum of a cauldron; null where that is not known. */
export const valueOf = (card: string, { poison }: Numbers): number | null => (card === "X" ? poison : Number(card.slice(1)) || null);

/** What these cards cost the player who takes them, if no colour is set aside. */
export const costOf = (potions: readonly string[], { points }: Numbers): number =>
  potions.reduce((sum, card) => sum + Number(points[card[0] ?? ""] ?? 0), 0);

/** With open piles: what the cards that a seat took would cost now, and the colours it would set aside. */
export function soFar(view: View, seat: number): { points: number; aside: string[] } | null {
  const found = rows(view.recalled?.["so_far"])[seat];
  return found === undefined ? null : { points: Number(fields(found)["points"]), aside: cards(fields(found)["aside"]) };
}

/** The cauldron that the last move made boil over, and the colour that was in it; null if it did not. */
export function spiltBy(last: { seat: number | null; move: string; before: View | null } | null, view: View): { number: number; colour: string | null } | null {
  if (!last?.before || last.seat === null) return null;
  const number = Number(last.move.split("@")[1]);
  if (seatFacts(view, last.seat).taken <= seatFacts(last.before, last.seat).taken) return null;
  return { number, colour: cauldrons(last.before.table)[number - 1]?.colour ?? null };
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
  const piles = rows(view.table["piles"]);
  numbers(view.table["taken"]).forEach((taken, i) => {
    found[`taken ${i}`] = Array.isArray(piles[i]) ? cards(piles[i]) : Array<string>(taken).fill("~");
  });
  return found;
}

export interface SheetLine {
  kind: string;
  count: number;
  /** Does the colour count nothing, because the seat has the most of it? */
  aside: boolean;
  points: number;
}

export interface SeatSheet {
  cards: string[];
  lines: SheetLine[];
  points: number;
  total: number;
}

/** The score sheet of a round, seat by seat. */
export function readSheet(sheet: Record<string, Value> | undefined): SeatSheet[] {
  return rows(sheet?.["seats"]).map((value) => {
    const seat = fields(value);
    const lines = rows(seat["lines"]).map((one) => {
      const line = fields(one);
      return { kind: String(line["for"]), count: Number(line["count"]), aside: line["aside"] === true, points: Number(line["points"]) };
    });
    return { cards: cards(seat["cards"]), lines, points: Number(seat["points"]), total: Number(seat["total"]) };
  });
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
