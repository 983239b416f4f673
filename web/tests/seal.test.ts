/** The numbers of docs/shuffle.md. */
import { expect, test } from "vitest";
import * as seal from "../src/seal";
import type { SealedDeal, SealedSeat } from "../src/wire";

const secret = Uint8Array.from({ length: 32 }, (_, i) => i);
const SEED_1 = "9817bc43db44e1c70278cf47897ea7ac98b1477a7e29038ee402781f6ec8bc9f";
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const nonces = ["ada", "bot", "cy"];
const deal: SealedDeal = {
  table: "T4ble",
  game: "poison",
  number: 2,
  called_off: 1,
  options: { players: 3, open_piles: true },
  seats: [
    { name: "Ada", bot: null },
    { name: "", bot: "hard" },
    { name: "Cý", bot: null },
  ],
  commitment: COMMITMENT,
  commitments: nonces.map((nonce, seat) => seal.seatCommitment(COMMITMENT, seat, nonce)),
};

test("version 1: commitment and seed", () => {
  expect(seal.commitment(secret)).toBe(COMMITMENT);
  expect(seal.sealedSeed(secret, ["ada", "bo", "cy"])).toBe(SEED_1);
});

test("version 2: commitments of seats, seed and code", () => {
  expect(deal.commitments[0]).toBe("4f096543793d9bbbdb36b143ad4297006ebb904da9777162229bcc3e37bb4342");
  const seed = seal.boundSeed(secret, deal, nonces);
  expect(seed).toBe("853c5d974d746252fc7aef84b469cf593cba62b5beffc42a75ff8300555f3d63");
  expect(seal.shortCode(deal, nonces)).toBe("4ZYQ-MSV9");
  expect(seal.shuffle(seal.fromHex(seed), 1, 6)).toEqual([1, 5, 4, 2, 3, 0]);
  expect(seal.areRevealed(deal, nonces)).toBe(true);
  expect(seal.areRevealed(deal, ["ada", "bot", "di"])).toBe(false);
  expect(seal.areRevealed(deal, ["ada", "bot"])).toBe(false);
});

const SALTS = ["00", "11", "22"].map((byte) => byte.repeat(16));
const deal3: SealedDeal = {
  ...deal,
  seats: deal.seats.map((seat, i) => {
    const salt = SALTS[i] as string;
    return { ...seat, salt, name_hash: seal.nameHash(salt, seat.name) };
  }),
};

test("version 3: hashes of names, seed and code", () => {
  expect(seal.versionOf(deal)).toBe(2);
  expect(seal.versionOf(deal3)).toBe(3);
  expect(deal3.seats.map(({ name_hash }) => name_hash)).toEqual([
    "5ccfed0a9c8d8027b3d9fcc97aba5edfe66dc7f3e2f8e4589a31bfafa6a46ffe",
    "31d9f6780af73c8176aff7063df182420f73afb1b618efc13609058e83fe4f43",
    "441b3cab5a6741e3ba1cde6b71c516a25fd730f8995b4fd65fcd561869b9a6ea",
  ]);
  const seed = "14a0bb388cda2447c0c76c69d5f22b29faf4b797df91e1c428e3b34f6e063100";
  expect(seal.boundSeed(secret, deal3, nonces)).toBe(seed);
  expect(seal.shortCode(deal3, nonces)).toBe("316C-E4D5");
  expect(seal.shuffle(seal.fromHex(seed), 1, 6)).toEqual([3, 4, 1, 2, 0, 5]);
});

test("version 3: seed and code are the same without the names", () => {
  const seats = deal3.seats.map(({ bot, name_hash }) => ({ name: seal.DELETED_NAME, bot, name_hash: name_hash as string }));
  const deleted = { ...deal3, seats };
  expect(seal.boundSeed(secret, deleted, nonces)).toBe(seal.boundSeed(secret, deal3, nonces));
  expect(seal.shortCode(deleted, nonces)).toBe("316C-E4D5");
  expect(seal.areNamed(deleted)).toBe(true);
  expect(seal.deletedNames(deleted)).toEqual([0, 1, 2]);
  expect(seal.deletedNames(deal3)).toEqual([]);
});

const ada = deal3.seats[0] as Required<SealedSeat>;

test.each<[string, SealedSeat]>([
  ["another name", { ...ada, name: "Eve" }],
  ["another hash", { ...ada, name_hash: "0".repeat(64) }],
  ["another salt", { ...ada, salt: "0".repeat(31) + "1" }],
  ["a name without a salt", { name: ada.name, bot: null, name_hash: ada.name_hash }],
  ["a deleted name without a hash", { name: seal.DELETED_NAME, bot: null }],
  ["a salt of another length", { ...ada, salt: "00", name_hash: seal.nameHash("00", ada.name) }],
])("version 3: %s is not the name that was hashed", (_, seat) => {
  expect(seal.areNamed(deal3)).toBe(true);
  expect(seal.areNamed({ ...deal3, seats: [seat, ...deal3.seats.slice(1)] })).toBe(false);
});

test("canonical JSON does not depend on the order of keys, not even of numbers", () => {
  expect(seal.canonical({ b: 1, "10": [true, null], "9": "é\n" })).toBe('{"10":[true,null],"9":"é\\n","b":1}');
});

test("words, shuffles and the first seat", () => {
  const seed = seal.fromHex(SEED_1);
  const source = seal.words(seed, "shuffle 1");
  const first = Array.from({ length: 8 }, () => (source.next().value as number).toString(16).padStart(8, "0"));
  expect(first).toEqual(
    "97af358c f1e497d6 446fe933 d645a3d1 2ba609e7 655ab49b 3d7534fd 214b6cb8".split(" "),
  );
  expect(seal.shuffle(seed, 1, 6).map((i) => "abcdef"[i]).join("")).toBe("fcbdea");
  expect(seal.shuffle(seed, 2, 6)).toEqual([1, 2, 3, 5, 4, 0]);
  expect(seal.firstSeat(seed, 3)).toBe(1);
});
