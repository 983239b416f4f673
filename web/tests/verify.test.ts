/** The numbers of docs/shuffle.md. */
import { expect, test } from "vitest";
import * as seal from "../src/verify";
import type { Replay } from "../src/wire";

const secret = Uint8Array.from({ length: 32 }, (_, i) => i);
const SEED = "9817bc43db44e1c70278cf47897ea7ac98b1477a7e29038ee402781f6ec8bc9f";
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const nonces = ["ada", "bo", "cy"];
const seed = seal.fromHex(SEED);

test("commitment and seed", async () => {
  expect(await seal.commitment(secret)).toBe(COMMITMENT);
  expect(await seal.sealedSeed(secret, nonces)).toBe(SEED);
});

test("words", async () => {
  const source = seal.words(seed, "shuffle 1");
  const first: string[] = [];
  for (let i = 0; i < 8; i++) first.push(((await source.next()).value as number).toString(16).padStart(8, "0"));
  expect(first).toEqual(
    "97af358c f1e497d6 446fe933 d645a3d1 2ba609e7 655ab49b 3d7534fd 214b6cb8".split(" "),
  );
});

test("shuffles and the first seat", async () => {
  expect((await seal.shuffle(seed, 1, 6)).map((i) => "abcdef"[i]).join("")).toBe("fcbdea");
  expect(await seal.shuffle(seed, 2, 6)).toEqual([1, 2, 3, 5, 4, 0]);
  expect(await seal.firstSeat(seed, 3)).toBe(1);
});

async function game(change: (game: Replay) => void = () => {}): Promise<Replay> {
  const cards = ["a", "b", "c"];
  const deck = ["a", "a", "b", "c", "c", "c"];
  const dealt = [];
  for (const k of [1, 2]) dealt.push((await seal.shuffle(seed, k, 6)).map((i) => deck[i] as string));
  const made: Replay = {
    game: "x",
    steps: [],
    cards,
    dealt,
    record: {
      theriac: 1,
      game: "x",
      options: {},
      moves: [],
      seed: SEED,
      seal: { commitment: COMMITMENT, secret: seal.toHex(secret), nonces },
    },
  };
  change(made);
  return made;
}

async function outcome(replayed: Replay): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, holds } of seal.verify(replayed)) found.push(`${key} ${holds}`);
  return found;
}

test("a game whose cards come from the seal", async () => {
  expect(await outcome(await game())).toEqual([
    "verify.commitment true",
    "verify.seed true",
    "verify.shuffle true",
    "verify.shuffle true",
  ]);
});

test("another secret, another nonce, two cards exchanged: each is found", async () => {
  const sealOf = (replayed: Replay) => replayed.record.seal as { secret: string; nonces: string[] };
  const otherSecret = await game((one) => (sealOf(one).secret = "ff".repeat(32)));
  expect(await outcome(otherSecret)).toEqual(["verify.commitment false"]);
  const otherNonce = await game((one) => (sealOf(one).nonces = ["ada", "bo", "di"]));
  expect((await outcome(otherNonce)).at(-1)).toBe("verify.seed false");
  const exchanged = await game((one) => one.dealt[1]?.reverse());
  expect((await outcome(exchanged)).at(-1)).toBe("verify.shuffle false");
});
