/** Shokoba's part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import ShokobaBoard from "./ShokobaBoard.svelte";
import ShokobaSeat from "./ShokobaSeat.svelte";
import GemCard from "./GemCard.svelte";
import { card, move, shelf, told } from "./words";

const shokoba: Board = {
  Board: ShokobaBoard,
  Seat: ShokobaSeat,
  perSeat: ["hands", "captured", "shokobas"],
  seats: ["dealer", "last_capture"],
  card,
  move,
  told,
  fewest: false,
  deck: { Card: GemCard, shelf },
};

export default shokoba;
