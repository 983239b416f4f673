/** A card lies in the trick before the door opens; a round is left as its last card left it. */
import { expect, test } from "vitest";
import type { Value, View } from "$shell";
import { effectOf } from "./moveEffect";
import { steps } from "./steps";

const laid = (seat: number, card: string) => ({ seat, card, jewels: 0 });
const view = (table: Record<string, Value>, more: Partial<View> = {}): View => ({
  game: "anaphylaxis", over: false, to_act: 2, round: 1, scores: [0, null, null], winners: [], legal: [], hand: ["H1"],
  table: {
    trump: "D2", leader: 0, trick: [laid(0, "S9"), laid(1, "S1")], in_round: [true, true, true], on_bag: [2, 1, 0],
    front: [[], [], []], covered: [[], [], []], middle: ["bee"], hands: [7, 7, 8], chest_left: 9, ...table,
  },
  recalled: { asked: "card", winner: null, revealed: { bee: 1 } },
  ...more,
});
const BEFORE = view({});
const played = (move: string, after: View, before = BEFORE) => ({ move, before, after, seat: before.to_act, viewer: 0, names: [] });

test("the last card of a trick lies there before anything follows from it", () => {
  const [step, ...more] = steps(played("S5", view({ trick: [], on_bag: [4, 1, 0], hands: [7, 7, 7] })));
  expect(more).toEqual([]);
  expect(step?.table).toMatchObject({ trick: [{ seat: 0 }, { seat: 1 }, laid(2, "S5")], on_bag: [2, 1, 0], hands: [7, 7, 7] });
});

test("a card that completes no trick needs no table on the way", () => {
  const before = view({ trick: [laid(0, "S9")] }, { to_act: 1 });
  expect(steps(played("S1", BEFORE, before))).toEqual([]);
});

test("the second poison of a kind is seen behind the door, and who is shocked is out", () => {
  const seats = [0, 1, 2].map((i) => ({ how: i ? "shock" : "withdrew", fate: "shock", bagged: 0 }));
  const after = view({ trick: [], middle: [] }, { round: 2, scores: [2, null, null], sheet: { round: 1, winner: 0, revealed: "bee", seats } });
  const [laidDown, left] = steps(played("S5", after));
  expect(laidDown?.table["trick"]).toHaveLength(3);
  expect(left).toMatchObject({
    round: 1, to_act: null, scores: [2, null, null],
    table: { trick: [], middle: ["bee", "bee"], in_round: [false, false, false], on_bag: [2, 0, 0], chest_left: 8 },
  });
  expect(effectOf("S5", BEFORE, left as View)).toMatchObject({ revealed: "bee", winner: 0, shocked: [0, 1, 2] });
});
