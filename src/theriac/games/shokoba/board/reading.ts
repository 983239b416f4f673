/** What Shokoba's board reads in a view. The keys are those of notation.md. */
import type { Preview, Value, View } from "$shell";

const rows = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
const numbers = (value: Value | undefined): number[] => rows(value).map(Number);
const texts = (value: Value | undefined): string[] => rows(value).map(String);
const seatOrNull = (value: Value | undefined): number | null => (typeof value === "number" ? value : null);
const objectOf = (value: Value | undefined): Record<string, Value> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

export interface Situation {
  open: string[];
  captured: number[];
  hands: number[];
  deck: number;
  dealer: number | null;
  shokobas: number[];
  lastCapture: number | null;
}

export function readTable(table: Record<string, Value>): Situation {
  return {
    open: texts(table["open"]),
    captured: numbers(table["captured"]),
    hands: numbers(table["hands"]),
    deck: Number(table["deck"] ?? 0),
    dealer: seatOrNull(table["dealer"]),
    shokobas: numbers(table["shokobas"]),
    lastCapture: seatOrNull(table["last_capture"]),
  };
}

/** The seats that share a pile: each alone, or partners. */
export function sidesOf(players: number, teams: boolean): number[][] {
  const seats = Array.from({ length: players }, (_, i) => i);
  return teams ? [0, 1].map((side) => seats.filter((seat) => seat % 2 === side)) : seats.map((seat) => [seat]);
}

/** The cards of every place, visible or hidden. Hands come before the deck, so that a card that appears
 * on the table is taken from a hand if possible. */
export function places(table: Situation, hand: string[] | undefined, seat: number | null, sides: number[][]): Record<string, string[]> {
  const hidden = (n: number) => Array<string>(n).fill("~");
  const found: Record<string, string[]> = { open: table.open };
  table.hands.forEach((held, i) => {
    found[`hand ${i}`] = i === seat && hand ? hand : hidden(held);
  });
  for (const side of sides) found[pileOf(side)] = hidden(table.captured[side[0] ?? 0] ?? 0);
  found["deck"] = hidden(table.deck);
  return found;
}

export const pileOf = (side: number[]): string => `pile ${side[0]}`;

export interface Outlook {
  /** How many more cards and SHOKOBAs the player would have. */
  cards: number;
  shokobas: number;
}

/** What a preview says about the player's own pile; null where it says nothing. */
export function outlookOf(preview: Preview | undefined, now: Situation, seat: number): Outlook | null {
  if (!preview) return null;
  const more = (key: string, before: number[]) => {
    const after = numbers(preview[key])[seat];
    return after === undefined ? 0 : Math.max(0, after - (before[seat] ?? 0));
  };
  return { cards: more("captured", now.captured), shokobas: more("shokobas", now.shokobas) };
}

export interface SheetLine {
  for: string;
  counts: number[];
  got: number | null;
}
/** The score sheet of a round. */
export interface Sheet {
  round: number;
  tieBreak: boolean;
  target: number;
  scored: boolean;
  sides: number[][];
  lines: SheetLine[];
  shokobas: number[];
  won: number[];
  gems: number[];
  left: string[];
  lastCapture: number | null;
}

export function readSheet({ sheet }: View): Sheet | null {
  if (!sheet) return null;
  const shokobas = numbers(sheet["shokobas"]);
  const sides = rows(sheet["sides"]).map(numbers);
  return {
    round: Number(sheet["round"] ?? 0),
    tieBreak: sheet["tie_break"] === true,
    target: Number(sheet["target"] ?? 0),
    scored: sheet["scored"] === true,
    sides,
    lines: rows(sheet["lines"]).map(objectOf).map((line) => ({
      for: String(line["for"] ?? ""),
      counts: numbers(line["counts"]),
      got: seatOrNull(line["got"]),
    })),
    shokobas: sides.map((side) => side.reduce((sum, seat) => sum + (shokobas[seat] ?? 0), 0)),
    won: numbers(sheet["won"]),
    gems: numbers(sheet["gems"]),
    left: texts(sheet["left"]),
    lastCapture: seatOrNull(sheet["last_capture"]),
  };
}
