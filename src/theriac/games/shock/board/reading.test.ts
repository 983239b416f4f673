/** What the board reads in views and in texts, and what it keeps from one view to the next. */
import { expect, test } from "vitest";
import type { Value, View } from "$shell";
import { inOrder, readJewels, readMove, readNumber } from "./cards";
import { RecentPlayTracker } from "./recentPlay";
import { effectOf } from "./moveEffect";
import { frontOf, outlook, places, read, readSheet, spots, suitLed } from "./reading";
import { facts, moment } from "./moments";

const MARKS = { jewel: ["H2", "S4"], potion: ["C5", "C7"], jellyfish: ["H7"], spider: ["S7"], bee: ["D7"], soba: [] };
const laid = (seat: number, card: string | null, jewels = 0) => ({ seat, card, jewels });

function view(table: Record<string, Value>, more: Partial<View> = {}, recalled: Record<string, Value> = {}): View {
  return {
    game: "shock", over: false, to_act: 0, round: 1, scores: [0, null, null], winners: [], legal: [],
    table: {
      trump: "D2", leader: 0, trick: [], in_round: [true, true, true], on_bag: [0, 0, 0], front: [[], [], []],
      covered: [[], [], []], middle: [], hands: [9, 9, 9], chest_left: 24, ...table,
    },
    recalled: { marks: MARKS, asked: "card", winner: null, best: null, blood: [[], [], []], opened: 0, voids: [[], [], []], revealed: {}, ...recalled },
    ...more,
  };
}

test("cards and moves", () => {
  expect(readNumber("H11")).toEqual({ suit: "H", rank: 11 });
  expect([readNumber("bee"), readNumber("~"), readNumber("J3/1")]).toEqual([null, null, null]);
  expect(readJewels("J3/1")).toEqual({ large: 3, small: 1 });
  expect(readJewels("J2")).toEqual({ large: 2, small: null });
  expect(inOrder(["C10", "C9", "D7", "H8", "S10", "S3"])).toEqual(["H8", "S3", "S10", "D7", "C9", "C10"]);
  expect(readMove("w~H7")).toEqual({ kind: "withdraw", card: "H7" });
  expect(readMove("w~")).toEqual({ kind: "withdraw", card: "~" });
  expect(readMove("~")).toEqual({ kind: "down", card: "~" });
  expect(readMove("cure:bee")).toEqual({ kind: "cure", poison: "bee" });
  expect(readMove("open")).toEqual({ kind: "open" });
});

test("the suit led is that of the leader's card", () => {
  expect(suitLed(read(view({ leader: 1, trick: [laid(0, null, 2), laid(1, "S4", 1)] })))).toBe("S");
  expect(suitLed(read(view({ leader: 1, trick: [laid(0, null, 2)] })))).toBeNull();
});

test("covered poisons and their potions are used up", () => {
  const table = read(view({ front: [["H7", "C5", "S7", "C7"], [], []], covered: [["H7"], [], []], middle: ["bee"] }));
  expect(frontOf(table, 0).map(({ kind, used }) => [kind, used])).toEqual([
    ["jellyfish", true], [null, true], ["spider", false], [null, false],
  ]);
});

test("what is certain after a move", () => {
  const table = read(view({ on_bag: [3, 0, 0], front: [["C5"], [], []] }));
  expect(outlook(table, undefined, 0)).toBeNull();
  expect(outlook(table, { on_bag: [3, 0, 0] }, 0)).toBeNull();
  expect(outlook(table, { on_bag: [5, 0, 0], front: [["C5", "H7"], [], []], in_round: [true, true, true] }, 0))
    .toEqual({ best: null, jewels: 2, cards: ["H7"], out: false });
  expect(outlook(table, { in_round: [false, true, true] }, 0)).toMatchObject({ out: true });
  expect(outlook(table, { trick: [laid(0, "H9")], best: 0, winner: 2 }, 0)?.best).toEqual({ seat: 0, sure: false });
  expect(outlook(table, { trick: [], best: null, winner: 2 }, 0)?.best).toEqual({ seat: 2, sure: true });
  expect(outlook(table, { best: 1 }, 0)).toBeNull();
});

const led = view({ trick: [laid(1, "H7"), laid(2, null, 2)], hands: [9, 8, 8], leader: 1, on_bag: [0, 4, 1] });
const won = view(
  { hands: [8, 8, 8], on_bag: [0, 9, 0], front: [[], ["H7"], []], middle: ["bee"], in_round: [true, true, false], chest_left: 23 },
  { to_act: 1 },
  { asked: "chest", winner: 1, blood: [["bee"], ["jellyfish", "bee"], []], opened: 1, revealed: { bee: 1 } },
);
const more = view(
  { hands: [8, 8, 8], on_bag: [1, 12, 0], front: [[], ["H7"], []], middle: ["bee"], in_round: [true, true, false], chest_left: 22 },
  { to_act: 1 },
  { asked: "chest", winner: 1, opened: 2, revealed: { bee: 1, "J3/1": 1 } },
);
const next = view(
  {},
  { round: 2, sheet: { round: 1, winner: 1, revealed: null, seats: [
    { how: "stayed", stored: 1, fate: "stayed", tricks: 0, chest: 1, lost: 0, bagged: 1 },
    { how: "stayed", stored: 12, fate: "stayed", tricks: 5, chest: 7, lost: 0, bagged: 12 },
    { how: "out", stored: null, fate: "shock", tricks: 1, chest: 0, lost: 1, bagged: 0 },
  ] } },
);

test("what a move did", () => {
  expect(effectOf("H2", led, won)).toMatchObject({
    seat: 0, winner: 1, revealed: "bee", gains: [0, 5, 0], shocked: [2], fronted: [[], ["H7"], []], roundOver: false,
    trick: [laid(1, "H7"), laid(2, "~", 2), laid(0, "H2")],
  });
  expect(effectOf("open", won, more)).toMatchObject({ trick: null, winner: null, revealed: "J3/1", gains: [1, 3, 0], shocked: [] });
  expect(effectOf("stop", more, next)).toMatchObject({ revealed: null, roundOver: true, gains: [0, 0, 0] });
});

test("the tracker keeps the trick, the revealed cards, and how the round ended", () => {
  const tracker = new RecentPlayTracker();
  expect(tracker.follow(led, null)).toMatchObject({ lastTrick: null, challenge: null });
  const first = tracker.follow(won, { seat: 0, move: "H2", before: led });
  expect(first.lastTrick?.winner).toBe(1);
  expect(first.challenge).toEqual({ seat: 1, cards: ["bee"] });
  expect(tracker.follow(more, { seat: 1, move: "open", before: won }).challenge?.cards).toEqual(["bee", "J3/1"]);
  const last = { seat: 1, move: "stop", before: more };
  const recent = tracker.follow(next, last);
  expect(recent).toEqual({ lastTrick: null, challenge: null });
  expect(readSheet(next, 1)?.seats.map(({ fate, bagged }) => [fate, bagged])).toEqual([["stayed", 1], ["stayed", 12], ["shock", 0]]);
  expect(readSheet(next, 2)).toBeNull();
  // The same position again changes nothing.
  expect(tracker.follow({ ...next }, last)).toBe(recent);
});

test("a jump or an undone move clears the tracker", () => {
  const tracker = new RecentPlayTracker();
  tracker.follow(led, null);
  tracker.follow(won, { seat: 0, move: "H2", before: led });
  const unseen = { ...more };
  expect(tracker.follow(next, { seat: 1, move: "stop", before: unseen })).toEqual({ lastTrick: null, challenge: null });
  expect(tracker.follow(more, null)).toEqual({ lastTrick: null, challenge: null });
});

test("every card has its place", () => {
  const found = places(
    read(led),
    { trick: read(led).trick, open: ["bee", "J3/1"], behind: null, taken: { seat: 2, cards: ["H3"] } },
    0,
    ["H2", "H4", "H5", "H6", "H8", "H9", "S2", "S3", "S4"],
  );
  expect(Object.keys(found)).toEqual([
    "hand 0", "hand 1", "hand 2", "trick 0", "trick 1", "trick 2", "trump", "chest", "open cards", "taken 2",
  ]);
  expect([found["hand 0"]?.[0], found["hand 1"]?.[0], found["trick 1"], found["trick 2"]]).toEqual(["H2", "~", ["H7"], ["~"]]);
});

test("the others sit clockwise from the left, the viewer below", () => {
  expect(spots(4, 1).map(({ seat }) => seat)).toEqual([2, 3, 0, 1]);
  expect(spots(4, 1).at(-1)).toEqual({ seat: 1, x: 0, y: 1, bag: "after" });
  expect(spots(3, null).map(({ seat, x }) => [seat, x])).toEqual([[0, -1], [1, 0], [2, 1]]);
});

const say = (key: string, parts: Record<string, unknown> = {}) => [key, ...Object.values(parts)].join(" ");

test("a shock takes what the same trick brought, as the sheet of the round says", () => {
  const names = ["Ana", "Bo", "Cy"];
  const ended = view({}, { round: 2, sheet: { round: 1, winner: 2, revealed: "spider", seats: [
    { how: "shock", fate: "shock", tricks: 0, chest: 0, lost: 0, bagged: 0 },
    { how: "stayed", fate: "stayed", tricks: 4, chest: 0, lost: 0, bagged: 4 },
    { how: "shock", fate: "shock", tricks: 5, chest: 0, lost: 5, bagged: 0 },
  ] } });
  const last = view({ trick: [laid(1, "H7"), laid(2, "H9", 2)], hands: [1, 0, 0], on_bag: [0, 4, 0] });
  expect(moment({ move: "H2", before: last, after: ended, names }, say)?.detail).toBe("moment.loses_by list Ana Cy 5 kind.spider");
  // In the middle of a round, what lay on the last card of the trick is not known.
  const out = view({ in_round: [true, false, true] }, {}, { winner: 1, revealed: { bee: 1 } });
  expect(moment({ move: "H2", before: led, after: out, names }, say)?.detail).toBe("moment.loses_all_by Bo 0 kind.bee");
});

test("moments and facts", () => {
  const names = ["Ana", "Bo", "Cy"];
  expect(moment({ move: "H2", before: led, after: won, names }, say)).toMatchObject({ text: "moment.shock", detail: "moment.loses_by Cy 1 kind.bee" });
  const burst = view({ in_round: [true, false, false] }, { to_act: 0 }, { revealed: { bee: 2 } });
  expect(moment({ move: "open", before: won, after: burst, names }, say)?.text).toBe("moment.greedy");
  const left = view({ trick: [laid(0, null, 2)], in_round: [false, true, true], hands: [8, 9, 9] }, { to_act: 1 });
  expect(moment({ move: "w~H2", before: view({ on_bag: [6, 0, 0] }), after: left, names }, say)).toMatchObject({ text: "moment.withdraws Ana", detail: "moment.safe 6" });
  expect(moment({ move: "stop", before: won, after: more, names }, say)).toBeNull();
  expect(facts(led, 0, say)).toEqual(["fact.follow ♥\ufe0e", "fact.trump ♦\ufe0e", "fact.bag 0"]);
  expect(facts(won, 0, say)).toContain("fact.blood kind.bee");
});
