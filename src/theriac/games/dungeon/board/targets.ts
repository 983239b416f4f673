/** What the player can select in the fort: places, cards, corners. */
import type { Place } from "./reading";

export interface Target extends Place {
  key: string;
  kind: "place" | "card" | "corner";
  /** Which corner: 0 to 3. */
  corner: number;
  /** Is it a legal move? Others may be tried too, and the server explains its refusal. */
  may: boolean;
  /** The move, or null to point at it. */
  move: string | null;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/** Where a target is, in units. */
const middle = ({ x, y, kind, corner }: Target): [number, number] =>
  kind === "corner" ? [2 * x + 0.5 + 2 * (corner % 2), 2 * y + 0.5 + 2 * (corner >> 1)] : [2 * x + 1.5, 2 * y + 1.5];

/** The nearest target in the direction of an arrow key; null for another key or where there is none. */
export function nearest(targets: Target[], from: Target, key: string): Target | null {
  const way = ARROWS[key];
  if (!way) return null;
  const [x, y] = middle(from);
  let best: Target | null = null;
  let least = Infinity;
  for (const target of targets) {
    const [dx, dy] = [middle(target)[0] - x, middle(target)[1] - y];
    const along = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (along > 0 && along + 2 * aside < least) [best, least] = [target, along + 2 * aside];
  }
  return best;
}
