/** What the board of the dungeon reads in a view. The keys are those of notation.md. */
import type { Preview, Value, View } from "$shell";
import { cornersOf, readFace, readMove, type Laying, type Spell, SPELLS } from "./cards";

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

export const keyOf = ({ x, y }: Place): string => `${x},${y}`;
const rows = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
const textOrNull = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);

export function readLaid(value: Value): Laid {
  const one = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
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

/** Is it a creature that still stands? */
export const stands = (one: Laid): boolean => (readFace(one.card)?.tokens ?? 0) > 0 && !one.defeated;

/** The Black Knight is at the bottom of the pile: he is in hand from the last card until he is laid. */
export function knightIsOut({ fort, pile, outcome }: Situation): boolean {
  return pile === 0 && outcome === null && !fort.some((one) => readFace(one.card)?.knight);
}

/** The moves that lay a card, by the card. */
export function layings(legal: string[]): Map<string, Laying[]> {
  const found = new Map<string, Laying[]>();
  for (const text of legal) {
    const move = readMove(text);
    if (move?.kind === "lay") found.set(move.card, [...(found.get(move.card) ?? []), move]);
  }
  return found;
}

/** Free places beside the fort, to point at. The server decides what may be laid there. */
export function freePlaces(fort: Laid[]): Place[] {
  const taken = new Set(fort.map(keyOf));
  const found = new Map<string, Place>();
  for (const { x, y } of fort) {
    for (const [dx, dy] of BESIDE) {
      const place = { x: x + dx, y: y + dy };
      if (!taken.has(keyOf(place))) found.set(keyOf(place), place);
    }
  }
  return inReadingOrder([...found.values()]);
}

export const inReadingOrder = <T extends Place>(places: T[]): T[] =>
  [...places].sort((a, b) => a.y - b.y || a.x - b.x);

/** From a card to its neighbours, in the order of its corners. */
const BESIDE = [[-1, -1], [1, -1], [-1, 1], [1, 1]] as const;

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

export interface Point extends Place {
  value: number;
}

/** What each corner of the fort shows: the card laid later. */
function shown(fort: Laid[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const one of fort) {
    cornersOf(one.card, one.turned).forEach((value, i) => found.set(pointOf(one, i), value));
  }
  return found;
}

export const pointOf = ({ x, y }: Place, corner: number): string => `${x + (corner % 2)},${y + (corner >> 1)}`;

/** The corners that the poison token can be on: the danger of a card shows where a corner counts 0.
 * Empty where nothing is poisoned, or only a corner that shows 0 anyway. */
export function poisoned(fort: Laid[]): string[] {
  const values = shown(fort);
  const lacks = fort.map((one) => {
    const sum = [0, 1, 2, 3].reduce((all, i) => all + (values.get(pointOf(one, i)) ?? 0), 0);
    return sum - one.danger;
  });
  if (lacks.every((lack) => lack === 0)) return [];
  return [...values.keys()].filter((point) =>
    fort.every((one, i) => {
      const here = [0, 1, 2, 3].some((corner) => pointOf(one, corner) === point);
      return lacks[i] === (here ? values.get(point) : 0);
    }),
  );
}

/** Where the poison is: on one corner, or somewhere on some cards. The view does not say; it follows from the danger,
 * or from having seen the spell (`seen`, the point that it was cast on). */
export function poisonIn(fort: Laid[], seen: string | null): { at: string | null; cards: string[] } {
  const points = poisoned(fort);
  if (points.length === 1) return { at: points[0] ?? null, cards: [] };
  if (seen !== null && (points.length === 0 || points.includes(seen))) return { at: seen, cards: [] };
  const has = (one: Laid, point: string) => [0, 1, 2, 3].some((corner) => pointOf(one, corner) === point);
  return { at: null, cards: points.length ? fort.filter((one) => points.every((point) => has(one, point))).map(keyOf) : [] };
}

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
