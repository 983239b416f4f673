/** The running score of this evening: the games that this browser saw to their end, a game counted once. */
import type { View } from "../wire";

export interface Evening {
  played: number;
  won: number;
}

const STORAGE_KEY = "theriac.evening";
/** A pause this long begins a new evening, in milliseconds. */
const PAUSE = 4 * 3600_000;

interface Stored {
  at: number;
  games: Record<string, boolean>;
}

function stored(): Stored {
  const empty = { at: Date.now(), games: {} };
  try {
    const found = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") as Stored | null;
    return found && Date.now() - found.at < PAUSE ? found : empty;
  } catch {
    return empty;
  }
}

/** Count a game that is over, and return the evening so far. */
export function countGame(game: string, table: string, number: number, view: View, seat: number): Evening {
  const { games } = stored();
  games[`${game} ${table} ${number}`] = view.winners.includes(seat);
  localStorage.setItem(STORAGE_KEY, JSON.stringify({ at: Date.now(), games }));
  const results = Object.entries(games).flatMap(([name, won]) => (name.startsWith(`${game} `) ? [won] : []));
  return { played: results.length, won: results.filter(Boolean).length };
}
