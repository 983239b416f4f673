/** A table for one player against bots. */
import * as api from "./api";
import { identify } from "./player.svelte";
import type { GameInfo, Level } from "./wire";

const STORAGE_KEY = "theriac.level";

/** The level of bots that was chosen last. */
export function lastLevel(): Level {
  return (localStorage.getItem(STORAGE_KEY) as Level | null) ?? "medium";
}

/** Open a table for the player and bots. Returns the path of its page, which takes seat 0. */
export async function openBotTable(game: GameInfo, level: Level): Promise<string> {
  localStorage.setItem(STORAGE_KEY, level);
  const { key } = await identify();
  const seats = [null, ...Array<Level>(game.usual_players - 1).fill(level)];
  const { table } = await api.open(key, { game: game.name, seats });
  return `/table/${table}?sit=0`;
}
