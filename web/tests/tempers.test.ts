/** The same face takes things in the same way, and faces of different tempers differ. */
import { expect, test } from "vitest";
import { CHARACTERS } from "../src/characters/characters";
import { GESTURES, gestureOf, moodOf, type Mood } from "../src/characters/tempers";

const MOODS: Mood[] = ["glad", "sorry", "amused"];
const ways = (character: (typeof CHARACTERS)[number]) =>
  JSON.stringify(MOODS.map((mood) => [...new Set(Array.from({ length: 40 }, (_, n) => gestureOf(character, mood, n)))].sort()));

test("a temper is known by its gestures", () => {
  const byTemper = new Map<string, Set<string>>();
  for (const one of CHARACTERS) byTemper.set(one.temper, (byTemper.get(one.temper) ?? new Set()).add(ways(one)));
  for (const found of byTemper.values()) expect(found.size).toBe(1);
  expect(new Set([...byTemper.values()].map((found) => [...found][0])).size).toBe(byTemper.size);
});

test("the same happens to the same face in the same way, and everything can happen", () => {
  const all = CHARACTERS.flatMap((one) => MOODS.flatMap((mood) => [0, 1, 2, 3].map((n) => gestureOf(one, mood, n))));
  const again = CHARACTERS.flatMap((one) => MOODS.flatMap((mood) => [0, 1, 2, 3].map((n) => gestureOf(one, mood, n))));
  expect(all).toEqual(again);
  expect(new Set(all.filter((one) => one !== null))).toEqual(new Set(GESTURES));
});

test("what is bad for one is not bad for the others", () => {
  expect(moodOf("bad", true)).toBe("sorry");
  expect(moodOf("bad", false)).toBe("amused");
  expect(moodOf("good", true)).toBe("glad");
  expect(moodOf("good", false)).toBe("sorry");
});
