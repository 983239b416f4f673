/** A potion arrives, the sum rises, the brew boils over: each on a table of its own. */
import { expect, test } from "vitest";
import type { SeenMove, View } from "$shell";
import { steps } from "./steps";

const view = (table: View["table"], more: Partial<View> = {}): View => ({
  game: "poison", over: false, to_act: 0, round: 1, scores: [0, 0], winners: [], legal: ["R5@1"], table,
  recalled: { limit: 13, poison: 4, points: {} }, hand: ["R5", "X"], ...more,
});
const BEFORE = view({ cauldrons: [["R7", "R4"], [], []], sums: [11, 0, 0], taken: [1, 0], hands: [2, 1], dealer: 1 });
const seen = (move: string, after: View, seat = 0): SeenMove => ({ move, before: BEFORE, after, seat, viewer: 0, names: [] });
const shape = (found: View[]) => found.map(({ table, hand }) => [table["cauldrons"], table["sums"], table["taken"], table["hands"], hand]);

test("a card is in the cauldron before the sum changes", () => {
  const after = view({ cauldrons: [["R7", "R4"], ["X"], []], sums: [11, 4, 0], taken: [1, 0], hands: [1, 1] });
  expect(shape(steps(seen("X@2", after)))).toEqual([[[["R7", "R4"], ["X"], []], [11, 0, 0], [1, 0], [1, 1], ["R5"]]]);
});

test("the sum passes the limit before the cards are taken", () => {
  const after = view({ cauldrons: [["R5"], [], []], sums: [5, 0, 0], taken: [3, 0], hands: [1, 1] });
  const sums = steps(seen("R5@1", after)).map(({ table }) => table["sums"]);
  expect(sums).toEqual([[11, 0, 0], [16, 0, 0]]);
});

test("the last card of a round lies there, with what it did, before the next deal", () => {
  const sheet = { round: 1, seats: [{ cards: ["B1", "R7", "R4"] }, { cards: [] }] };
  const after = view({ cauldrons: [[], [], []], sums: [0, 0, 0], taken: [0, 0], hands: [9, 9] }, { round: 2, scores: [3, 0], sheet });
  const found = steps(seen("R5@1", after));
  expect(found.map(({ table }) => table["sums"])).toEqual([[11, 0, 0], [16, 0, 0], [5, 0, 0]]);
  expect(found.at(-1)).toMatchObject({ round: 1, to_act: null, scores: [3, 0], table: { taken: [3, 0], cauldrons: [["R5"], [], []] } });
});

test("another's hand is not the viewer's", () => {
  const after = view({ cauldrons: [["R7", "R4"], ["X"], []], sums: [11, 4, 0], taken: [1, 0], hands: [2, 0] });
  expect(steps(seen("X@2", after, 1))[0]?.hand).toEqual(["R5", "X"]);
});
