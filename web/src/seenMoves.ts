/** The moves of a game as this device was sent them, for its receipt. What was sent first counts: a
 * server that tells the past differently later does not change it. */
import type { ClientEvent } from "./wire";

/** `nonces` say which game it is. `version` is the last event that was counted. */
export interface SeenMoves {
  table: string;
  nonces: string[];
  version: number;
  moves: string[];
  over: boolean;
}

/** What was seen of a table's last game after one more event. While events are missing, those after
 * the gap do not count. */
export function seenAfter(seen: SeenMoves | null, table: string, version: number, event: ClientEvent): SeenMoves | null {
  if (seen && version <= seen.version) return seen;
  if (event.kind === "begun") return { table, nonces: event.nonces, version, moves: [], over: false };
  if (!seen || version > seen.version + 1) return seen;
  if (event.kind === "moved") return { ...seen, version, moves: [...seen.moves, event.move] };
  if (event.kind === "undone") return { ...seen, version, moves: seen.moves.slice(0, event.moves) };
  return { ...seen, version, over: seen.over || event.kind === "offered" };
}
