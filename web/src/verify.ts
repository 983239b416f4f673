/** Recomputes the shuffles of a finished game as docs/shuffle.md describes, in this browser. */
import type { Receipt } from "./receipts";
import {
  areNamed, areRevealed, boundPart, boundSeed, canonical, commitment, deletedNames, fromHex, sealedSeed, shortCode,
  shuffle, versionOf,
} from "./seal";
import type { GameRecord, Replay, ReplayStep, Seal, SealedDeal } from "./wire";

/** The result of one check: the key and facts of its sentence, and whether it passed. Null: there
 * was nothing to compare with. */
export interface Checked {
  key: string;
  facts: Record<string, string | number>;
  holds: boolean | null;
}

/** The sealed deal of a record; null for a seal of version 1. */
export function dealOf({ game, options, seal }: GameRecord): SealedDeal | null {
  if (!seal || (seal.version ?? 1) === 1) return null;
  const { table = "", number = 0, called_off = 0, seats = [], commitment, commitments = [] } = seal;
  return { table, game, number, called_off, options, seats, commitment, commitments };
}

/** Check the seal of a record, against the receipt where there is one, up to the first check that
 * fails. */
export function* verifySeal(record: GameRecord, receipt: Receipt | null): Generator<Checked> {
  const { seal } = record;
  if (!seal || !record.seed) return;
  const deal = dealOf(record);
  const version = deal ? versionOf(deal) : 1;
  const holds = (seal.version ?? 1) === version && (version === 1 ? null : true);
  yield { key: `verify.version${version}`, facts: {}, holds };
  if (holds === false) return;
  for (const checked of sealChecks(record, seal, deal, receipt)) {
    yield checked;
    if (checked.holds === false) return;
  }
}

function* sealChecks(
  record: GameRecord,
  seal: Seal,
  deal: SealedDeal | null,
  receipt: Receipt | null,
): Generator<Checked> {
  if (receipt) {
    const same = deal && canonical([boundPart(receipt.deal), receipt.nonces]) === canonical([boundPart(deal), seal.nonces]);
    yield { key: "verify.receipt", facts: { code: receipt.code }, holds: !!same };
  } else {
    yield { key: "verify.no_receipt", facts: {}, holds: null };
  }
  const secret = fromHex(seal.secret);
  yield { key: "verify.commitment", facts: {}, holds: commitment(secret) === seal.commitment };
  if (!deal) {
    yield { key: "verify.seed", facts: {}, holds: sealedSeed(secret, seal.nonces) === record.seed };
    return;
  }
  yield { key: "verify.nonces", facts: {}, holds: areRevealed(deal, seal.nonces) };
  if (versionOf(deal) > 2) {
    yield { key: "verify.names", facts: {}, holds: areNamed(deal) };
    for (const seat of deletedNames(deal)) yield { key: "verify.deleted", facts: { n: seat + 1 }, holds: true };
  }
  yield { key: "verify.bound", facts: {}, holds: boundSeed(secret, deal, seal.nonces) === record.seed };
  const code = shortCode(deal, seal.nonces);
  yield { key: "verify.code", facts: { code }, holds: code === seal.code };
}

/** Check a game step by step, up to the first check that fails. */
export function* verify({ record, cards, dealt, steps }: Replay, receipt: Receipt | null): Generator<Checked> {
  if (!record.seal || !record.seed) return;
  for (const checked of verifySeal(record, receipt)) {
    yield checked;
    if (checked.holds === false) return;
  }
  const seed = fromHex(record.seed);
  const place = new Map(cards.map((card, i) => [card, i]));
  for (const [i, order] of dealt.entries()) {
    const k = i + 1;
    if (i < (record.deals?.length ?? 0)) {
      yield { key: "verify.written", facts: { k }, holds: false };
      return;
    }
    const sorted = order.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
    const worked = shuffle(seed, k, order.length).map((at) => sorted[at]);
    const holds = worked.every((card, at) => card === order[at]);
    yield { key: "verify.shuffle", facts: { k, n: order.length }, holds };
    if (!holds) return;
  }
  yield ending(record, steps);
}

/** A server hands out a record when its game is over: one that stops earlier lacks moves. Records
 * of version 1 may have been written by others. */
function ending(record: GameRecord, steps: ReplayStep[]): Checked {
  const facts = { n: record.moves.length };
  const last = steps.at(-1);
  if (last?.n === record.moves.length && last.view.over) return { key: "verify.over", facts, holds: true };
  return { key: "verify.unfinished", facts, holds: dealOf(record) ? false : null };
}
