/** The moves that a receipt gets: all of a game, as they were sent first. */
import { beforeEach, expect, test, vi } from "vitest";
import { keepMoves, keepReceipt, keptMoves, receiptOf, type Receipt } from "../src/receipts";
import { seenAfter, type SeenMoves } from "../src/seenMoves";
import type { ClientEvent } from "../src/wire";

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
});
beforeEach(() => stored.clear());

const BEGUN: ClientEvent = { kind: "begun", nonces: ["a", "b"] };
const OFFERED: ClientEvent = { kind: "offered", options: {}, commitment: "c" };
const SAID: ClientEvent = { kind: "said", name: "Ana", text: "hello", seat: 0 };
const moved = (move: string): ClientEvent => ({ kind: "moved", seat: 0, move });
const undone = (moves: number): ClientEvent => ({ kind: "undone", moves });

/** Events from a version on. */
function see(seen: SeenMoves | null, from: number, ...events: ClientEvent[]): SeenMoves | null {
  return events.reduce((state, event, i) => seenAfter(state, "T", from + i, event), seen);
}

function receipt(number: number, nonces: string[]): Receipt {
  const deal = { table: "T", number } as Receipt["deal"];
  return { theriac_receipt: 3, deal, nonces, code: "", seat: 0, nonce: "a" };
}

test("moves are counted from the beginning, and those taken back are not", () => {
  const seen = see(null, 5, BEGUN, moved("x"), SAID, moved("y"), undone(1), moved("z"), OFFERED);
  expect(seen).toEqual({ table: "T", nonces: ["a", "b"], version: 11, moves: ["x", "z"], over: true });
  expect(see(null, 5, moved("x"))).toBeNull();
});

test("what was sent first counts", () => {
  const seen = see(null, 5, BEGUN, moved("x"), moved("y"));
  expect(see(seen, 5, BEGUN, moved("forged"), moved("y"), moved("z"))?.moves).toEqual(["x", "y", "z"]);
});

test("after a gap nothing counts until it is filled", () => {
  const seen = see(null, 5, BEGUN, moved("x"));
  const gap = see(seen, 8, moved("z"), OFFERED);
  expect(gap).toEqual(seen);
  expect(see(gap, 7, moved("y"), moved("z"), OFFERED)).toMatchObject({ moves: ["x", "y", "z"], over: true });
  expect(see(gap, 20, BEGUN, moved("n"))?.moves).toEqual(["n"]);
});

test("the receipt gets the moves when the game is over", () => {
  keepReceipt(receipt(1, ["a", "a"]));
  keepReceipt(receipt(2, ["a", "b"]));
  const seen = see(null, 5, BEGUN, moved("x"))!;
  keepMoves(seen);
  expect(receiptOf("T", 2)?.moves).toBeUndefined();
  const reloaded = keptMoves("T");
  expect(reloaded).toEqual(seen);
  keepMoves(see(reloaded, 5, BEGUN, moved("x"), moved("y"), OFFERED)!);
  expect(receiptOf("T", 2)?.moves).toEqual(["x", "y"]);
  expect(receiptOf("T", 1)?.moves).toBeUndefined();
});
