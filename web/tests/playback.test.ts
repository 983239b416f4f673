/** What others do is shown at the player's pace, one's own move at once. */
import { beforeEach, expect, test, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
vi.stubGlobal("localStorage", { getItem: () => "normal", setItem: () => {} });
vi.stubGlobal("document", { hidden: false });

const { Playback } = await import("../src/table/playback.svelte");
type View = import("../src/wire").View;

const view = (n: number, more: Partial<View> = {}): View =>
  ({ game: "g", over: false, to_act: n, round: 1, scores: [], winners: [], legal: [], table: { n }, ...more }) as View;
const motion = { capture: () => {}, play: () => {} } as never;

beforeEach(() => void vi.useFakeTimers());

function begin() {
  const playback = new Playback(motion, () => ({ board: null, say: (key) => key, names: [], seat: 0 }));
  playback.reset({ view: view(0), at: 0, last: null, moved: false });
  return playback;
}
const moved = (seat: number, n: number, more: Partial<View> = {}) => ({
  view: view(n, more), at: 0, last: { seat, move: "m", before: view(n - 1) }, moved: true,
});
const shown = (playback: ReturnType<typeof begin>) => playback.shown?.view.table["n"];

test("moves that come quickly one after the other are shown with pauses", async () => {
  const playback = begin();
  playback.push(moved(0, 1));
  await vi.advanceTimersByTimeAsync(0);
  expect(shown(playback)).toBe(1); // one's own, at once
  await vi.advanceTimersByTimeAsync(150);
  playback.push(moved(1, 2));
  await vi.advanceTimersByTimeAsync(100);
  expect(shown(playback)).toBe(1);
  expect(playback.isLive).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(shown(playback)).toBe(2);
  expect(playback.isLive).toBe(true);
});

test("a tap hurries on", async () => {
  const playback = begin();
  playback.push(moved(0, 1));
  playback.push(moved(1, 2));
  await vi.advanceTimersByTimeAsync(10);
  expect(shown(playback)).toBe(1);
  playback.hurry();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown(playback)).toBe(2);
});

test("the end of a round is a stop", async () => {
  const playback = begin();
  playback.push(moved(0, 1, { round: 2, sheet: { round: 1 } }));
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown(playback)).toBe(0);
  expect(playback.roundEnd?.after.round).toBe(2);
  playback.continue();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown(playback)).toBe(1);
  expect(playback.isLive).toBe(true);
});

test("a reset forgets what waits", async () => {
  const playback = begin();
  playback.push(moved(0, 1));
  playback.push(moved(1, 2));
  await vi.advanceTimersByTimeAsync(10);
  playback.reset({ view: view(7), at: 0, last: null, moved: false });
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown(playback)).toBe(7);
  expect(playback.isLive).toBe(true);
});

const potion = { Card: {}, parts: (move: string) => ({ card: move.split("@")[0], at: null, place: "cauldron 1" }) } as never;

test("the last card of a round lands on the old table before the sheet opens", async () => {
  const playback = new Playback(motion, () => ({ board: potion, say: (key) => key, names: [], seat: 0 }));
  playback.reset({ view: view(0), at: 0, last: null, moved: false });
  const before = view(0, { hand: ["R1", "R1"] });
  playback.push({ view: view(1, { round: 2, sheet: { round: 1 } }), at: 0, last: { seat: 0, move: "R1@1", before }, moved: true });
  await vi.advanceTimersByTimeAsync(100);
  expect(playback.landing).toMatchObject({ card: "R1", seat: 0, place: "cauldron 1" });
  expect(playback.shown?.view.hand).toEqual(["R1"]); // it has left the hand
  expect(playback.roundEnd).toBeNull();
  await vi.advanceTimersByTimeAsync(2000);
  expect(playback.roundEnd).not.toBeNull();
  expect(playback.landing).not.toBeNull(); // it lies there
  playback.continue();
  await vi.advanceTimersByTimeAsync(0);
  expect(playback.landing).toBeNull();
  expect(shown(playback)).toBe(1);
});

test("where the board names no place, the sheet opens at once", async () => {
  const board = { Card: {}, parts: () => ({ card: "R1", at: null }) } as never;
  const playback = new Playback(motion, () => ({ board, say: (key) => key, names: [], seat: 0 }));
  playback.reset({ view: view(0), at: 0, last: null, moved: false });
  playback.push(moved(0, 1, { round: 2, sheet: { round: 1 } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(playback.landing).toBeNull();
  expect(playback.roundEnd).not.toBeNull();
});

test("a player without cards waits less for the others", async () => {
  const playback = begin();
  const last = (n: number, hand: string[]) => ({
    view: view(n), at: 0, last: { seat: 1, move: "m", before: view(n - 1, { hand }) }, moved: true,
  });
  playback.push(last(1, []));
  await vi.advanceTimersByTimeAsync(1000);
  playback.push(last(2, []));
  playback.push(last(3, []));
  await vi.advanceTimersByTimeAsync(500);
  expect(shown(playback)).toBe(3);
  playback.push(last(4, ["R1"]));
  await vi.advanceTimersByTimeAsync(500);
  expect(shown(playback)).toBe(3);
  await vi.advanceTimersByTimeAsync(500);
  expect(shown(playback)).toBe(4);
});

test("a sheet stays open when the connection was lost and is back", async () => {
  const playback = begin();
  playback.push(moved(0, 1, { round: 2, sheet: { round: 1 } }));
  await vi.advanceTimersByTimeAsync(0);
  playback.reset({ view: view(5, { round: 2 }), at: 0, last: null, moved: false });
  await vi.advanceTimersByTimeAsync(100);
  expect(playback.roundEnd).not.toBeNull();
  expect(playback.isLive).toBe(false);
  playback.continue();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown(playback)).toBe(5);
  expect(playback.isLive).toBe(true);
});
