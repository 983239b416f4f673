import { expect, test } from "vitest";
import type { Board } from "../src/board";
import { roundEndAt, roundsOfMoves, tableAt } from "../src/replaying";
import type { ReplayStep, View } from "../src/wire";

const view = (round: number, more: Partial<View> = {}): View => ({ round, over: false, ...more }) as unknown as View;
const left = view(1, { to_act: null });
const board = { parts: (move: string) => ({ card: move, at: null }), steps: () => [view(1), left] } as unknown as Board;
const steps: ReplayStep[] = [
  { n: 0, view: view(1), hands: [["A", "B"], ["C"]] },
  { n: 1, view: view(1), move: "A", seat: 0, hands: [["B"], ["C"]] },
  { n: 2, view: view(2, { sheet: { round: 1 } }), move: "C", seat: 1, hands: [["D"], ["E"]] },
  { n: 3, view: view(2, { sheet: { round: 1 } }), move: "D", seat: 0, hands: [[], ["E"]] },
  { n: 4, view: view(2, { over: true, sheet: { round: 2 } }), move: "E", seat: 1, hands: [[], []] },
];

test("the last move of a round belongs to it", () => {
  expect(roundsOfMoves(steps.map((one) => one.view))).toEqual([1, 1, 1, 2, 2]);
});

test("the last move of a round shows the table that it left", () => {
  const end = roundEndAt(steps, 2, board, [], null);
  expect(end).toMatchObject({ before: { round: 1 }, after: { round: 2 }, hands: [["B"], []] });
  expect(end?.view).toBe(left);
  expect(roundEndAt(steps, 4, board, [], null)).toMatchObject({ after: { over: true }, hands: [[], []] });
});

test("a board without steps shows the table before the move", () => {
  const plain = { parts: board.parts } as unknown as Board;
  expect(roundEndAt(steps, 2, plain, [], null)?.view).toBe(steps[1]?.view);
});

test("every other move leaves what its view shows", () => {
  for (const at of [0, 1, 3]) expect(roundEndAt(steps, at, board, [], null)).toBeNull();
});

test("a game ends with the table that its last move left", () => {
  const finished = [...steps.slice(0, 4), { ...(steps[4] as ReplayStep), view: view(2, { over: true, scores: [3, 1], winners: [0], sheet: { round: 2 } }) }];
  const end = tableAt(finished, 4, { ...board, steps: () => [view(2, { to_act: 7 })] }, [], null);
  expect(end).toMatchObject({ view: { to_act: 7, over: true, scores: [3, 1], winners: [0] }, hands: [[], []] });
});

test("before its end a replay shows each position as it is", () => {
  expect(tableAt(steps, 2, board, [], null)).toEqual({ view: steps[2]?.view, hands: [["D"], ["E"]] });
});
