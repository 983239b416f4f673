/** What others do is shown at the player's pace, one's own move at once. */
import { beforeEach, expect, test, vi } from "vitest";

vi.stubGlobal("matchMedia", () => ({ matches: false }));
vi.stubGlobal("localStorage", { getItem: () => "normal", setItem: () => {} });
vi.stubGlobal("document", { hidden: false });

const { Playback } = await import("../src/table/playback.svelte");
const { pace } = await import("../src/table/pace.svelte");
type View = import("../src/wire").View;

const view = (n: number, more: Partial<View> = {}): View =>
  ({ game: "g", over: false, to_act: n, round: 1, scores: [], winners: [], legal: [], table: { n }, ...more }) as View;
vi.stubGlobal("requestAnimationFrame", (next: () => void) => setTimeout(next, 16));
/** How long a card flies here: a busy machine takes its time. */
let flight = 0;
const motion = {
  capture: () => {},
  play: () => new Promise<void>((resolve) => setTimeout(resolve, flight)),
  finish: () => {},
} as never;

beforeEach(() => {
  vi.useFakeTimers();
  flight = 0;
  pace.chosen = "normal";
});

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

/** A board whose moves pass through two tables, and make a moment. */
const stepwise = {
  parts: () => ({ card: null, at: null }),
  steps: ({ before }: { before: View }) => [10, 20].map((n) => ({ ...before, table: { n } })),
  moment: () => ({ text: "!", tone: "bad" }),
} as never;
const playing = (board: never) => {
  const playback = new Playback(motion, () => ({ board, say: (key) => key, names: [], seat: 0 }));
  playback.reset({ view: view(0), at: 0, last: null, moved: false });
  return playback;
};
/** What is seen from now on, until nothing changes any more. */
async function watch(playback: ReturnType<typeof begin>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let i = 0; i < 5000; i++) {
    const now = playback.roundEnd ? "sheet" : playback.moment ? "moment" : shown(playback);
    if (seen.at(-1) !== now) seen.push(now);
    await vi.advanceTimersByTimeAsync(10);
  }
  return seen;
}

test.each(["calm", "normal", "quick"] as const)("at the pace %s a round ends in order, however slow the machine is", async (chosen) => {
  pace.chosen = chosen;
  for (flight of [0, 4000]) {
    const playback = playing(stepwise);
    playback.push(moved(1, 1, { round: 2, sheet: { round: 1 } }));
    expect(await watch(playback)).toEqual([0, 10, 20, "moment", "sheet"]);
    playback.continue();
    expect((await watch(playback)).at(-1)).toBe(1);
  }
});

test("at the pace instant the table lies as the round left it when the sheet opens", async () => {
  pace.chosen = "instant";
  const playback = playing(stepwise);
  playback.push(moved(1, 1, { round: 2, sheet: { round: 1 } }));
  expect((await watch(playback)).at(-1)).toBe("sheet");
  expect(shown(playback)).toBe(20);
});

test("what a card causes is shown when it has landed", async () => {
  flight = 3000;
  const playback = playing(stepwise);
  playback.push(moved(1, 1));
  playback.push(moved(2, 2));
  expect(await watch(playback)).toEqual([0, 10, 20, 1, "moment", 1, 10, 20, 2, "moment", 2]);
});

test("a board without steps opens the sheet at once", async () => {
  const playback = playing({ parts: () => ({ card: "R1", at: null }) } as never);
  playback.push(moved(0, 1, { round: 2, sheet: { round: 1 } }));
  await vi.advanceTimersByTimeAsync(0);
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
