/** Shokoba's part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import { readMove } from "./cards";
import GemCard from "./GemCard.svelte";
import ShokobaBoard from "./ShokobaBoard.svelte";
import ShokobaSeat from "./ShokobaSeat.svelte";
import { card, move, heading, outcome } from "./words";

const shokoba: Board = {
  Board: ShokobaBoard,
  Seat: ShokobaSeat,
  Card: GemCard,
  parts(text) {
    const made = readMove(text);
    return { card: "card" in made ? made.card : null, at: null };
  },
  perSeat: ["hands", "captured", "shokobas"],
  seats: ["dealer", "last_capture"],
  card,
  move,
  outcome,
  lowestWins: false,
  deck: { Card: GemCard, heading },
};

export default shokoba;
