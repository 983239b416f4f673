/** What the board reads in a view: the numbers of the rules come from the server. */
import { expect, test } from "vitest";
import type { View } from "$shell";
import { cauldrons, costOf, numbersOf, outlookOf, seatFacts, soFar, spiltBy } from "./reading";
import { outlook } from "./words";

const view = (table: View["table"], recalled: NonNullable<View["recalled"]> = {}): View =>
  ({ game: "poison", over: false, to_act: 0, round: 1, scores: [0, 0, 0], winners: [], legal: [], table, recalled });
const RULES = { limit: 17, poison: 6, points: { R: 1, B: 2, P: 3, X: 5 } };
const BEFORE = view({ cauldrons: [["X", "R7"], ["B5"], []], sums: [13, 5, 0], taken: [2, 0, 0], hands: [3, 3, 3], dealer: 2 }, RULES);

test("how much a cauldron holds, what poison adds and what cards cost are the server's numbers", () => {
  expect(numbersOf(BEFORE)).toEqual(RULES);
  expect(costOf(["X", "R7", "B1"], numbersOf(BEFORE))).toBe(8);
});

test("without these numbers nothing is made up", () => {
  const plain = view(BEFORE.table);
  expect(numbersOf(plain)).toEqual({ limit: 13, poison: null, points: {} }); // as full as the fullest
  expect(numbersOf(view({ sums: [3, 5, 0] }))).toMatchObject({ limit: 5 });
  expect(numbersOf(null)).toEqual({ limit: 1, poison: null, points: {} });
  expect(costOf(["X"], numbersOf(plain))).toBe(0);
  expect(soFar(plain, 0)).toBeNull();
});

test("a cauldron has the colour of its potions, or of poison alone", () => {
  expect(cauldrons(BEFORE.table).map(({ colour }) => colour)).toEqual(["R", "B", null]);
  expect(cauldrons({ cauldrons: [["X"]], sums: [4] })[0]?.colour).toBe("X");
});

test("what boiled over is known by who took cards", () => {
  const after = view({ ...BEFORE.table, cauldrons: [["R5"], ["B5"], []], sums: [5, 5, 0], taken: [2, 2, 0] });
  const last = { seat: 1, move: "R5@1", before: BEFORE };
  expect(seatFacts(after, 1)).toMatchObject({ taken: 2 });
  expect(spiltBy(last, after)).toEqual({ number: 1, colour: "R" });
  expect(spiltBy({ ...last, seat: 0 }, after)).toBeNull();
  expect(spiltBy({ ...last, before: null }, after)).toBeNull();
  expect(outlookOf({ sums: [5, 5, 0], taken: [2, 2, 0] }, BEFORE, 1, 1)).toEqual({ sum: 5, takes: 2 });
});

test("with open piles the view says what they would cost", () => {
  const open = view({}, { ...RULES, so_far: [{ points: 4, aside: ["red"] }, { points: 0, aside: [] }] });
  expect(soFar(open, 0)).toEqual({ points: 4, aside: ["red"] });
  expect(soFar(open, 1)).toEqual({ points: 0, aside: [] });
});

test("what is sure after a move is said with its price", () => {
  const said = (move: string, preview: View["table"]) =>
    outlook({ move, preview, view: BEFORE, seat: 1, names: [] }, (key, facts) => `${key} ${JSON.stringify(facts)}`);
  expect(said("R5@1", { sums: [5, 5, 0], taken: [2, 2, 0] })).toBe('cauldron.would_take {"sum":5,"n":2,"points":6}');
  expect(said("B2@2", { sums: [13, 7, 0], taken: [2, 0, 0] })).toMatch(/^cauldron.would \{"sum":7/);
  expect(said("B2@2", {})).toBe("");
});
