/** What stands on a card and in a move, read from their texts (notation.md). */

export interface Face {
  /** Top left, top right, bottom left, bottom right. */
  corners: number[];
  tokens: number;
  silent: boolean;
  chests: number;
  level: number;
  knight: boolean;
}

const FACE = /^([0-9]{4})(?:t([0-9]+))?(s)?(?:c([0-9]+))?(?:L([1-4]))?(K)?$/;

/** What a card shows; null for a text that is no card. */
export function readFace(card: string): Face | null {
  const found = FACE.exec(card);
  if (!found) return null;
  const [, digits = "", tokens, silent, chests, level, knight] = found;
  return {
    corners: [...digits].map(Number),
    tokens: Number(tokens ?? 0),
    silent: silent !== undefined,
    chests: Number(chests ?? 0),
    level: Number(level ?? 0),
    knight: knight !== undefined,
  };
}

/** The corners of a card as it lies. */
export function cornersOf(card: string, turned: boolean): number[] {
  const corners = readFace(card)?.corners ?? [];
  return turned ? [...corners].reverse() : corners;
}

export const SPELLS = ["fireball", "ice", "poison", "silence"] as const;
export type Spell = (typeof SPELLS)[number];
export const CORNERS = ["tl", "tr", "bl", "br"] as const;
export type Corner = (typeof CORNERS)[number];

export interface Laying {
  kind: "lay";
  card: string;
  turned: boolean;
  x: number;
  y: number;
}
export interface Cast {
  kind: "cast";
  spell: Spell;
  x?: number;
  y?: number;
  corner?: Corner;
}

const LAY = /^([0-9][^r@]*)(r?)@(-?[0-9]+),(-?[0-9]+)$/;
const CAST = /^([a-z]+)(?:@(-?[0-9]+),(-?[0-9]+)(?::(tl|tr|bl|br))?)?$/;

/** A move that lays a card or casts a spell; null for the clock's. */
export function readMove(text: string): Laying | Cast | null {
  const lay = LAY.exec(text);
  if (lay) {
    return { kind: "lay", card: lay[1] ?? "", turned: lay[2] === "r", x: Number(lay[3]), y: Number(lay[4]) };
  }
  const [, name, x, y, corner] = CAST.exec(text) ?? [];
  const spell = SPELLS.find((one) => one === name);
  if (!spell) return null;
  const cast: Cast = { kind: "cast", spell };
  if (x !== undefined) cast.x = Number(x);
  if (y !== undefined) cast.y = Number(y);
  const at = CORNERS.find((one) => one === corner);
  if (at) cast.corner = at;
  return cast;
}

export const layingText = (card: string, turned: boolean, x: number, y: number): string =>
  `${card}${turned ? "r" : ""}@${x},${y}`;
