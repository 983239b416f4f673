/** What the board of the dungeon reads in a view. The keys are those of notation.md. */
import type { Preview, Value, View } from "$shell";
import { CORNERS, readFace, readMove, type Laying, type Spell, SPELLS } from "./cards";

export interface Place {
  x: number;
  y: number;
}
/** A card of the fort. */
export interface Laid extends Place {
  card: string;
  turned: boolean;
  tokens: number;
  defeated: boolean;
  frozen: boolean;
  danger: number;
}
export interface Situation {
  fort: Laid[];
  pile: number;
  supply: number;
  talk: boolean;
  hands: number[];
  spells: Spell[];
  level: number;
  outcome: string | null;
  why: string | null;
}

/** What a view says beside the table, and no card shows. */
export interface Known {
  /** The danger that is too much. */
  alarm: number;
  /** Minutes on the clock at the start. */
  minutes: number;
  /** Was the Black Knight drawn, to be laid now? */
  knightIsDue: boolean;
  /** Where a card can go. */
  places: Place[];
  /** The poisoned corner, as a point (`pointOf`). */
  poisoned: string | null;
  /** The cards that lost the game, by their places (`keyOf`). */
  alarmed: string[];
}

export const keyOf = ({ x, y }: Place): string => `${x},${y}`;
const rows = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
const textOrNull = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);

export function readLaid(value: Value): Laid {
  const one = fields(value);
  return {
    card: String(one["card"] ?? ""),
    x: Number(one["x"] ?? 0),
    y: Number(one["y"] ?? 0),
    turned: one["turned"] === true,
    tokens: Number(one["tokens"] ?? 0),
    defeated: one["defeated"] === true,
    frozen: one["frozen"] === true,
    danger: Number(one["danger"] ?? 0),
  };
}

export const readFort = (table: Record<string, Value>): Laid[] => rows(table["fort"]).map(readLaid);

export function readTable(table: Record<string, Value>): Situation {
  const spells = rows(table["spells"]).map(String);
  return {
    fort: readFort(table),
    pile: Number(table["pile"] ?? 0),
    supply: Number(table["supply"] ?? 0),
    talk: table["talk"] !== false,
    hands: rows(table["hands"]).map(Number),
    spells: SPELLS.filter((spell) => spells.includes(spell)),
    level: Number(table["level"] ?? 0),
    outcome: textOrNull(table["outcome"]),
    why: textOrNull(table["why"]),
  };
}

const fields = (value: Value | undefined): Record<string, Value> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
const readPlace = (value: Value): Place => ({ x: Number(fields(value)["x"]), y: Number(fields(value)["y"]) });

export function readKnown(view: View): Known {
  const recalled = view.recalled ?? {};
  const poisoned = recalled["poisoned"] ?? null;
  const corner = CORNERS.findIndex((one) => one === fields(poisoned)["corner"]);
  return {
    alarm: Number(recalled["alarm"] ?? Infinity),
    minutes: Number(recalled["minutes"] ?? 0),
    knightIsDue: recalled["knight_is_due"] === true,
    places: inReadingOrder(rows(recalled["places"]).map(readPlace)),
    poisoned: poisoned === null ? null : pointOf(readPlace(poisoned), corner),
    alarmed: rows(recalled["alarmed"]).map((one) => keyOf(readPlace(one))),
  };
}

/** Is it a creature that still stands? */
export const stands = (one: Laid): boolean => (readFace(one.card)?.tokens ?? 0) > 0 && !one.defeated;

/** The moves that lay a card, by the card. */
export function layings(legal: string[]): Map<string, Laying[]> {
  const found = new Map<string, Laying[]>();
  for (const text of legal) {
    const move = readMove(text);
    if (move?.kind === "lay") found.set(move.card, [...(found.get(move.card) ?? []), move]);
  }
  return found;
}

export const inReadingOrder = <T extends Place>(places: T[]): T[] =>
  [...places].sort((a, b) => a.y - b.y || a.x - b.x);

/** The cards of every place, visible or hidden. */
export function places(view: View, seat: number | null): Record<string, string[]> {
  const { fort, pile, hands } = readTable(view.table);
  const found: Record<string, string[]> = { deck: hidden(pile) };
  hands.forEach((held, i) => (found[`hand ${i}`] = i === seat && view.hand ? view.hand : hidden(held)));
  for (const one of fort) found[keyOf(one)] = [one.card];
  return found;
}
const hidden = (n: number): string[] => Array<string>(n).fill("~");

/** The same after another player has laid a card and before that player draws one: seen from `places` alone, the
 * card could have come from the pile. */
export function placesBeforeDrawing(view: View, before: View, player: number, seat: number | null): Record<string, string[]> {
  const drawn = Math.max(0, readTable(before.table).pile - readTable(view.table).pile);
  const found = places(view, seat);
  const held = found[`hand ${player}`]?.length ?? 0;
  return { ...found, [`hand ${player}`]: hidden(Math.max(0, held - drawn)), deck: hidden((found["deck"]?.length ?? 0) + drawn) };
}

// Corners. They are points between the places: a card at x,y has those at x±½, y±½, written here as whole
// numbers (x and x+1).

export const pointOf = ({ x, y }: Place, corner: number): string => `${x + (corner % 2)},${y + (corner >> 1)}`;

// What a move would do

export interface Change extends Place {
  card: string;
  creature: boolean;
  before: number;
  after: number;
  falls: boolean;
  gone: boolean;
}
export interface Outlook {
  changes: Change[];
  outcome: string | null;
  why: string | null;
}

/** What a preview says about the cards in the fort; null where it says nothing. */
export function outlook(before: Laid[], preview: Preview | undefined): Outlook | null {
  if (!preview || !Array.isArray(preview["fort"])) return null;
  return {
    changes: changesOf(before, readFort(preview)),
    outcome: textOrNull(preview["outcome"]),
    why: textOrNull(preview["why"]),
  };
}

/** The cards of `before` whose danger changes with a move, or that are defeated or removed. */
export function changesOf(before: Laid[], after: Laid[]): Change[] {
  const now = new Map(after.map((one) => [keyOf(one), one]));
  return before.flatMap((one) => {
    const then = now.get(keyOf(one));
    const falls = stands(one) && then?.defeated === true;
    if (then && then.danger === one.danger && !falls) return [];
    return [{
      x: one.x, y: one.y, card: one.card, creature: stands(one),
      before: one.danger, after: then?.danger ?? 0, falls, gone: then === undefined,
    }];
  });
}

export function seatFacts(view: View, seat: number): { held: number } {
  return { held: rows(view.table["hands"]).map(Number)[seat] ?? 0 };
}
