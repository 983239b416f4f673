/** The player's own decks: counting, sorting, merging, marking. */
import { expect, test } from "vitest";
import { byHeading, mergeCounts, setMark, total } from "../src/decks";

test("cards are sorted under their heading, numbers as numbers", () => {
  const cards = ["1013", "R10", "R2", "0122c1", "0122", "R3"];
  const found = byHeading(cards, (card) => (card.startsWith("R") ? "red" : "other"));
  expect([...found]).toEqual([
    ["other", ["0122", "0122c1", "1013"]],
    ["red", ["R2", "R3", "R10"]],
  ]);
});

test("what is no number does not count", () => {
  expect(total({ R1: 3, R2: "", X: 8 })).toBe(11);
});

test("a mark is put on a card once, and taken off", () => {
  const marks = setMark({ bee: ["D7"], potion: ["C5"] }, "bee", "C5", true);
  expect(setMark(marks, "bee", "C5", true)).toEqual({ bee: ["D7", "C5"], potion: ["C5"] });
  expect(setMark(marks, "bee", "D7", false)).toEqual({ bee: ["C5"], potion: ["C5"] });
});

test("stored counts replace the usual ones; unusual cards with a count of 0 are dropped", () => {
  expect(mergeCounts({ R1: 3, X: 8 }, { R1: 0, R3: 1, Q9: 0, R5: "" })).toEqual({ R1: 0, X: 8, R3: 1, R5: "" });
});
