/** The numbers of docs/shuffle.md. */
import { expect, test } from "vitest";
import * as seal from "../src/seal";
import type { SealedDeal } from "../src/wire";

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
