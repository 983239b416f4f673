/** The bots as characters, and the signs of people. */
import { expect, test } from "vitest";
import { CHARACTERS, castOf, nameOf } from "../src/characters/characters";
import { faceOf } from "../src/characters/faces";
import type { Shape } from "../src/characters/shapes";
import { COLOURS, SIGNS, shieldOf, signOf } from "../src/characters/signs";
import { LEVELS, type Level } from "../src/wire";

const tables = Array.from({ length: 300 }, (_, i) => `table-${i}`);
const bots = (...levels: (Level | null)[]) => levels.map((bot) => ({ bot }));
const ids = (table: string, seats: Parameters<typeof castOf>[1]) => castOf(table, seats).map((one) => one?.id ?? null);

test("each level has six characters, one of each temper", () => {
  for (const level of LEVELS) {
    const cast = CHARACTERS.filter((one) => one.level === level);
    expect(cast).toHaveLength(6);
    expect(new Set(cast.map(({ temper }) => temper)).size).toBe(6);
  }
});

test("names, ids and colours are unique; Japanese has its own names", () => {
  for (const key of ["id", "name", "katakana", "colour"] as const) {
    expect(new Set(CHARACTERS.map((one) => one[key])).size, key).toBe(CHARACTERS.length);
  }
  for (const one of CHARACTERS) {
    expect(nameOf(one, "fr")).toMatch(/^[A-Z][a-z]+$/);
    expect(nameOf(one, "ja")).toMatch(/^[ァ-ヴー]+$/);
  }
});

test("a cast is the same for everybody who looks: these are written down", () => {
  expect(ids("amber-fox", bots("easy", "medium", "hard", "expert"))).toEqual(["tobi", "hedda", "hana", "nyx"]);
  for (const table of tables) {
    expect(ids(table, bots("hard", "easy"))).toEqual(ids(table, bots("hard", "easy")));
  }
});

test("people have no character; a stand-in has one of its level", () => {
  const cast = castOf("amber-fox", [{ bot: null }, { bot: null, stand_in: "hard" }, { bot: "easy", stand_in: null }]);
  expect(cast[0]).toBeNull();
  expect(cast.map((one) => one?.level)).toEqual([undefined, "hard", "easy"]);
});

test.each(LEVELS)("six bots of level %s at a table are six characters", (level) => {
  for (const table of tables) expect(new Set(ids(table, bots(...Array(6).fill(level)))).size).toBe(6);
});

test("a level with more seats than characters repeats as few as it must", () => {
  for (const table of tables) {
    const cast = ids(table, bots(...Array(8).fill("easy")));
    expect(new Set(cast).size).toBe(6);
    expect(ids(table, bots("easy", null, null, null, null, null, "easy"))[6]).not.toBe(cast[0]);
  }
});

test("a bot that joins changes nobody else", () => {
  for (const table of tables) {
    const before = ids(table, bots(null, "hard", null, "hard"));
    const after = ids(table, bots("hard", "hard", "hard", "hard"));
    expect([after[1], after[3]]).toEqual([before[1], before[3]]);
  }
});

test("every character plays somewhere", () => {
  const seen = new Set(tables.flatMap((table) => ids(table, bots(...LEVELS))));
  expect(seen.size).toBe(CHARACTERS.length);
});

const shapesOf = await Promise.all(
  CHARACTERS.map(async (one): Promise<[string, Shape[]]> => [one.id, await faceOf(one)]),
);
const drawn = [...shapesOf, ...tables.map((name): [string, Shape[]] => [name, shieldOf(name)])];

test("every face differs from every other", () => {
  expect(new Set(shapesOf.map(([, shapes]) => JSON.stringify(shapes))).size).toBe(CHARACTERS.length);
});

const ARITY: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

/** The commands of a path that have too many numbers, or too few. */
function faulty(path: string): string[] {
  return path.split(/(?=[a-z])/i).filter((command) => {
    const arity = ARITY[command.charAt(0).toLowerCase()];
    const numbers = command.slice(1).match(/-?(\d+\.?\d*|\.\d+)/g)?.length ?? 0;
    return arity ? numbers === 0 || numbers % arity > 0 : arity !== 0 || numbers > 0;
  });
}

test("every shape has a paint and a path that SVG can read", () => {
  for (const [id, shapes] of drawn) {
    expect(shapes.length, id).toBeGreaterThan(4);
    for (const { paint, path } of shapes) {
      expect(paint, id).toMatch(/^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/);
      expect(path, id).toMatch(/^M/);
      expect(faulty(path), id).toEqual([]);
    }
  }
});

test("people share twelve signs in eight colours", () => {
  const people = Array.from({ length: 4000 }, (_, i) => signOf(`person ${i}`));
  expect(new Set(people.map(({ sign, colour }) => sign + colour)).size).toBe(12 * 8);
  expect(Object.keys(SIGNS)).toHaveLength(12);
  expect(COLOURS).toHaveLength(8);
});
