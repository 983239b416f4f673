/** Decks of one's own, as the page keeps and orders them. */
import { expect, test } from "vitest";
import { marked, shelved, total, upon } from "../src/decks";

test("cards of a shelf stand together and in order, numbers as numbers", () => {
  const cards = ["1013", "R10", "R2", "0122c1", "0122", "R3"];
  const found = shelved(cards, (card) => (card.startsWith("R") ? "red" : "other"));
  expect([...found]).toEqual([
    ["other", ["0122", "0122c1", "1013"]],
    ["red", ["R2", "R3", "R10"]],
  ]);
});

test("what was typed and is no number does not count", () => {
  expect(total({ R1: 3, R2: "", X: 8 })).toBe(11);
});

test("a mark is put on a card once, and taken off", () => {
  const marks = marked({ bee: ["D7"], potion: ["C5"] }, "bee", "C5", true);
  expect(marked(marks, "bee", "C5", true)).toEqual({ bee: ["D7", "C5"], potion: ["C5"] });
  expect(marked(marks, "bee", "D7", false)).toEqual({ bee: ["C5"], potion: ["C5"] });
});

test("of what was kept, other cards that there are none of are forgotten", () => {
  expect(upon({ R1: 3, X: 8 }, { R1: 0, R3: 1, Q9: 0, R5: "" })).toEqual({ R1: 0, X: 8, R3: 1, R5: "" });
});
