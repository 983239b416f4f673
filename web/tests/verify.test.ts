/** The checks of a finished game, and of a deal before and while it is played. */
import { expect, test } from "vitest";
import { checkDeal, receiptFor } from "../src/dealCheck";
import type { KeptNonce, Receipt } from "../src/receipts";
import {
  boundSeed, commitment, DELETED_NAME, fromHex, nameHash, seatCommitment, sealedSeed, shortCode, shuffle, toHex, versionOf,
} from "../src/seal";
import { dealOf, verify, type Checked } from "../src/verify";
import type { Replay, Seal, SealedDeal, SealedSeat, TableInfo, View } from "../src/wire";

const secret = Uint8Array.from({ length: 32 }, (_, i) => i);
const shown = commitment(secret);
const nonces = ["ada", "bot"];

const SALT = "07".repeat(16);
const seat = (name: string, bot: string | null): SealedSeat => ({ name, bot, salt: SALT, name_hash: nameHash(SALT, name) });
/** The seats of a deal of version 2. */
const seats2: SealedSeat[] = [
  { name: "Ada", bot: null },
  { name: "", bot: "easy" },
];

function sealed(change: Partial<SealedDeal> = {}): SealedDeal {
  return {
    table: "T",
    game: "x",
    number: 1,
    called_off: 0,
    options: { players: 2 },
    seats: [seat("Ada", null), seat("", "easy")],
    commitment: shown,
    commitments: nonces.map((nonce, seat) => seatCommitment(shown, seat, nonce)),
    ...change,
  };
}

/** A finished game, dealt with this secret and these nonces. */
function game(own: Uint8Array, deal: SealedDeal, used: string[]): Replay {
  const { game, options, ...rest } = deal;
  const seed = boundSeed(own, deal, used);
  const deck = ["a", "a", "b", "c", "c", "c"];
  const dealt = [1, 2].map((k) => shuffle(fromHex(seed), k, 6).map((i) => deck[i] as string));
  const seal: Seal = { version: versionOf(deal), ...rest, secret: toHex(own), nonces: used, code: shortCode(deal, used) };
  const record = { theriac: 1, game, options, moves: ["x", "y"], seed, seal };
  const steps = [0, 1, 2].map((n) => ({ n, view: { over: n === 2 } as View }));
  return { game, steps, cards: ["a", "b", "c"], dealt, record };
}

const receipt: Receipt = {
  theriac_receipt: 3, deal: sealed(), nonces, code: shortCode(sealed(), nonces), seat: 0, nonce: "ada",
};
const outcome = (checks: Iterable<Checked>) => [...checks].map(({ key, holds }) => `${key} ${holds}`);

test("a game that agrees with the receipt", () => {
  expect(outcome(verify(game(secret, sealed(), nonces), receipt))).toEqual([
    "verify.version3 true", "verify.receipt true", "verify.commitment true", "verify.nonces true", "verify.names true",
    "verify.bound true", "verify.code true", "verify.shuffle true", "verify.shuffle true",
    "verify.over true",
  ]);
});

/** The deal after the name of seat 0 was deleted. */
function withoutName(deal: SealedDeal): SealedDeal {
  const [{ bot, name_hash = "" } = seat("", null), ...rest] = deal.seats;
  return { ...deal, seats: [{ name: DELETED_NAME, bot, name_hash }, ...rest] };
}

test("a record whose name was deleted still agrees with the receipt, and says so", () => {
  const replay = game(secret, withoutName(sealed()), nonces);
  expect(outcome(verify(replay, receipt))).toEqual([
    "verify.version3 true", "verify.receipt true", "verify.commitment true", "verify.nonces true", "verify.names true",
    "verify.deleted true", "verify.bound true", "verify.code true", "verify.shuffle true", "verify.shuffle true",
    "verify.over true",
  ]);
  expect((replay.record.seal as Seal).code).toBe(receipt.code);
});

test("a record of version 2 agrees with a receipt of version 2", () => {
  const deal = sealed({ seats: seats2 });
  const old: Receipt = { ...receipt, theriac_receipt: 2, deal, code: shortCode(deal, nonces) };
  expect(outcome(verify(game(secret, deal, nonces), old))).toEqual([
    "verify.version2 true", "verify.receipt true", "verify.commitment true", "verify.nonces true",
    "verify.bound true", "verify.code true", "verify.shuffle true", "verify.shuffle true",
    "verify.over true",
  ]);
  expect(outcome(verify(game(secret, deal, nonces), receipt)).at(-1)).toBe("verify.receipt false");
  expect(receiptFor(table(deal, nonces), 0, kept)).toEqual(old);
});

test("a forged record, its secret ground after the nonces were known, passes alone and fails against the receipt", () => {
  const ground = new Uint8Array(32).fill(7);
  const theirs = commitment(ground);
  const deal = sealed({ commitment: theirs, commitments: nonces.map((n, seat) => seatCommitment(theirs, seat, n)) });
  const forged = game(ground, deal, nonces);
  expect(outcome(verify(forged, null)).filter((one) => !one.endsWith(" true"))).toEqual(["verify.no_receipt null"]);
  expect(outcome(verify(forged, receipt)).at(-1)).toBe("verify.receipt false");
});

test("a seal of version 1 says so, and fails against a receipt of version 2", () => {
  const replay = game(secret, sealed(), nonces);
  const seed = sealedSeed(secret, nonces);
  const old: Replay = { ...replay, dealt: [], record: { ...replay.record, seed, seal: { commitment: shown, secret: toHex(secret), nonces } } };
  expect(dealOf(old.record)).toBe(null);
  expect(outcome(verify(old, null))).toEqual([
    "verify.version1 null", "verify.no_receipt null", "verify.commitment true", "verify.seed true",
    "verify.over true",
  ]);
  old.record.moves.pop();
  old.steps.pop();
  expect(outcome(verify(old, null)).at(-1)).toBe("verify.unfinished null");
  expect(outcome(verify(old, receipt)).at(-1)).toBe("verify.receipt false");
});

test.each<[string, (replay: Replay) => void, string]>([
  ["another secret", ({ record }) => ((record.seal as Seal).secret = "ff".repeat(32)), "verify.commitment false"],
  ["another nonce", ({ record }) => ((record.seal as Seal).nonces = ["ada", "no"]), "verify.nonces false"],
  ["another table", ({ record }) => ((record.seal as Seal).table = "U"), "verify.bound false"],
  ["another number", ({ record }) => ((record.seal as Seal).number = 2), "verify.bound false"],
  ["a called-off deal less", ({ record }) => ((record.seal as Seal).called_off = 1), "verify.bound false"],
  ["another name", ({ record }) => ((record.seal?.seats?.[0] as SealedSeat).name = "Eve"), "verify.names false"],
  ["a name without its salt", ({ record }) => delete (record.seal?.seats?.[0] as SealedSeat).salt, "verify.names false"],
  ["another version", ({ record }) => ((record.seal as Seal).version = 2), "verify.version3 false"],
  ["other seats", ({ record }) => ((record.seal as Seal).seats ?? []).reverse(), "verify.bound false"],
  ["other options", ({ record }) => (record.options = { players: 2, mild: true }), "verify.bound false"],
  ["another code", ({ record }) => ((record.seal as Seal).code = "0000-0000"), "verify.code false"],
  ["two cards exchanged", ({ dealt }) => dealt[1]?.reverse(), "verify.shuffle false"],
  ["the last move cut off", ({ record, steps }) => [record.moves.pop(), steps.pop()], "verify.unfinished false"],
])("%s in a record is found", (_, change, last) => {
  const replay = structuredClone(game(secret, sealed(), nonces));
  change(replay);
  expect(outcome(verify(replay, null)).at(-1)).toBe(last);
});

// The deal at the table

const kept: KeptNonce = {
  table: "T", number: 1, called_off: 0, shown, seat: 0, nonce: "ada", commitment: seatCommitment(shown, 0, "ada"),
};

function table(deal: SealedDeal | null, used?: string[]): TableInfo {
  const seats = [
    { name: "Ada", bot: null, stand_in: null, taken: true, ready: true },
    { name: "", bot: "easy" as const, stand_in: null, taken: true, ready: true },
  ];
  return {
    table: "T", game: "x", options: { players: 2, mild: false }, stage: used || !deal ? "playing" : "sealing", seats,
    commitment: shown, clock: null, listed: false, delay: 0, adventure: false, hints: true, games: 0, stand_in: "medium", undo: null,
    ...(deal && { sealed: { deal, ...(used ? { nonces: used } : { missing: [0] }) } }),
  };
}

test("a deal that is kept: before the nonces, and after", () => {
  expect(outcome(checkDeal(table(sealed()), 0, kept, null))).toEqual(["seal.shown true", "seal.terms true"]);
  expect(outcome(checkDeal(table(sealed(), nonces), 0, kept, receipt))).toEqual([
    "seal.shown true", "seal.terms true", "seal.nonces true", "seal.own true", "seal.same true",
  ]);
  expect(receiptFor(table(sealed(), nonces), 0, kept)).toEqual(receipt);
  expect(receiptFor(table(sealed(), nonces), null, null)).toMatchObject({ seat: null, nonce: null, code: receipt.code });
});

test.each<[string, SealedDeal | null, string[] | undefined, string]>([
  ["another commitment", sealed({ commitment: "0".repeat(64) }), undefined, "seal.shown false"],
  ["another commitment of mine", sealed({ commitments: ["0".repeat(64), "1"] }), undefined, "seal.shown false"],
  ["another table", sealed({ table: "U" }), undefined, "seal.terms false"],
  ["another option", sealed({ options: { players: 2, mild: true } }), undefined, "seal.terms false"],
  ["another player", sealed({ seats: [seat("Eve", null), seat("", "easy")] }), undefined, "seal.terms false"],
  ["another player, version 2", sealed({ seats: [{ name: "Eve", bot: null }, { name: "", bot: "easy" }] }), undefined, "seal.terms false"],
  ["a name that was not hashed", sealed({ seats: [{ ...seat("Eve", null), name: "Ada" }, seat("", "easy")] }), undefined, "seal.terms false"],
  ["a name without its salt", withoutName(sealed()), undefined, "seal.terms false"],
  ["a player less", sealed({ seats: [seat("Ada", null)] }), undefined, "seal.terms false"],
  ["another player in play", sealed({ seats: [seat("Eve", null), seat("", "easy")] }), nonces, "seal.terms false"],
  ["a deal called off in silence", sealed({ called_off: 1 }), undefined, "seal.terms false"],
  ["a nonce that was not committed to", sealed(), ["ada", "ground"], "seal.nonces false"],
  ["another nonce of mine", sealed(), ["bo", "bot"], "seal.own false"],
  ["no sealed deal at all", null, undefined, "seal.unsealed false"],
])("%s is found at the table", (_, deal, used, found) => {
  expect(outcome(checkDeal(table(deal, used), 0, kept, null))).toContain(found);
});

test("a player who is removed or deleted during the game breaks no seal", () => {
  const before = table(sealed(), nonces);
  const bot = { name: "", bot: "medium" as const, stand_in: null, taken: true, ready: true };
  const removed = { ...before, seats: [bot, ...before.seats.slice(1)] };
  const holds = (info: TableInfo) => outcome(checkDeal(info, null, null, receipt)).filter((one) => !one.endsWith(" true"));
  expect(holds(removed)).toEqual([]);
  expect(holds({ ...removed, sealed: { deal: withoutName(sealed()), nonces } })).toEqual([]);
});

test("before the game begins, no name may be without its salt, whatever the table shows", () => {
  const before = table(withoutName(sealed()));
  const shown = { ...before, seats: before.seats.map((one, i) => (i ? one : { ...one, name: DELETED_NAME })) };
  expect(outcome(checkDeal(shown, 0, kept, null))).toContain("seal.terms false");
});

test("the deal may not change during the game", () => {
  const other = ["ada", "other"];
  const deal = sealed({ commitments: other.map((nonce, seat) => seatCommitment(shown, seat, nonce)) });
  expect(outcome(checkDeal(table(deal, other), 0, kept, receipt)).at(-1)).toBe("seal.same false");
});

test("a server that shows two clients different commitments gives them different codes", () => {
  const forBo = commitment(new Uint8Array(32));
  const deal = sealed({ commitment: forBo, commitments: nonces.map((n, seat) => seatCommitment(forBo, seat, n)) });
  expect(receiptFor(table(deal, nonces), null, null)?.code).not.toBe(receipt.code);
});

test("a seat that another device took is not said to be checked", () => {
  expect(outcome(checkDeal(table(sealed()), 0, null, null))[0]).toBe("seal.elsewhere null");
});
