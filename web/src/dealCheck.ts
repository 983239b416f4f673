/** What a client checks of a deal before it reveals its nonce, and when the game begins. */
import type { KeptNonce, Receipt } from "./receipts";
import { areNamed, areRevealed, boundPart, canonical, deletedNames, shortCode, versionOf } from "./seal";
import type { Checked } from "./verify";
import type { SealedDeal, TableInfo } from "./wire";

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
  if (!deal && info.deal_of) {
    yield { key: "seal.known", facts: {}, holds: null };
    return;
  }
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
  const names = areNamed(deal) && areAtTable(deal, info);
  const place = deal.table === info.table && deal.game === info.game && deal.number === info.games + 1;
  const counted = deal.called_off === (info.called_off ?? 0);
  yield { key: "seal.terms", facts: { n: deal.number }, holds: options && names && place && counted };
  if (!playing) return;
  yield { key: "seal.nonces", facts: {}, holds: !!nonces && areRevealed(deal, nonces) };
  if (own) yield { key: "seal.own", facts: {}, holds: nonces?.[own.seat] === own.nonce };
  if (receipt) {
    const same = canonical([boundPart(receipt.deal), receipt.nonces]) === canonical([boundPart(deal), nonces]);
    yield { key: "seal.same", facts: {}, holds: same };
  }
}

/** Are the names of the deal those at the table? While the game is played, a person can be removed
 * or deleted, and a bot gets the seat. Before it begins, nobody may be missing. */
function areAtTable(deal: SealedDeal, { seats, stage }: TableInfo): boolean {
  const playing = stage === "playing";
  if (deal.seats.length !== seats.length || (!playing && deletedNames(deal).length)) return false;
  return seats.every(({ name, bot }, seat) => (playing && bot !== null) || name === deal.seats[seat]?.name);
}

/** The receipt of a deal whose nonces are all known. */
export function receiptFor(info: TableInfo, seat: number | null, kept: KeptNonce | null): Receipt | null {
  const { deal, nonces } = info.sealed ?? {};
  if (!deal || !nonces) return null;
  const nonce = kept && kept.seat === seat ? kept.nonce : null;
  const number = versionOf(deal);
  return { theriac_receipt: number, deal, nonces, code: shortCode(deal, nonces), seat: nonce === null ? null : seat, nonce };
}
