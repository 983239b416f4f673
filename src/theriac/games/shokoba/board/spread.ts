/** How the open gems lie: in rows, about as large as the cards of the hand. Each keeps its place while it lies. */

export interface Spot {
  /** Its middle. */
  x: number;
  y: number;
  /** In degrees: cards that people laid do not lie quite straight. */
  turn: number;
}

/** The room between two cards and at the edges, as a share of a card's width. */
const GAP = 0.16;
const TALL = 7 / 5;
/** The largest width of a card: a share of the height of the box, and of what can be read in a low one. */
const LARGEST = 0.32;
const LARGEST_IN_A_LOW_BOX = 80;
/** There are places for this many from the beginning, and for as many more when they are full. */
const PLACES = 8;
const MORE_PLACES = 4;
const TURNS = [-1.4, 0.9, 1.6, -0.7, 0.4, -1.8, 1.2];

/** How wide a card may be in this many rows. */
function widthIn(rows: number, n: number, width: number, height: number): number {
  const columns = Math.ceil(n / rows);
  return Math.min(Math.max(LARGEST * height, LARGEST_IN_A_LOW_BOX), width / (columns + (columns + 1) * GAP), height / (rows * TALL + (rows + 1) * GAP));
}

/** The width of a card, and where each of `n` lies in a box. */
export function spread(n: number, width: number, height: number): { card: number; spots: Spot[] } {
  let rows = 1;
  for (let more = 2; more <= n; more++) if (widthIn(more, n, width, height) > widthIn(rows, n, width, height) + 1) rows = more;
  const card = widthIn(rows, Math.max(n, 1), width, height);
  const [stepX, stepY] = [card * (1 + GAP), card * (TALL + GAP)];
  const spots: Spot[] = [];
  for (let row = 0; row < rows; row++) {
    const inRow = Math.floor((n + rows - 1 - row) / rows);
    for (let i = 0; i < inRow; i++) {
      spots.push({
        x: width / 2 + (i - (inRow - 1) / 2) * stepX,
        y: height / 2 + (row - (rows - 1) / 2) * stepY,
        turn: TURNS[spots.length % TURNS.length] ?? 0,
      });
    }
  }
  return { card, spots };
}

/** The place of each gem, by its id: a gem that is taken leaves a gap, one that comes fills one. */
export class Places {
  private at = new Map<number, number>();
  private places = PLACES;

  /** The width of a card, and where the gems with these ids lie. */
  follow(ids: readonly number[], width: number, height: number): { card: number; spots: Spot[] } {
    while (this.places < ids.length) this.places += MORE_PLACES;
    if (!ids.length) this.places = PLACES;
    const { card, spots } = spread(this.places, width, height);
    const fromMiddle = ({ x, y }: Spot) => Math.hypot(x - width / 2, y - height / 2);
    const order = spots.map((_, i) => i).sort((a, b) => fromMiddle(spots[a] as Spot) - fromMiddle(spots[b] as Spot) || a - b);
    const kept = new Map(ids.flatMap((id) => (this.at.has(id) ? [[id, this.at.get(id) as number] as const] : [])));
    for (const id of ids) {
      if (kept.has(id)) continue;
      const taken = new Set(kept.values());
      kept.set(id, order.findIndex((_, place) => !taken.has(place)));
    }
    this.at = kept;
    return { card, spots: ids.map((id) => spots[order[kept.get(id) ?? 0] ?? 0] as Spot) };
  }
}
