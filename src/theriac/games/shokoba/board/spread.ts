/** How the open gems lie: in rows, as large as the box allows. */

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
const LARGEST = 420;
const TURNS = [-1.4, 0.9, 1.6, -0.7, 0.4, -1.8, 1.2];

/** How wide a card may be in this many rows. */
function widthIn(rows: number, n: number, width: number, height: number): number {
  const columns = Math.ceil(n / rows);
  return Math.min(LARGEST, width / (columns + (columns + 1) * GAP), height / (rows * TALL + (rows + 1) * GAP));
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
