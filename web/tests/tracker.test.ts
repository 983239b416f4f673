import { expect, test } from "vitest";
import { Tracker } from "../src/cards/tracker";

const ids = (cards: { id: number }[] | undefined) => cards?.map(({ id }) => id);

test("a card keeps its id when it stays and when it moves", () => {
  const tracker = new Tracker();
  const before = tracker.follow({ hand: ["R1", "R5", "X"], pot: ["B2"] });
  const after = tracker.follow({ hand: ["R1", "X"], pot: ["B2", "R5"] });
  expect(ids(after["hand"])).toEqual([before["hand"]?.[0]?.id, before["hand"]?.[2]?.id]);
  expect(ids(after["pot"])).toEqual([before["pot"]?.[0]?.id, before["hand"]?.[1]?.id]);
});

test("equal cards have different ids", () => {
  const tracker = new Tracker();
  const { hand } = tracker.follow({ hand: ["R1", "R1", "R1"] });
  expect(new Set(ids(hand)).size).toBe(3);
});

test("a hidden card becomes the one that appears", () => {
  const tracker = new Tracker();
  const before = tracker.follow({ other: ["~", "~"], pot: [] });
  const after = tracker.follow({ other: ["~"], pot: ["P7"] });
  expect(before["other"]?.map(({ id }) => id)).toContain(after["pot"]?.[0]?.id);
  expect(after["pot"]?.[0]?.card).toBe("P7");
});

test("the same places again change nothing", () => {
  const tracker = new Tracker();
  const places = { hand: ["R1", "X"], pot: ["B2"] };
  const before = structuredClone(tracker.follow(places));
  expect(tracker.follow(places)).toEqual(before);
});
