/** Moves, cards and changes in words: places are named by what lies there, never by coordinates. */
import { expect, test } from "vitest";
import type { Say, Value, View, ViewContext } from "$shell";
import type { Words } from "$shell/words.svelte";
import { readFace } from "./cards";
import { placeName } from "./placeNames";
import type { Laid } from "./reading";
import { move, object, outcome, outlookText } from "./words";

const files = import.meta.glob<Words>("./words/*.json", { import: "default", eager: true });

/** Sentences of one language; of several forms the last, which is that of many. */
function sayIn(language: string): Say {
  const words = files[`./words/${language}.json`] ?? {};
  return (key, facts = {}) => {
    const sentence = words[key];
    const form = typeof sentence === "string" ? sentence : (Object.values(sentence ?? {}).at(-1) ?? key);
    return form.replace(/\{(\w+)\}/g, (_, fact: string) => String(facts[fact] ?? ""));
  };
}
const english = sayIn("en");

const laid = (card: string, x: number, y: number, danger: number, more: Partial<Laid> = {}): Laid => ({
  card, x, y, danger, turned: false, tokens: readFace(card)?.tokens ?? 0, defeated: false, frozen: false, ...more,
});
const FORT = [laid("1112", 0, 0, 5), laid("2121t2", -1, 1, 6), laid("0122", 1, 1, 5), laid("4444t3K", 2, 0, 16)];

function view(fort: Laid[], more: Record<string, Value> = {}): View {
  const table = { fort: fort as unknown as Value, pile: 3, supply: 12, talk: true, hands: [4, 4], spells: [], level: 0, outcome: null, why: null, ...more };
  return { table } as unknown as View;
}
const context = (fort: Laid[]): ViewContext => ({ view: view(fort), names: ["Ana", "Bo"] });

test("a free place is the corner that a card laid there would cover", () => {
  expect(placeName({ x: -1, y: -1 }, FORT, english)).toBe("the top left corner of the gate");
  expect(placeName({ x: -2, y: 2 }, FORT, english)).toBe("the bottom left corner of the 2 1 2 1 creature");
  expect(placeName({ x: 3, y: 1 }, FORT, english)).toBe("the bottom right corner of the Black Knight");
  expect(placeName({ x: 2, y: 2 }, FORT, english)).toBe("the bottom right corner of the 0 1 2 2 corridor");
});

test("a place beside several cards is named after the most striking one", () => {
  expect(placeName({ x: 1, y: -1 }, FORT, english)).toBe("the top left corner of the Black Knight");
  expect(placeName({ x: 0, y: 2 }, FORT, english)).toBe("the bottom right corner of the 2 1 2 1 creature");
});

test("a taken place is the card that lies there", () => {
  expect(placeName({ x: 0, y: 0 }, FORT, english)).toBe("the gate");
  expect(placeName({ x: -1, y: 1 }, FORT, english)).toBe("the 2 1 2 1 creature");
  expect(placeName({ x: 9, y: 9 }, FORT, english)).toBe("a place in the fort");
});

test("a creature that stands at the gate is called a creature", () => {
  expect(placeName({ x: 0, y: 0 }, [laid("2222t3", 0, 0, 8)], english)).toBe("the 2 2 2 2 creature");
  const defeated = laid("2222t3", 0, 0, 5, { defeated: true, tokens: 0 });
  expect(placeName({ x: 0, y: 0 }, [defeated], english)).toBe("the gate");
});

test("cards that look alike are numbered in the order laid", () => {
  const fort = [...FORT, laid("0122", 2, 2, 5)];
  expect(placeName({ x: 1, y: 1 }, fort, english)).toBe("the 0 1 2 2 corridor, number 1");
  expect(placeName({ x: 3, y: 3 }, fort, english)).toBe("the bottom right corner of the 0 1 2 2 corridor, number 2");
});

test("moves", () => {
  expect(move("0131c2@0,0", english, context(FORT))).toBe("corridor with corners 0 1 3 1 (2 chests) on the gate");
  expect(move("0113r@-1,-1", english, context(FORT))).toBe("corridor with corners 0 1 1 3, turned, on the top left corner of the gate");
  expect(move("poison@-1,1:tr", english, context(FORT))).toBe("poison on the 2 1 2 1 creature, top right corner");
  expect(move("fireball@-1,1", english)).toBe("fireball on a place in the fort");
});

test("cards of the fort", () => {
  const value = FORT[2] as unknown as Record<string, Value>;
  expect(object(value, english, context(FORT))).toBe("the bottom left corner of the Black Knight: corridor with corners 0 1 2 2, danger 5");
  expect(object(value, english)).toBe("corridor with corners 0 1 2 2, danger 5");
  expect(object(FORT[0] as unknown as Record<string, Value>, english)).toBe("the gate: corridor with corners 1 1 1 2, danger 5");
});

const AFTER = [laid("1112", 0, 0, 3), laid("2121t2", -1, 1, 4, { defeated: true, tokens: 0 }), ...FORT.slice(2), laid("0113", -2, 0, 5)];

test("what a move did", () => {
  const said = outcome({ move: "0113r@-2,0", before: view(FORT), after: view(AFTER), names: [] }, english);
  expect(said).toBe(
    "corridor with corners 0 1 1 3, turned, on the top left corner of the 2 1 2 1 creature; the gate: danger 5 → 3; " +
      "the 2 1 2 1 creature: danger 6 → 4; the 2 1 2 1 creature falls",
  );
  const changes = [{ x: 0, y: 0, card: "1112", creature: false, before: 5, after: 7, falls: false, gone: false }];
  expect(outlookText({ changes, outcome: "lost", why: "KKD-15" }, english)).toBe("the gate: danger 5 → 7; alarm in a corridor: lost");
});

test.each(["en", "pt", "fr", "ja"])("no coordinates in %s", (language) => {
  const say = sayIn(language);
  const said = [
    move("0113@1,3", say, context(FORT)),
    move("ice@2,0", say),
    outcome({ move: "0113r@-2,0", before: view(FORT), after: view(AFTER), names: [] }, say),
    outcome({ move: "0113r@-2,0", before: null, after: null, names: [] }, say),
    ...FORT.map((one) => object(one as unknown as Record<string, Value>, say, context(FORT))),
  ];
  for (const text of said) expect(text).not.toMatch(/-?\d+,-?\d/);
});
