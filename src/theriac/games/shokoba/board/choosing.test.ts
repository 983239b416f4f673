/** Choosing a capture by pointing at cards, and reading what the server says. */
import { expect, test } from "vitest";
import { captureText, inOrder, readMove } from "./cards";
import { find, inReach, pick, pickedSet, setsFor } from "./choosing";
import { midway, outlookOf, pileAt, places, readSheet, readTable, sidesOf, teamOf, trayOf } from "./reading";
import { Places, spread } from "./spread";
import { moment, outcome } from "./words";

const LEGAL = ["S9=R4+S5", "S9=S1+S3+S5", "S9=S9", "S2", "R4!", "R4=S1+S3", "claim=S1+S3", "pass"];
const lie = (...cards: string[]) => cards.map((card, i) => ({ id: i + 1, card }));
const OPEN = lie("S5", "R4", "S1", "S3", "S9", "S5", "R10");

test("moves are read as they are written", () => {
  expect(readMove("S4")).toEqual({ kind: "lay", card: "S4" });
  expect(readMove("R10!")).toEqual({ kind: "overlook", card: "R10" });
  expect(readMove("E7=S3+R4")).toEqual({ kind: "capture", card: "E7", taken: ["S3", "R4"] });
  expect(readMove("claim=S3+R4")).toEqual({ kind: "claim", taken: ["S3", "R4"] });
  expect(readMove("pass")).toEqual({ kind: "pass" });
  expect(inOrder(["S10", "R2", "S2", "D7", "E7"])).toEqual(["S2", "R2", "E7", "D7", "S10"]);
  expect(captureText("S9", ["S5", "R4"])).toBe("S9=R4+S5");
  expect(captureText(null, ["S3", "S1"])).toBe("claim=S1+S3");
});

test("the sets are those of the legal moves with the card, or of the claims", () => {
  expect(setsFor("S9", LEGAL)).toEqual([["R4", "S5"], ["S1", "S3", "S5"], ["S9"]]);
  expect(setsFor("S2", LEGAL)).toEqual([]);
  expect(setsFor("R4", LEGAL)).toEqual([["S1", "S3"]]);
  expect(setsFor(null, LEGAL)).toEqual([["S1", "S3"]]);
});

test("a card that leaves one set completes it, with the card that was clicked", () => {
  const sets = setsFor("S9", LEGAL);
  expect(pick(2, [], OPEN, sets).sort()).toEqual([1, 2]);
  expect(pick(6, [], OPEN, sets)).toEqual([6]);
  expect(pick(2, [6], OPEN, sets).sort()).toEqual([2, 6]);
  expect(pickedSet([2, 6], OPEN, sets)).toBe(0);
  expect(pickedSet([6], OPEN, sets)).toBe(-1);
});

test("a picked card is released, one of another set starts a new pick, one of none may be tried", () => {
  const sets = setsFor("S9", LEGAL);
  expect(pick(1, [1, 2], OPEN, sets)).toEqual([2]);
  expect(pick(5, [1, 2], OPEN, sets)).toEqual([5]);
  expect(pick(7, [1, 2], OPEN, sets)).toEqual([1, 2, 7]);
  expect(pick(7, [], OPEN, [])).toEqual([7]);
});

test("in reach is what leads to a set", () => {
  const sets = setsFor("S9", LEGAL);
  expect(inReach([], OPEN, sets)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(inReach([6], OPEN, sets)).toEqual([2, 3, 4, 6]);
  expect(inReach([7], OPEN, sets)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(find(["S5", "S5"], OPEN)).toEqual([1, 6]);
});

test("every card has a place, and partners one pile", () => {
  const four = { game: "shokoba", over: false, to_act: 0, round: 1, scores: [0, 0, 0, 0], winners: [], legal: [], table: {} };
  const teams = [[0, 2], [1, 3]];
  const inTeams = { ...four, recalled: { sides: teams, target: 11 } };
  expect(sidesOf(inTeams)).toEqual(teams);
  expect(sidesOf({ ...four, recalled: { sides: [[1], [3]] } })).toEqual([[1], [3], [0], [2]]); // a tie-break
  expect(sidesOf(four)).toEqual([[0], [1], [2], [3]]);
  expect([0, 1, 2].map((seat) => teamOf(inTeams, seat))).toEqual([0, 1, 0]);
  expect(teamOf(four, 1)).toBeNull();
  const table = readTable({ open: ["S5"], captured: [2, 0, 2, 0], hands: [1, 1, 1, 1], deck: 3, dealer: 1, shokobas: [1, 0, 0, 0], last_capture: null });
  expect(places(table, ["E7"], 2, teams)).toEqual({
    "last card": [], "open cards": ["S5"], "hand 0": ["~"], "hand 1": ["~"], "hand 2": ["E7"], "hand 3": ["~"], "taken 0": ["~", "~"], "taken 1": [], deck: ["~", "~", "~"],
  });
  expect(places({ ...table, lastCapture: 2 }, ["E7"], 2, teams, { seat: 2, card: "S5" })).toMatchObject({ "last card": ["S5"], "taken 0": ["~"] });
  expect([0, 1, 2, 3].map((seat) => pileAt(seat, table, teams))).toEqual(["taken 0", "taken 1", null, null]);
  expect([0, 2].map((seat) => pileAt(seat, { ...table, lastCapture: 2 }, teams))).toEqual([null, "taken 0"]);
  expect(outlookOf({ captured: [5, 0, 5, 0], shokobas: [2, 0, 0, 0] }, table, 0)).toEqual({ cards: 3, shokobas: 1 });
  expect(outlookOf(undefined, table, 0)).toBeNull();
});

test("the card that captured lies in the tray until the next move, and left its hand first", () => {
  const view = { game: "shokoba", over: false, to_act: 0, round: 1, scores: [], winners: [], legal: [], hand: ["R2"] };
  const before = { ...view, table: { open: ["S3", "S4", "E7"], hands: [1, 3] } };
  const after = { ...view, table: { open: ["E7"], hands: [1, 2] } };
  expect(trayOf({ seat: 1, move: "S7=S3+S4", before }, after)).toEqual({ seat: 1, card: "S7" });
  expect(trayOf({ seat: 1, move: "claim=S3+S4", before }, after)).toEqual({ seat: 1, card: "E7" });
  expect(trayOf({ seat: 1, move: "S2", before }, after)).toBeNull();
  expect(trayOf({ seat: 1, move: "S7=S3+S4", before }, { ...after, round: 2 })).toBeNull();
  expect(midway(before, "S7=S3+S4", 1, 0)).toMatchObject({ hand: ["R2"], table: { open: ["S3", "S4", "E7", "S7"], hands: [1, 2] } });
  expect(midway(before, "R2", 0, 0)).toMatchObject({ hand: [], table: { open: ["S3", "S4", "E7", "R2"], hands: [0, 3] } });
  expect(midway(before, "pass", 0, 0)).toBeNull();
});

test("the gems are spread as large as the box allows, and stay inside it", () => {
  for (const [width, height] of [[900, 440], [370, 300], [340, 160], [520, 110]] as const) {
    for (let n = 1; n <= 16; n++) {
      const { card, spots } = spread(n, width, height);
      expect(spots).toHaveLength(n);
      for (const { x, y } of spots) {
        expect(Math.min(x, width - x)).toBeGreaterThanOrEqual(card / 2);
        expect(Math.min(y, height - y)).toBeGreaterThanOrEqual((card * 7) / 10);
      }
    }
  }
  expect(spread(4, 900, 200).spots.every(({ y }) => y === 100)).toBe(true);
});

test("a gem keeps its place and size while others come and go", () => {
  const places = new Places();
  const first = places.follow([1, 2, 3, 4], 640, 410);
  const later = places.follow([2, 4, 5], 640, 410);
  expect(later.spots.slice(0, 2)).toEqual([first.spots[1], first.spots[3]]);
  expect(later.spots[2]).toEqual(first.spots[0]); // a gap is filled
  expect(places.follow([4], 640, 410)).toEqual({ card: first.card, spots: [first.spots[3]] });
  expect(places.follow([1, 2, 3, 4, 5, 6, 7, 8, 9], 640, 410).spots).toHaveLength(9);
});

test("a gem is hardly larger than a card of the hand", () => {
  expect(spread(1, 640, 410).card).toBeLessThan(135); // a hand of 105
});

test("a sheet is read, with the SHOKOBAs of a side", () => {
  const view = { game: "shokoba", over: false, to_act: 0, round: 2, scores: [], winners: [], legal: [], table: {} };
  expect(readSheet(view)).toBeNull();
  const sheet = readSheet({
    ...view,
    sheet: {
      round: 1, tie_break: false, target: 11, scored: true, sides: [[0, 2], [1, 3]], shokobas: [1, 0, 1, 1], won: [3, 2], gems: [3, 2], left: ["S3"], last_capture: 0,
      lines: [{ for: "diamond", counts: [1, 0], got: 0 }, { for: "rubies", counts: [4, 4], got: null }],
    },
  });
  expect(sheet).toMatchObject({ shokobas: [2, 1], left: ["S3"], lastCapture: 0 });
  expect(sheet?.lines[1]).toEqual({ for: "rubies", counts: [4, 4], got: null });
});

const round = (shokobas: number[], more = {}) => ({ game: "shokoba", over: false, to_act: 1, round: 1, scores: [], winners: [], legal: [], table: { open: ["S3", "R4"], shokobas }, ...more });

test("a SHOKOBA is announced where the server counts one, also with the last card of a round", () => {
  const say = (key: string) => key;
  const before = round([0, 1]);
  const sentence = (after: ReturnType<typeof round> | null, seat?: number) => outcome({ move: "E7=S3+R4", before, after, names: [], ...(seat !== undefined && { seat }) }, say);
  expect(sentence(round([0, 2]), 1)).toBe("log.shokoba");
  expect(sentence(round([0, 2]))).toBe("log.shokoba");
  expect(sentence(round([0, 1]), 1)).toBe("move.capture");
  expect(sentence(round([0, 0], { round: 2, sheet: { shokobas: [0, 2] } }), 1)).toBe("log.shokoba");
  expect(sentence(round([0, 0], { round: 2, sheet: { shokobas: [0, 1] } }), 1)).toBe("move.capture");
  expect(sentence(null, 1)).toBe("move.capture");
});

test("a cleared table and the end of a round are moments", () => {
  const say = (key: string) => key;
  const view = round([0, 0]);
  const names = ["Ada", "Bo"];
  expect(moment({ move: "E7=S3+R4", before: view, after: round([0, 1]), seat: 1, names }, say)).toMatchObject({ text: "hint.shokoba", sound: "chime" });
  expect(moment({ move: "S1", before: view, after: view, seat: 1, names }, say)).toBeNull();
  const sheet = { round: 1, scored: true, left: ["S1"], last_capture: 0 };
  expect(moment({ move: "S1", before: view, after: { ...view, round: 2, sheet }, seat: 1, names }, say)).toMatchObject({ text: "moment.last" });
  expect(moment({ move: "S1", before: view, after: { ...view, round: 2, sheet: { ...sheet, left: [] } }, seat: 1, names }, say)).toMatchObject({ text: "moment.round" });
});
