import { nameOf, type Character } from "./characters/characters";
import type { SeatInfo } from "./wire";
import { currentLanguage, type Say } from "./words.svelte";

/** What to call a seat: its player's nickname, the name of its bot, or "Free seat 3". */
export function seatName(seat: Pick<SeatInfo, "name" | "bot">, index: number, character: Character | null, say: Say): string {
  if (seat.bot) return character ? nameOf(character, currentLanguage()) : say("seat.bot", { n: index + 1 });
  return seat.name || say("seat.free", { n: index + 1 });
}
