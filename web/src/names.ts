/** What a seat is called. */
import type { Level, Seat } from "./wire";
import type { Say } from "./words.svelte";

export function seatName(seat: Pick<Seat, "name" | "bot">, number: number, say: Say): string {
  if (seat.bot) return say("seat.bot", { n: number + 1 });
  return seat.name || say("seat.free", { n: number + 1 });
}

export function levelName(level: Level, say: Say): string {
  return say(`level.${level}`);
}
