/** The end of a round: the last card, then what is left on the table. */
import { expect, test } from "vitest";
import type { View } from "$shell";
import { steps } from "./steps";

const view = (table: View["table"], more: Partial<View> = {}): View => ({
  game: "shokoba", over: false, to_act: 1, round: 1, scores: [0, 0], winners: [], legal: [], table, hand: [], ...more,
});
const BEFORE = view({ open: ["R2", "S3", "E9"], captured: [4, 6], hands: [0, 1], deck: 0, dealer: 0, shokobas: [0, 0], last_capture: 0 });
const after = (left: string[], lastCapture: number | null) =>
  view({ open: [], captured: [0, 0], hands: [3, 3], deck: 40 }, {
    round: 2, scores: [2, 1], sheet: { round: 1, scored: true, left, last_capture: lastCapture, sides: [[0], [1]], lines: [] },
  });
const shape = (move: string, end: View) =>
  steps({ move, before: BEFORE, after: end, seat: 1, viewer: 0, names: [] }).map(({ table }) => [table["open"], table["captured"], table["hands"]]);

test("a last capture goes to its pile, then the rest to the same seat", () => {
  expect(shape("R5=R2+S3", after(["E9"], 1))).toEqual([[["E9"], [4, 9], [0, 0]], [[], [4, 10], [0, 0]]]);
});

test("a last card that is laid lies there before all are taken", () => {
  expect(shape("D4", after(["R2", "S3", "E9", "D4"], 0))).toEqual([[["R2", "S3", "E9", "D4"], [4, 6], [0, 0]], [[], [8, 6], [0, 0]]]);
});

test("where nothing is left, the table stays as the card left it", () => {
  const found = steps({ move: "R5=R2+S3", before: BEFORE, after: after([], 1), seat: 1, viewer: 0, names: [] });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ to_act: null, scores: [2, 1], round: 1 });
});

test("within a round there is nothing on the way", () => {
  const next = view({ open: ["E9"], captured: [4, 9], hands: [0, 0] });
  expect(steps({ move: "R5=R2+S3", before: BEFORE, after: next, seat: 1, viewer: 0, names: [] })).toEqual([]);
});
