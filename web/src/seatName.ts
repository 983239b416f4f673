import type { SeatInfo } from "./wire";
import type { Say } from "./words.svelte";

/** What to call a seat: its player's nickname, "Bot 2" or "Free seat 3". */
export function seatName(seat: Pick<SeatInfo, "name" | "bot">, index: number, say: Say): string {
  if (seat.bot) return say("seat.bot", { n: index + 1 });
  return seat.name || say("seat.free", { n: index + 1 });
}
