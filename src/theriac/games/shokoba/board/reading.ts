/** What Shokoba's board reads in a view. The keys are those of notation.md. */
import type { BoardProps, Preview, Value, View } from "$shell";
import { readMove } from "./cards";

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

/** The seats that share a pile, as the server sends them: each alone, or partners. */
export function sidesOf(view: View): number[][] {
  const sides = rows(view.recalled?.["sides"]).map(numbers);
  const alone = view.scores.map((_, seat) => seat).filter((seat) => !sides.flat().includes(seat));
  return [...sides, ...alone.map((seat) => [seat])];
}

/** The number of a seat's team; null where everybody plays alone. */
export function teamOf(view: View, seat: number): number | null {
  const side = sidesOf(view).findIndex((one) => one.length > 1 && one.includes(seat));
  return side < 0 ? null : side;
}

/** The gems that win; 0 where that is not known. */
export const targetOf = (view: View): number => Number(view.recalled?.["target"] ?? 0);

/** Has the seat made a SHOKOBA with this move? What the round brought is in the sheet once it is over. */
export function isShokoba(before: View | null, after: View | null, seat: number | null | undefined): boolean {
  if (!before || !after || seat == null) return false;
  const now = before.round === after.round ? after.table["shokobas"] : after.sheet?.["shokobas"];
  return (numbers(now)[seat] ?? 0) > (numbers(before.table["shokobas"])[seat] ?? 0);
}

/** The card that made the last capture: it lies in the tray, to be seen by all, until the next move. */
export interface Tray {
  seat: number;
  card: string;
}

export function trayOf(last: BoardProps["last"], view: View): Tray | null {
  const before = last?.before;
  if (!last || !before || last.seat === null || before.round !== view.round) return null;
  const move = readMove(last.move);
  if (move.kind === "capture") return { seat: last.seat, card: move.card };
  const claimed = readTable(before.table).open.at(-1);
  return move.kind === "claim" && claimed !== undefined ? { seat: last.seat, card: claimed } : null;
}

/** The cards of every place, visible or hidden. Hands come before the deck, so that a card that appears
 * on the table is taken from a hand if possible. */
export function places(
  table: Situation,
  hand: string[] | undefined,
  seat: number | null,
  sides: number[][],
  tray: Tray | null = null,
): Record<string, string[]> {
  const hidden = (n: number) => Array<string>(Math.max(0, n)).fill("~");
  const found: Record<string, string[]> = { "last card": tray ? [tray.card] : [], "open cards": table.open };
  table.hands.forEach((held, i) => {
    found[`hand ${i}`] = i === seat && hand ? hand : hidden(held);
  });
  for (const side of sides) {
    const shown = tray && side.includes(tray.seat) ? 1 : 0;
    found[pileOf(side)] = hidden((table.captured[side[0] ?? 0] ?? 0) - shown);
  }
  found["deck"] = hidden(table.deck);
  return found;
}

const pileOf = (side: number[]): string => `taken ${side[0]}`;

/** The pile that lies at a seat: partners have one, with the partner who captured last. */
export function pileAt(seat: number, table: Situation, sides: number[][]): string | null {
  const side = sides.find((one) => one.includes(seat)) ?? [];
  const keeper = side.find((one) => one === table.lastCapture) ?? side[0];
  return keeper === seat ? pileOf(side) : null;
}

/** The table between a move and what it did: the card has left the hand and lies on the table. Followed on the
 * way, so that a card is known to come from the hand that played it, even when new hands are dealt at once. */
export function midway(before: View, text: string, mover: number, seat: number | null): { table: Situation; hand: string[] | undefined } | null {
  const move = readMove(text);
  if (!("card" in move)) return null;
  const table = readTable(before.table);
  const hand = before.hand && [...before.hand];
  if (mover === seat && hand?.includes(move.card)) hand.splice(hand.indexOf(move.card), 1);
  return { table: { ...table, open: [...table.open, move.card], hands: table.hands.map((held, i) => held - Number(i === mover)) }, hand };
}

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
