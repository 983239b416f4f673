/** The cut of each gem, seen from above: facets that catch the light differently. A sapphire is a cushion, a
 * ruby a pear, an emerald a step-cut octagon, the diamond a round brilliant.
 */
import type { Gem } from "./cards";

export interface Facet {
  /** For a polygon, around 0,0, about 44 high. */
  points: string;
  fill: string;
}

interface Point {
  x: number;
  y: number;
}

/** From the deepest shade to the brightest. */
const TONES: Record<Gem, readonly string[]> = {
  S: ["#06184d", "#0c2c86", "#1746bd", "#2f6ceb", "#6b9dff", "#b9d3ff", "#eef5ff"],
  R: ["#4a0212", "#870a25", "#bd1535", "#e93453", "#ff6f85", "#ffb3bb", "#fff0f0"],
  E: ["#012b1c", "#045236", "#0b7c50", "#1fa871", "#5fd3a0", "#aef0cf", "#effff7"],
  D: ["#7f97bb", "#a4bbd8", "#c4d8ec", "#dcebf7", "#eef7fd", "#ffffff", "#ffffff"],
};
/** The ink of a card: dark enough to read on paper. */
export const INK: Record<Gem, string> = { S: "#153f96", R: "#a3152f", E: "#0a6241", D: "#4a3a63" };

/** The light comes from the upper left. */
const LIGHT: Point = { x: -0.55, y: -0.83 };
const R = 22;
const STEP = Math.PI / 8;

/** The edge of the stone, in a direction. */
const GIRDLE: Record<"S" | "R" | "D", (angle: number) => Point> = {
  D: (angle) => polar(angle, R),
  // A square with rounded corners.
  S: (angle) => polar(angle, R / (Math.abs(Math.cos(angle)) ** 3.6 + Math.abs(Math.sin(angle)) ** 3.6) ** (1 / 3.6)),
  // A drop, its point above.
  R: (angle) => {
    const turn = angle + Math.PI / 2;
    return { x: 22 * Math.sin(turn) * Math.abs(Math.sin(turn / 2)) ** 0.8, y: -24 * Math.cos(turn) };
  },
};
/** Where the facets meet in the middle: in a drop, below. */
const MIDDLE: Record<"S" | "R" | "D", number> = { S: 0, R: 5, D: 0 };

function polar(angle: number, far: number): Point {
  return { x: Math.cos(angle) * far, y: Math.sin(angle) * far };
}

const text = (points: readonly Point[]): string => points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

function facet(gem: Gem, points: readonly Point[], steep: number, flash: number): Facet {
  const middle = { x: 0, y: 0 };
  for (const { x, y } of points) [middle.x, middle.y] = [middle.x + x / points.length, middle.y + y / points.length];
  const far = Math.hypot(middle.x, middle.y) || 1;
  const towards = (middle.x * LIGHT.x + middle.y * LIGHT.y) / far;
  const tones = TONES[gem];
  const tone = Math.round((0.45 + steep * towards + flash) * (tones.length - 1));
  return { points: text(points), fill: tones[Math.min(Math.max(tone, 0), tones.length - 1)] ?? "" };
}

/** Table, stars, kites and the halves along the girdle; through the table one sees the pavilion flash. */
function brilliant(gem: "S" | "R" | "D"): Facet[] {
  const at = (k: number, share: number): Point => {
    const edge = GIRDLE[gem](k * STEP);
    return { x: edge.x * share, y: MIDDLE[gem] + (edge.y - MIDDLE[gem]) * share };
  };
  const facets: Facet[] = [];
  for (let k = 1; k < 16; k += 2) {
    const flash = k % 4 === 1 ? 0.1 : -0.1;
    facets.push(facet(gem, [at(k, 1), at(k + 1, 1), at(k + 1, 0.76)], 0.34, flash));
    facets.push(facet(gem, [at(k + 1, 1), at(k + 2, 1), at(k + 1, 0.76)], 0.34, -flash));
    facets.push(facet(gem, [at(k, 0.56), at(k - 1, 0.76), at(k, 1), at(k + 1, 0.76)], 0.28, flash / 2));
    facets.push(facet(gem, [at(k, 0.56), at(k + 1, 0.76), at(k + 2, 0.56)], 0.2, 0.14));
    facets.push(facet(gem, [{ x: 0, y: MIDDLE[gem] }, at(k, 0.56), at(k + 1, 0.52)], -0.3, 0.12));
    facets.push(facet(gem, [{ x: 0, y: MIDDLE[gem] }, at(k + 1, 0.52), at(k + 2, 0.56)], -0.3, -0.08));
  }
  return facets;
}

function ring(share: number): Point[] {
  const [w, h, c] = [17 * share, 22 * share, 7.5 * share];
  return [[-w + c, -h], [w - c, -h], [w, -h + c], [w, h - c], [w - c, h], [-w + c, h], [-w, h - c], [-w, -h + c]].map(([x = 0, y = 0]) => ({ x, y }));
}

/** Steps around a long table. */
function steps(gem: Gem): Facet[] {
  const facets: Facet[] = [];
  const shares = [1, 0.8, 0.6];
  shares.forEach((share, step) => {
    const [outer, inner] = [ring(share), ring(shares[step + 1] ?? 0.42)];
    outer.forEach((corner, i) => {
      const next = (i + 1) % 8;
      const points = [corner, outer[next], inner[next], inner[i]].filter((one) => one !== undefined);
      facets.push(facet(gem, points, 0.4 - step * 0.1, step % 2 ? 0.12 : -0.04));
    });
  });
  const table = ring(0.42);
  facets.push({ points: text(table), fill: TONES[gem][4] ?? "" });
  facets.push({ points: text([...table.slice(2, 6), { x: -1, y: 3 }]), fill: TONES[gem][2] ?? "" });
  return facets;
}

export const CUTS: Record<Gem, readonly Facet[]> = { S: brilliant("S"), R: brilliant("R"), E: steps("E"), D: fire(brilliant("D")) };

const around = (gem: "S" | "R" | "D"): string => text(Array.from({ length: 16 }, (_, k) => GIRDLE[gem](k * STEP)));
/** The edge of each stone. */
export const OUTLINES: Record<Gem, string> = { S: around("S"), R: around("R"), E: text(ring(1)), D: around("D") };

/** Only a diamond splits the light: a few of its facets show the colours. */
function fire(facets: Facet[]): Facet[] {
  const colours = new Map([[4, "#ffd9f2"], [8, "#bfeaff"], [15, "#fff0b8"], [22, "#d6ffe6"], [27, "#e3d4ff"], [33, "#ffe0c9"], [40, "#bfe3ff"], [45, "#ffd3e4"]]);
  return facets.map((one, i) => ({ ...one, fill: colours.get(i) ?? one.fill }));
}

/** A sparkle, at the upper left of a stone. */
export const SPARKLE = "M-8.5-17.5q.8 5.7 6.5 6.5q-5.7.8-6.5 6.5q-.8-5.7-6.5-6.5q5.7-.8 6.5-6.5z";
