/** Cards and moves of Shokoba as they are written: notation.md. */

export type Gem = "S" | "R" | "E" | "D";
/** In the order in which cards of equal value are written. */
export const GEMS: readonly Gem[] = ["S", "R", "E", "D"];

export interface Face {
  gem: Gem;
  value: number;
}

export type Move =
  | { kind: "lay" | "overlook"; card: string }
  | { kind: "capture"; card: string; taken: string[] }
  | { kind: "claim"; taken: string[] }
  | { kind: "pass" };

const CARD = /^([SRED])(\d+)$/;

export function readFace(card: string): Face | null {
  const found = CARD.exec(card);
  return found && { gem: found[1] as Gem, value: Number(found[2]) };
}

export function readMove(text: string): Move {
  if (text === "pass") return { kind: "pass" };
  const [what = "", cards] = text.split("=");
  const taken = cards?.split("+") ?? [];
  if (what === "claim") return { kind: "claim", taken };
  if (taken.length) return { kind: "capture", card: what, taken };
  return what.endsWith("!") ? { kind: "overlook", card: what.slice(0, -1) } : { kind: "lay", card: what };
}

/** Cards in the order in which a move names them: ascending, of equal values by gem. */
export function inOrder(cards: readonly string[]): string[] {
  const rank = (card: string) => {
    const face = readFace(card);
    return face ? face.value * GEMS.length + GEMS.indexOf(face.gem) : 0;
  };
  return [...cards].sort((a, b) => rank(a) - rank(b));
}

/** A capture by a card of the hand, or (null) the claim of one that was overlooked. */
export const captureText = (card: string | null, taken: readonly string[]): string =>
  `${card ?? "claim"}=${inOrder(taken).join("+")}`;
