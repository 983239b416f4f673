/** What a client checks of a deal before it reveals its nonce, and when the game begins. */
import type { KeptNonce, Receipt } from "./receipts";
import { areRevealed, canonical, shortCode } from "./seal";
import type { Checked } from "./verify";
import type { TableInfo } from "./wire";

/** Check the deal of a table against what this device kept. */
export function* checkDeal(
  info: TableInfo,
  seat: number | null,
  kept: KeptNonce | null,
  receipt: Receipt | null,
): Generator<Checked> {
  const { deal, nonces } = info.sealed ?? {};
  const playing = info.stage === "playing";
  const own = kept && kept.seat === seat ? kept : null;
  if (!deal) {
    if (playing && own) yield { key: "seal.unsealed", facts: {}, holds: false };
    return;
  }
  if (own) {
    const same = deal.commitment === own.shown && deal.commitments[own.seat] === own.commitment;
    yield { key: "seal.shown", facts: {}, holds: same };
  } else if (seat !== null) {
    yield { key: "seal.elsewhere", facts: {}, holds: null };
  }
  const options = Object.entries(deal.options).every(
    ([name, value]) => canonical(value) === canonical(info.options[name]),
  );
  const names = canonical(deal.seats.map(({ name }) => name)) === canonical(info.seats.map(({ name }) => name));
  const place = deal.table === info.table && deal.game === info.game && deal.number === info.games + 1;
  const counted = deal.called_off === (info.called_off ?? 0);
  yield { key: "seal.terms", facts: { n: deal.number }, holds: options && names && place && counted };
  if (!playing) return;
  yield { key: "seal.nonces", facts: {}, holds: !!nonces && areRevealed(deal, nonces) };
  if (own) yield { key: "seal.own", facts: {}, holds: nonces?.[own.seat] === own.nonce };
  if (receipt) {
    const same = canonical([receipt.deal, receipt.nonces]) === canonical([deal, nonces]);
    yield { key: "seal.same", facts: {}, holds: same };
  }
}

/** The receipt of a deal whose nonces are all known. */
export function receiptFor(info: TableInfo, seat: number | null, kept: KeptNonce | null): Receipt | null {
  const { deal, nonces } = info.sealed ?? {};
  if (!deal || !nonces) return null;
  const nonce = kept && kept.seat === seat ? kept.nonce : null;
  return { theriac_receipt: 2, deal, nonces, code: shortCode(deal, nonces), seat: nonce === null ? null : seat, nonce };
}
