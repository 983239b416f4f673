import { expect, test, vi } from "vitest";
import type { GameInfo } from "../src/wire";

const kept = new Map([["theriac.level", "hard"]]);
vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
vi.mock("../src/api", () => ({ open: () => Promise.resolve({ table: "abc" }) }));
vi.mock("../src/player.svelte", () => ({ identify: () => Promise.resolve({ key: "key" }) }));
const { keepLevel, lastLevel, openBotTable } = await import("../src/botTable");

test("only a level that the player chose is remembered", async () => {
  expect(await openBotTable({ name: "game", usual_players: 3 } as GameInfo, "easy")).toBe("/table/abc?sit=0");
  expect(lastLevel()).toBe("hard");
  keepLevel("easy");
  expect(lastLevel()).toBe("easy");
});
