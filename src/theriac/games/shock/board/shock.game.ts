/** Shock!'s part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import DeckCard from "./DeckCard.svelte";
import ShockBoard from "./ShockBoard.svelte";
import ShockSeat from "./ShockSeat.svelte";
import { card, group, mark, move, shelf, thing, told } from "./words";

const shock: Board = {
  Board: ShockBoard,
  Seat: ShockSeat,
  perSeat: ["in_round", "on_bag", "front", "covered", "hands", "voids"],
  seats: ["leader"],
  card,
  move,
  group,
  thing,
  told,
  fewest: false,
  deck: { Card: DeckCard, shelf, mark },
};

export default shock;
