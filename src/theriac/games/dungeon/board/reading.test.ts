/** What the board reads in a view and in texts. */
import { expect, test } from "vitest";
import { cornersOf, readFace, readMove } from "./cards";
import type { Say, View } from "$shell";
import { Tracker } from "$shell/cards/tracker";
import { dangerHeat, lairHeat } from "./heat";
import { ended, moment } from "./moments";
import {
  changesOf, outlook, places, placesBeforeDrawing, pointOf, readKnown, type Laid,
} from "./reading";
import { nearest, toCast, toLay, type Target } from "./targets";

const laid = (card: string, x: number, y: number, danger: number, more: Partial<Laid> = {}): Laid => ({
  card, x, y, danger, turned: false, tokens: readFace(card)?.tokens ?? 0, defeated: false, frozen: false, ...more,
});

test("cards", () => {
  expect(readFace("1121c2L1")).toEqual({ corners: [1, 1, 2, 1], tokens: 0, silent: false, chests: 2, level: 1, knight: false });
  expect(readFace("4444t3K")).toMatchObject({ tokens: 3, knight: true });
  expect(readFace("0000s")).toMatchObject({ silent: true });
  expect([readFace("~"), readFace("won"), readFace("012")]).toEqual([null, null, null]);
  expect(cornersOf("0123", true)).toEqual([3, 2, 1, 0]);
});

test("moves", () => {
  expect(readMove("0122r@-1,12")).toEqual({ kind: "lay", card: "0122", turned: true, x: -1, y: 12 });
  expect(readMove("2332t3@0,0")).toMatchObject({ card: "2332t3", turned: false });
  expect(readMove("poison@1,-1:tl")).toEqual({ kind: "cast", spell: "poison", x: 1, y: -1, corner: "tl" });
  expect(readMove("silence")).toEqual({ kind: "cast", spell: "silence" });
  expect(readMove("timeout")).toBeNull();
});

test("a shared corner is one point for both cards", () => {
  expect(pointOf({ x: 0, y: 0 }, 3)).toBe(pointOf({ x: 1, y: 1 }, 0));
  expect(pointOf({ x: 0, y: 0 }, 1)).toBe(pointOf({ x: 1, y: -1 }, 2));
});

test("what a move changed", () => {
  const before = [laid("0122", 0, 0, 5), laid("2121t2", 1, 1, 6), laid("3211t2", 2, 0, 7)];
  const after = [laid("0122", 0, 0, 7), laid("2121t2", 1, 1, 5, { tokens: 0, defeated: true }), laid("1112", -1, 1, 5)];
  expect(changesOf(before, after)).toEqual([
    { x: 0, y: 0, card: "0122", creature: false, before: 5, after: 7, falls: false, gone: false },
    { x: 1, y: 1, card: "2121t2", creature: true, before: 6, after: 5, falls: true, gone: false },
    { x: 2, y: 0, card: "3211t2", creature: true, before: 7, after: 0, falls: false, gone: true },
  ]);
  expect(outlook(before, { outcome: "lost" })).toBeNull();
  expect(outlook(before, { fort: [], outcome: "lost", why: "KKD-15" })).toMatchObject({ outcome: "lost", why: "KKD-15" });
});

test("what a view says beside the table", () => {
  const recalled = {
    alarm: 6, minutes: 5, knight_is_due: true, places: [{ x: 1, y: 1 }, { x: -1, y: -1 }],
    poisoned: { x: 1, y: 1, corner: "tl" }, alarmed: [{ x: 0, y: 0 }],
  };
  expect(readKnown({ ...viewOf({}), recalled })).toEqual({
    alarm: 6, minutes: 5, knightIsDue: true, places: [{ x: -1, y: -1 }, { x: 1, y: 1 }], poisoned: pointOf({ x: 0, y: 0 }, 3), alarmed: ["0,0"],
  });
  expect(readKnown(viewOf({}))).toMatchObject({ alarm: Infinity, knightIsDue: false, places: [], poisoned: null, alarmed: [] });
});

test("numbers heat up towards the alarm, wherever it is", () => {
  expect([0, 2, 4, 5, 6, 9].map((danger) => dangerHeat(danger, 6))).toEqual([0, 1, 2, 3, 4, 4]);
  expect([5, 6, 7].map((danger) => dangerHeat(danger, 8))).toEqual([1, 2, 3]);
  expect([6, 8, 16].map((danger) => lairHeat(danger, 6))).toEqual([3, 4, 5]);
  expect(dangerHeat(5, Infinity)).toBe(0);
});

test("arrow keys go to the nearest place in their direction", () => {
  const target = (x: number, y: number): Target => ({ key: `${x},${y}`, kind: "place", corner: 0, x, y, may: true, move: null });
  const targets = [target(0, 0), target(2, 0), target(1, 1), target(4, 0), target(0, -2)];
  const from = targets[0] as Target;
  expect(nearest(targets, from, "ArrowRight")?.key).toBe("2,0");
  expect(nearest(targets, from, "ArrowUp")?.key).toBe("0,-2");
  expect(nearest(targets, from, "ArrowDown")?.key).toBe("1,1");
  expect(nearest(targets, from, "ArrowLeft")).toBeNull();
  expect(nearest(targets, from, "a")).toBeNull();
});

const viewOf = (table: Record<string, unknown>, hand: string[] | null = null): View => ({ table, hand, scores: [0, 0] }) as unknown as View;

test("a card that another player lays comes from that player, not from the pile", () => {
  const tracker = new Tracker();
  const before = viewOf({ fort: [], pile: 3, hands: [1, 2] }, ["0122"]);
  const after = viewOf({ fort: [{ card: "1112", x: 0, y: 0 }], pile: 2, hands: [1, 2] }, ["0122"]);
  const held = tracker.follow(places(before, 0))["hand 1"]?.map(({ id }) => id);
  tracker.follow(placesBeforeDrawing(after, before, 1, 0));
  const now = tracker.follow(places(after, 0));
  expect(held).toContain(now["0,0"]?.[0]?.id);
  expect(now["hand 1"]).toHaveLength(2);
  expect(now["deck"]).toHaveLength(2);
});

test("what can be chosen for a card and for a spell", () => {
  const fort = [laid("0122", 0, 0, 5), laid("2332t3", 1, 1, 10)];
  const way = { kind: "lay" as const, card: "0113", turned: true, x: -1, y: 1 };
  const spots = toLay("0113", true, [way], fort, []);
  expect(spots.filter((one) => one.may).map((one) => one.move)).toEqual(["0113r@-1,1"]);
  expect(spots.filter((one) => !one.may).map((one) => one.move)).toEqual(["0113r@0,0", "0113r@1,1"]);
  const cast = { kind: "cast" as const, spell: "poison" as const, x: 1, y: 1, corner: "br" as const, text: "poison@1,1:br" };
  expect(toCast("poison", [cast], fort).map(({ key, may }) => [key, may])).toEqual([["0,0", false], ["1,1br", true]]);
});

test("how a game ended", () => {
  const say = (key: string, facts: Record<string, unknown> = {}) => `${key} ${JSON.stringify(facts)}`;
  const fort = [laid("0122", 0, 0, 7), laid("2121t2", 1, 1, 5, { defeated: true })];
  const lost = viewOf({ fort, pile: 4, hands: [1, 1], outcome: "lost", why: "KKD-15" });
  expect(ended(lost, say as Say)).toEqual(['ended.KKD-15 {"n":7}', 'ended.fallen {"n":1}', 'ended.pile {"n":4}']);
  const playing = viewOf({ fort, pile: 4, hands: [1, 1], outcome: null, why: null });
  expect(ended(playing, say as Say)).toEqual([]);
  const played = { move: "0122@2,2", before: playing, after: lost, names: ["Ana", "Bo"], seat: 0 };
  expect(moment(played, say as Say)).toMatchObject({ text: "moment.lost.KKD-15 {}", tone: "bad" });
  expect(moment({ ...played, after: playing }, say as Say)).toBeNull();
});
