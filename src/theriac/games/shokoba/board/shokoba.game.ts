/** Shokoba's part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import ShokobaBoard from "./ShokobaBoard.svelte";
import ShokobaSeat from "./ShokobaSeat.svelte";
import { card, move, told } from "./words";

const shokoba: Board = {
  Board: ShokobaBoard,
  Seat: ShokobaSeat,
  perSeat: ["hands", "captured", "shokobas"],
  seats: ["dealer", "last_capture"],
  card,
  move,
  told,
  fewest: false,
};

export default shokoba;
