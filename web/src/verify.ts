/** Recomputes a shuffle as docs/shuffle.md describes, with the browser's own cryptography. */
import type { Replay } from "./wire";

const text = new TextEncoder();

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function commitment(secret: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", secret)));
}

async function hmac(key: Uint8Array<ArrayBuffer>): Promise<(message: string) => Promise<Uint8Array>> {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", made, text.encode(message)));
}

export async function sealedSeed(secret: Uint8Array<ArrayBuffer>, nonces: string[]): Promise<string> {
  const sign = await hmac(secret);
  return toHex(await sign(["theriac seed 1", ...nonces].join("\n")));
}

/** The stream of 32-bit numbers for a purpose. */
export async function* words(seed: Uint8Array<ArrayBuffer>, purpose: string): AsyncGenerator<number> {
  const sign = await hmac(seed);
  for (let block = 0; ; block++) {
    const bytes = await sign(`${purpose} ${block}`);
    const numbers = new DataView(bytes.buffer);
    for (let i = 0; i < 8; i++) yield numbers.getUint32(4 * i, false);
  }
}

async function below(source: AsyncGenerator<number>, n: number): Promise<number> {
  const limit = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const { value } = await source.next();
    if ((value as number) < limit) return (value as number) % n;
  }
}

/** The order of shuffle k: for each draw, the index of the card among n. */
export async function shuffle(seed: Uint8Array<ArrayBuffer>, k: number, n: number): Promise<number[]> {
  const cards = Array.from({ length: n }, (_, i) => i);
  const source = words(seed, `shuffle ${k}`);
  for (let i = n - 1; i > 0; i--) {
    const j = await below(source, i + 1);
    [cards[i], cards[j]] = [cards[j] as number, cards[i] as number];
  }
  return cards;
}

export async function firstSeat(seed: Uint8Array<ArrayBuffer>, players: number): Promise<number> {
  return below(words(seed, "first"), players);
}

/** The result of one check: the key and facts of its sentence, and whether it passed. */
export interface Checked {
  key: string;
  facts: Record<string, string | number>;
  holds: boolean;
}

/** Check a game step by step, up to the first check that fails. */
export async function* verify({ record, cards, dealt }: Replay): AsyncGenerator<Checked> {
  if (!record.seal || !record.seed) return;
  const secret = fromHex(record.seal.secret);
  const fits = (await commitment(secret)) === record.seal.commitment;
  yield { key: "verify.commitment", facts: {}, holds: fits };
  if (!fits) return;
  const same = (await sealedSeed(secret, record.seal.nonces)) === record.seed;
  yield { key: "verify.seed", facts: {}, holds: same };
  if (!same) return;
  const seed = fromHex(record.seed);
  const place = new Map(cards.map((card, i) => [card, i]));
  for (const [i, order] of dealt.entries()) {
    const k = i + 1;
    if (i < (record.deals?.length ?? 0)) {
      yield { key: "verify.written", facts: { k }, holds: false };
      return;
    }
    const sorted = order.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
    const worked = (await shuffle(seed, k, order.length)).map((at) => sorted[at]);
    const holds = worked.every((card, at) => card === order[at]);
    yield { key: "verify.shuffle", facts: { k, n: order.length }, holds };
    if (!holds) return;
  }
}
