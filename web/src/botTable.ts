/** A table for one player against bots. */
import * as api from "./api";
import { identify } from "./player.svelte";
import type { DealOf, GameInfo, Level, Value } from "./wire";

const STORAGE_KEY = "theriac.level";
const GAME_KEY = "theriac.game";

/** The paths of tables that were opened by the address of their game: they ask nothing before they begin. */
export const startsAtOnce = new Set<string>();

/** The game that was played last; null on the first visit. */
export const lastGame = (): string | null => localStorage.getItem(GAME_KEY);

/** The level of bots that was chosen last. */
export function lastLevel(): Level {
  return (localStorage.getItem(STORAGE_KEY) as Level | null) ?? "medium";
}

/** Keep the level that the player chose. */
export const keepLevel = (level: Level): void => localStorage.setItem(STORAGE_KEY, level);

/** Open a table for the player and bots. Returns the path of its page, which takes seat 0. */
export async function openBotTable(game: GameInfo, level: Level, players = game.usual_players, options: Record<string, Value> = {}): Promise<string> {
  localStorage.setItem(GAME_KEY, game.name);
  const { key } = await identify();
  const seats = [null, ...Array<Level>(players - 1).fill(level)];
  const { table } = await api.open(key, { game: game.name, seats, options });
  return `/table/${table}?sit=0`;
}

/** Open a table with the deal of a finished game, where the player has one seat and bots the others; with `after`,
 * it goes on after that many moves. Returns the path of its page. */
export async function openKnownDeal(game: string, of: DealOf, bots: (Level | null)[], seat: number): Promise<string> {
  const { key } = await identify();
  const seats = bots.map((level, i) => (i === seat ? null : (level ?? lastLevel())));
  const { table } = await api.open(key, { game, seats, deal_of: of });
  return `/table/${table}?sit=${seat}`;
}
