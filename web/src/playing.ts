/** A table against bots. */
import * as api from "./api";
import { become } from "./person.svelte";
import type { GameTold, Level } from "./wire";

const KEPT = "theriac.level";

/** The level of bots that was chosen last. */
export function usualLevel(): Level {
  return (localStorage.getItem(KEPT) as Level | null) ?? "medium";
}

/** Open a table for one and bots; the path where one sits down at it. */
export async function openAgainstBots(game: GameTold, name: string, level: Level): Promise<string> {
  localStorage.setItem(KEPT, level);
  const { key } = await become(name);
  const seats = [null, ...Array<Level>(game.usual_players - 1).fill(level)];
  const { table } = await api.open(key, { game: game.name, seats });
  return `/table/${table}?sit=0`;
}
