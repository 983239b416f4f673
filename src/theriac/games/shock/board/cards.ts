/** What stands in the texts of cards and moves (notation.md). */

export const SUITS = ["H", "S", "D", "C"] as const;
export type Suit = (typeof SUITS)[number];
export const POISONS = ["jellyfish", "spider", "bee", "soba"] as const;
export type Kind = (typeof POISONS)[number];
export const HIDDEN = "~";

export interface NumberFace {
  suit: Suit;
  rank: number;
}

const NUMBER = /^([HSDC])(\d+)$/;
const JEWELS = /^J(\d)(?:\/(\d))?$/;

export function readNumber(card: string): NumberFace | null {
  const found = NUMBER.exec(card);
  return found && { suit: found[1] as Suit, rank: Number(found[2]) };
}

/** The jewels on a card of the chest, large and small; on a door there are no small ones. */
export function readJewels(card: string): { large: number; small: number | null } | null {
  const found = JEWELS.exec(card);
  return found && { large: Number(found[1]), small: found[2] === undefined ? null : Number(found[2]) };
}

export const readKind = (text: string): Kind | null => POISONS.find((kind) => kind === text) ?? null;

/** By suit, then by rank. */
export function inOrder(cards: readonly string[]): string[] {
  const worth = (card: string) => {
    const face = readNumber(card);
    return face ? 100 * SUITS.indexOf(face.suit) + face.rank : 0;
  };
  return [...cards].sort((a, b) => worth(a) - worth(b));
}

export type Move =
  | { kind: "play" | "down" | "withdraw"; card: string }
  | { kind: "cure"; poison: string }
  | { kind: "open" | "stop" | "keep" };

/** A move; the card of another that lies face down is "~". */
export function readMove(text: string): Move {
  if (text === "open" || text === "stop" || text === "keep") return { kind: text };
  if (text.startsWith("cure:")) return { kind: "cure", poison: text.slice(5) };
  if (text.startsWith("w~")) return { kind: "withdraw", card: text.slice(2) || HIDDEN };
  if (text.startsWith("~")) return { kind: "down", card: text.slice(1) || HIDDEN };
  return { kind: "play", card: text };
}
