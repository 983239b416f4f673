/** What never rests must cost next to nothing: the browser moves and fades without drawing again, and redraws all else in each frame. */
import { expect, test } from "vitest";

const CHEAP = new Set(["opacity", "transform", "translate", "scale", "rotate"]);
/** Redrawn all the same: a few times a second only (the sand), or while a lesson points at something. */
const EXEMPT = new Set(["run", "lit"]);

const files: Record<string, string> = import.meta.glob(
  ["../../src/theriac/games/*/board/*.svelte", "../src/**/*.svelte", "../src/app.css"], { query: "?raw", import: "default", eager: true },
);

/** The properties that each animation of a style changes. */
function keyframes(css: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, name = "", body = ""] of css.matchAll(/@keyframes ([\w-]+) \{((?:[^{}]*\{[^{}]*\})*)\s*\}/g)) {
    found.set(name, [...body.matchAll(/([\w-]+)\s*:[^;{}]+[;}]/g)].map(([, property = ""]) => property));
  }
  return found;
}

test("there are styles to look at", () => {
  expect(Object.keys(files).length).toBeGreaterThan(80);
});

test.each(Object.entries(files))("%s: what is animated without end only moves and fades", (_, css) => {
  const all = keyframes(css);
  const endless = [...css.matchAll(/animation: ([\w-]+) [^;]*infinite/g)].map(([, name = ""]) => name);
  for (const name of endless) {
    expect(all.has(name), name).toBe(true);
    if (!EXEMPT.has(name)) expect((all.get(name) ?? []).filter((property) => !CHEAP.has(property)), name).toEqual([]);
  }
});
