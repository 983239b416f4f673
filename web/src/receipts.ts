/** What this device keeps of each deal: its own nonce, what the server showed, and the receipt. It
 * survives a reload, and the server cannot change it. */
import { canonical, newNonce, seatCommitment } from "./seal";
import type { SeenMoves } from "./seenMoves";
import type { SealedDeal, TableInfo } from "./wire";

/** What `theriac verify --receipt` reads. It gets the moves when the game is over, if this device saw
 * all of them. */
export interface Receipt {
  theriac_receipt: 2 | 3;
  deal: SealedDeal;
  nonces: string[];
  code: string;
  seat: number | null;
  nonce: string | null;
  moves?: string[];
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
const MOVES = "theriac.moves";
/** The oldest are dropped: of nonces and receipts, and of games in play. */
const MOST_KEPT = 60;
const MOST_IN_PLAY = 12;

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

/** Keep what was seen of a game so far; when it is over, in its receipt. */
export function keepMoves(seen: SeenMoves): void {
  const others = read<SeenMoves>(MOVES).filter(({ table }) => table !== seen.table);
  localStorage.setItem(MOVES, JSON.stringify([...others, seen].slice(-MOST_IN_PLAY)));
  if (!seen.over) return;
  const receipts = read<Receipt>(RECEIPTS);
  const its = ({ deal, nonces }: Receipt) => deal?.table === seen.table && canonical(nonces) === canonical(seen.nonces);
  const last = receipts.findLastIndex(its);
  const withMoves = receipts.map((kept, i) => (i === last && !kept.moves ? { ...kept, moves: seen.moves } : kept));
  localStorage.setItem(RECEIPTS, JSON.stringify(withMoves));
}

/** What was seen of the last game of a table, also before a reload. */
export function keptMoves(table: string): SeenMoves | null {
  return read<SeenMoves>(MOVES).find((seen) => seen.table === table) ?? null;
}

/** Give the player a receipt as a file. */
export function saveReceipt(receipt: Receipt): void {
  const link = document.createElement("a");
  const blob = new Blob([JSON.stringify(receipt, null, 1)], { type: "application/json" });
  link.href = URL.createObjectURL(blob);
  link.download = `receipt-${receipt.deal.table}-${receipt.deal.number}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The receipt of a game: as it was when the game began, and its moves when it is over. */
export function receiptOf(table: string, number: number): Receipt | null {
  const found = read<Receipt>(RECEIPTS).find((kept) => kept.deal?.table === table && kept.deal.number === number);
  return found ?? null;
}
