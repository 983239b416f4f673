/** The numbers of a review: what they say, and no more than they can. */
import { expect, test } from "vitest";
import {
  addingUp, asGood, curveChange, decimals, eventAt, largestDeal, largestMistakes, largestOther, rangeOf, signOf, steps, verdict,
} from "../src/review/arithmetic";
import type { CurvePoint, Decision, Review, SeatAccount } from "../src/wire";

const errors = (all: number) => ({ fair: all, cards: all, hidden: all, skill: all, others: all });
const parts = { fair: 0.25, skill: 0.11, hidden: 0.07, cards: -0.29, others: -0.14, result: 0 };
const account = (changed: Partial<SeatAccount> = {}): SeatAccount => ({
  ...parts, errors: errors(0.01), from_others: [], seat: 0, points: { ...parts, errors: errors(0.1), from_others: [] }, ...changed,
});
const point = (n: number, kind: CurvePoint["kind"], value: number, round = 1): CurvePoint =>
  ({ n, kind, round, seat: kind === "move" ? 0 : null, move: null, values: [value], errors: [0.01] });

test("a number is no finer than its error", () => {
  expect([2.3, 0.4, 0.04, 0, Infinity].map(decimals)).toEqual([0, 1, 2, 0, 0]);
});

test("a sign needs two standard errors, and two per cent of the win", () => {
  expect(signOf(0.05, 0.02)).toBe(1);
  expect(signOf(-0.05, 0.02)).toBe(-1);
  expect(signOf(0.05, 0.026)).toBe(0);
  expect(signOf(0.015, 0.001)).toBe(0);
});

test("the headline: lost, and played well, with bad luck", () => {
  expect(verdict(account(), [1], false)).toEqual({ result: "lost", play: "well", luck: "bad" });
  expect(verdict(account({ errors: errors(0.15) }), [1], false)).toEqual({ result: "lost", play: "evenly", luck: "even" });
  // Kind deals are luck, although it is not sure how much what was hidden took away.
  const kind = account({ cards: 0.12, hidden: -0.02, errors: { ...errors(0.03), cards: 0.03, hidden: 0.03 } });
  expect(verdict(kind, [1], false).luck).toBe("good");
  expect(verdict({ ...kind, hidden: -0.12 }, [1], false).luck).toBe("even");
  expect(verdict(account({ skill: -0.11 }), [0], false)).toMatchObject({ result: "won", play: "badly" });
});

test("a win is shared only where others play against the winner", () => {
  expect(verdict(account(), [0, 2], false).result).toBe("shared");
  expect(verdict(account(), [0, 1, 2], true).result).toBe("won");
  expect(verdict(account(), [], true).result).toBe("lost");
});

test("rounded parts add up to the rounded result", () => {
  expect(addingUp([25.45, 11.4, 7.4, -29.35, -14.9], 0)).toEqual([26, 11, 7, -29, -15]);
  expect(addingUp([33.4, 33.3, 33.3], 100)).toEqual([34, 33, 33]);
  for (let seed = 1; seed < 200; seed++) {
    const numbers = Array.from({ length: 5 }, (_, i) => 60 * Math.sin(seed * 7.3 + i * 2.1));
    const sum = numbers.reduce((all, one) => all + one, 0);
    const rounded = addingUp(numbers, sum);
    expect(rounded.reduce((all, one) => all + one, 0)).toBeCloseTo(Math.round(sum), 9);
    rounded.forEach((one, i) => expect(Math.abs(one - (numbers[i] ?? 0))).toBeLessThanOrEqual(1));
  }
});

test("each bar begins where the one before ended, and the last is the result", () => {
  const all = steps(account());
  expect(all.map((step) => step.part)).toEqual(["fair", "skill", "hidden", "cards", "others", "result"]);
  expect(all.map((step) => step.percent)).toEqual([25, 11, 7, -29, -14, 0]);
  expect(all.map((step) => step.sign)).toEqual([0, 1, 1, -1, -1, 0]);
  all.slice(1, -1).forEach((step, i) => expect(step.from).toBe(all[i]?.to));
  expect(all.at(-2)?.to).toBeCloseTo(0);
  expect(rangeOf(all)).toEqual([expect.closeTo(0), 1]);
  expect(rangeOf(steps(account({ skill: 0.9, hidden: 0.9, cards: -1.91 })))[1]).toBeCloseTo(2.05);
});

test("losses come first where gains would lead beyond the whole win", () => {
  const all = steps(account({ fair: 0.33, skill: -0.26, hidden: 0.02, cards: 0.39, others: 0.52, result: 1 }));
  expect(all.map((step) => step.part)).toEqual(["fair", "skill", "hidden", "cards", "others", "result"]);
  expect(rangeOf(all)).toEqual([0, expect.closeTo(1)]);
  expect(steps(account({ skill: -0.25, hidden: -0.18, cards: 0.13, others: 0.05 })).map((step) => step.part))
    .toEqual(["fair", "cards", "others", "skill", "hidden", "result"]);
});

test("only the three largest mistakes of the seat are shown", () => {
  const mistake = (n: number, seat: number, loss: number) => ({ n, seat, round: 1, move: "a", best: "b", loss, error: 0.01, word: "mistake" as const });
  const review = { mistakes: [mistake(1, 0, 0.02), mistake(2, 1, 0.5), mistake(3, 0, 0.1), mistake(4, 0, 0.05), mistake(5, 0, 0.04)] } as Review;
  expect(largestMistakes(review, 0).map((one) => one.n)).toEqual([3, 4, 5]);
});

test("the deal and the player that did most, in the direction of the whole", () => {
  const curve = [point(0, "start", 0.25), point(0, "deal", 0.31), point(1, "move", 0.3), point(1, "deal", 0.05, 2), point(2, "move", 0)];
  expect(largestDeal(curve, 0, -1)).toEqual({ round: 2, change: -0.25 });
  expect(largestDeal(curve, 0, 1)?.round).toBe(1);
  expect(largestDeal(curve, 0, 0)).toBeNull();
  const other = (seat: number, total: number) => ({ seat, total, total_error: 0.01, decided: total, decided_error: 0.01 });
  const two = account({ from_others: [other(1, -0.1), other(2, 0.05), other(3, -0.012)] });
  expect(largestOther(two, -1)).toEqual({ seat: 1, change: -0.1 });
  expect(largestOther(two, 1)?.seat).toBe(2);
});

test("a moment is its move, not the deal after it", () => {
  const curve = [point(0, "start", 0), point(0, "deal", 0), point(1, "move", 0), point(1, "deal", 0), point(2, "move", 0)];
  expect([0, 1, 2, 99].map((n) => eventAt(curve, n))).toEqual([1, 2, 4, 4]);
});

test("a guess is as good as the best move within the error", () => {
  expect(asGood({ value: 0.31, error: 0.01 }, { value: 0.3, error: 0.01 })).toBe(true);
  expect(asGood({ value: 0.31, error: 0.001 }, { value: 0.27, error: 0.001 })).toBe(false);
});

test("a choice has one price: what it cost, not also what the curve did", () => {
  const at = (value: number) => ({ values: [value, 1 - value] }) as unknown as CurvePoint;
  const choice = { seat: 0 } as unknown as Decision;
  expect(curveChange(at(0.14), at(0.18), choice, 0)).toBe(0);
  expect(curveChange(at(0.14), at(0.18), choice, 1)).toBeCloseTo(0.04);
  expect(curveChange(at(0.14), at(0.18), null, 0)).toBeCloseTo(-0.04);
  expect(curveChange(at(0.14), null, null, 0)).toBe(0);
  expect(curveChange(at(0.14), at(0.142), null, 0)).toBe(0);
});
