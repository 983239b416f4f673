/** What this device keeps of each deal: its own nonce, what the server showed, and the receipt. It
 * survives a reload, and the server cannot change it. */
import { newNonce, seatCommitment } from "./seal";
import type { SealedDeal, TableInfo } from "./wire";

/** What `theriac verify --receipt` reads. */
export interface Receipt {
  theriac_receipt: 2 | 3;
  deal: SealedDeal;
  nonces: string[];
  code: string;
  seat: number | null;
  nonce: string | null;
}

/** A nonce, kept before the commitment to it is sent. `shown` is the server's commitment; table,
 * number and called_off say for which deal. */
export interface KeptNonce {
  table: string;
  number: number;
  called_off: number;
  shown: string;
  seat: number;
  nonce: string;
  commitment: string;
}

const NONCES = "theriac.nonces";
const RECEIPTS = "theriac.receipts";
/** The oldest are dropped. */
const MOST_KEPT = 60;

function read<T>(key: string): T[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? (kept as T[]) : [];
  } catch {
    return [];
  }
}

function add<T>(key: string, entry: T): void {
  localStorage.setItem(key, JSON.stringify([...read<T>(key), entry].slice(-MOST_KEPT)));
}

/** Draw a nonce for a seat in the next deal of a table, and keep it. */
export function keepNonce(info: TableInfo, seat: number): KeptNonce {
  const nonce = newNonce();
  const shown = info.commitment;
  const commitment = seatCommitment(shown, seat, nonce);
  const deal = { table: info.table, number: info.games + 1, called_off: info.called_off ?? 0 };
  const kept = { ...deal, shown, seat, nonce, commitment };
  add(NONCES, kept);
  return kept;
}

/** What this device committed to for the deal of a table that is sealed or in play; null if it did
 * not. */
export function keptNonce({ table, games, called_off = 0 }: TableInfo): KeptNonce | null {
  const mine = (kept: KeptNonce) =>
    kept.table === table && kept.number === games + 1 && kept.called_off === called_off;
  return read<KeptNonce>(NONCES).findLast(mine) ?? null;
}

export function keepReceipt(receipt: Receipt): void {
  if (!receiptOf(receipt.deal.table, receipt.deal.number)) add(RECEIPTS, receipt);
}

/** The receipt of a game, as it was when the game began. */
export function receiptOf(table: string, number: number): Receipt | null {
  const found = read<Receipt>(RECEIPTS).find((kept) => kept.deal?.table === table && kept.deal.number === number);
  return found ?? null;
}
