/** The recipe of docs/shuffle.md. The browser's own cryptography is missing where a page comes over
 * plain HTTP, as in most living rooms: hence a library. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { SealedDeal } from "./wire";

export const fromHex = hexToBytes;
export const toHex = bytesToHex;

/** The nonce of a seat that a bot plays when the deal is sealed. */
export const BOT_NONCE = "bot";
/** What a deal has instead of the name of a person who was deleted. */
export const DELETED_NAME = "deleted";
/** Its fixed length keeps the salt apart from the name after it. */
const SALT = /^[0-9a-f]{32}$/;
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export function commitment(secret: Uint8Array): string {
  return toHex(sha256(secret));
}

/** 128 random bits as hexadecimal text: the player's part of the shuffle's seed. */
export function newNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

/** The seed of version 1. */
export function sealedSeed(secret: Uint8Array, nonces: string[]): string {
  return toHex(hmac(sha256, secret, utf8ToBytes(["theriac seed 1", ...nonces].join("\n"))));
}

/** A seat's commitment to its nonce, in reply to the server's commitment. */
export function seatCommitment(shown: string, seat: number, nonce: string): string {
  return toHex(sha256(utf8ToBytes(["theriac nonce 2", shown, seat, nonce].join("\n"))));
}

/** A value as JSON in its one canonical form (RFC 8785): sorted keys, no spaces. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(",")}}`;
}

/** The version of a deal's seal: 2 is bound to names, 3 to hashes of names. */
export function versionOf({ seats }: SealedDeal): 2 | 3 {
  return seats.some(({ name_hash }) => name_hash !== undefined) ? 3 : 2;
}

/** The salted hash of a name. */
export function nameHash(salt: string, name: string): string {
  return toHex(sha256(utf8ToBytes(["theriac name 3", salt, name].join("\n"))));
}

/** The part of a deal that seed and code are bound to: in version 3 all but names and salts. */
export function boundPart(deal: SealedDeal): unknown {
  if (versionOf(deal) === 2) return deal;
  return { ...deal, seats: deal.seats.map(({ bot, name_hash = null }) => ({ bot, name_hash })) };
}

function boundText(purpose: "seed" | "code", deal: SealedDeal, nonces: string[]): Uint8Array {
  const label = `theriac ${purpose} ${versionOf(deal)}`;
  return utf8ToBytes([label, canonical(boundPart(deal)), ...nonces].join("\n"));
}

/** The seed of version 2 or 3. */
export function boundSeed(secret: Uint8Array, deal: SealedDeal, nonces: string[]): string {
  return toHex(hmac(sha256, secret, boundText("seed", deal, nonces)));
}

/** Eight characters for players to compare: 40 bits of a hash of all that is public. */
export function shortCode(deal: SealedDeal, nonces: string[]): string {
  const bits = Array.from(sha256(boundText("code", deal, nonces)).slice(0, 5), (byte) =>
    byte.toString(2).padStart(8, "0"),
  ).join("");
  const text = (bits.match(/.{5}/g) ?? []).map((five) => CODE_ALPHABET[parseInt(five, 2)]).join("");
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** Is each nonce the one that its seat committed to? */
export function areRevealed(deal: SealedDeal, nonces: string[]): boolean {
  const { seats, commitments } = deal;
  if (nonces.length !== seats.length || nonces.length !== commitments.length) return false;
  return nonces.every((nonce, seat) => seatCommitment(deal.commitment, seat, nonce) === commitments[seat]);
}

/** The seats whose name was deleted with its salt. */
export function deletedNames(deal: SealedDeal): number[] {
  if (versionOf(deal) === 2) return [];
  return deal.seats.flatMap(({ salt }, seat) => (salt === undefined ? [seat] : []));
}

/** Is each name the one that was hashed, as far as it was not deleted? In version 2 seed and code
 * are bound to the names themselves. */
export function areNamed(deal: SealedDeal): boolean {
  if (versionOf(deal) === 2) return true;
  return deal.seats.every(({ name, salt, name_hash }) => {
    if (salt === undefined) return name === DELETED_NAME && name_hash !== undefined;
    return SALT.test(salt) && nameHash(salt, name) === name_hash;
  });
}

/** The stream of 32-bit numbers for a purpose. */
export function* words(seed: Uint8Array, purpose: string): Generator<number> {
  for (let block = 0; ; block++) {
    const bytes = hmac(sha256, seed, utf8ToBytes(`${purpose} ${block}`));
    const numbers = new DataView(bytes.buffer, bytes.byteOffset);
    for (let i = 0; i < 8; i++) yield numbers.getUint32(4 * i, false);
  }
}

function below(source: Generator<number>, n: number): number {
  const limit = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const word = source.next().value as number;
    if (word < limit) return word % n;
  }
}

/** The order of shuffle k: for each draw, the index of the card among n. */
export function shuffle(seed: Uint8Array, k: number, n: number): number[] {
  const cards = Array.from({ length: n }, (_, i) => i);
  const source = words(seed, `shuffle ${k}`);
  for (let i = n - 1; i > 0; i--) {
    const j = below(source, i + 1);
    [cards[i], cards[j]] = [cards[j] as number, cards[i] as number];
  }
  return cards;
}

export function firstSeat(seed: Uint8Array, players: number): number {
  return below(words(seed, "first"), players);
}
