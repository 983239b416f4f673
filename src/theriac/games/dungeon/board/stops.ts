/** What can be chosen in the fort: places, cards, corners. */
import type { Place } from "./reading";

export interface Stop extends Place {
  key: string;
  kind: "place" | "card" | "corner";
  /** Which corner: 0 to 3. */
  corner: number;
  /** Is it among the legal moves? What is not may be tried, and the server says why not. */
  may: boolean;
  /** The move, or null to point at it. */
  move: string | null;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

/** Where a stop is, in units. */
const middle = ({ x, y, kind, corner }: Stop): [number, number] =>
  kind === "corner" ? [2 * x + 0.5 + 2 * (corner % 2), 2 * y + 0.5 + 2 * (corner >> 1)] : [2 * x + 1.5, 2 * y + 1.5];

/** The nearest stop in the direction of an arrow key; null for another key or where there is none. */
export function nearest(stops: Stop[], from: Stop, key: string): Stop | null {
  const way = ARROWS[key];
  if (!way) return null;
  const [x, y] = middle(from);
  let best: Stop | null = null;
  let least = Infinity;
  for (const stop of stops) {
    const [dx, dy] = [middle(stop)[0] - x, middle(stop)[1] - y];
    const along = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (along > 0 && along + 2 * aside < least) [best, least] = [stop, along + 2 * aside];
  }
  return best;
}
