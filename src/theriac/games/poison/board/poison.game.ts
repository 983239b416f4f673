/** Poison's part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import Cauldrons from "./Cauldrons.svelte";
import PoisonSeat from "./PoisonSeat.svelte";
import PotionCard from "./PotionCard.svelte";
import { card, move, heading } from "./words";

const poison: Board = {
  Board: Cauldrons,
  Seat: PoisonSeat,
  Card: PotionCard,
  parts: (text) => ({ card: text.split("@")[0] ?? null, at: null }),
  perSeat: ["hands", "taken", "piles"],
  seats: ["dealer"],
  card,
  move,
  outcome({ move: text, before, after }, say) {
    const seat = before?.to_act;
    const taken = (view: typeof before) => {
      const numbers = view?.table["taken"];
      return Array.isArray(numbers) && seat != null ? Number(numbers[seat]) : NaN;
    };
    const more = taken(after) - taken(before);
    const words = move(text, say);
    return more > 0 ? say("log.took", { move: words, n: more }) : words;
  },
  lowestWins: true,
  deck: { Card: PotionCard, heading },
};

export default poison;
