/** What the player can select in the fort: places, cards, corners. */
import { CORNERS, layingText, type Cast, type Laying, type Spell } from "./cards";
import { inReadingOrder, type Laid, type Place } from "./reading";

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

const on = (kind: "card" | "place", { x, y }: Place, may: boolean, move: string | null): Target => ({
  key: `${x},${y}`, kind, corner: 0, x, y, may, move,
});

/** Where a card can be laid, as it is turned now: `ways` are its legal moves. */
export function toLay(card: string, turned: boolean, ways: Laying[], fort: Laid[], free: Place[]): Target[] {
  const open = ways.filter((way) => way.turned === turned);
  const spots = open.length
    ? inReadingOrder(open).map((spot) => on("place", spot, true, layingText(card, turned, spot.x, spot.y)))
    : free.map((spot) => on("place", spot, false, layingText(card, false, spot.x, spot.y)));
  return [...fort.map((one) => on("card", one, false, layingText(card, turned, one.x, one.y))), ...spots];
}

/** What a spell can be cast on. */
export function toCast(spell: Spell, casts: (Cast & { text: string })[], fort: Laid[]): Target[] {
  if (spell === "silence") return [];
  const legal = casts.filter((cast) => cast.spell === spell);
  return fort.flatMap((one) => {
    const { x, y } = one;
    const here = legal.filter((cast) => cast.x === x && cast.y === y);
    if (!here.length) return [on("card", one, false, spell === "poison" ? `poison@${x},${y}:tl` : `${spell}@${x},${y}`)];
    return here.map((cast): Target => {
      const corner = cast.corner ? CORNERS.indexOf(cast.corner) : 0;
      return { key: `${x},${y}${cast.corner ?? ""}`, kind: cast.corner ? "corner" : "card", corner, x, y, may: true, move: cast.text };
    });
  });
}

/** What can be pointed at. */
export const toPointAt = (fort: Laid[], free: Place[]): Target[] => [
  ...fort.map((one) => on("card", one, true, null)),
  ...free.map((spot) => on("place", spot, true, null)),
];

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
