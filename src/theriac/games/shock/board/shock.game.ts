/** Shock!'s part of the recent. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import { readMove } from "./cards";
import DeckCard from "./DeckCard.svelte";
import HandCard from "./HandCard.svelte";
import ShockBoard from "./ShockBoard.svelte";
import ShockSeat from "./ShockSeat.svelte";
import { card, group, mark, move, heading, object, outcome } from "./words";

const shock: Board = {
  Board: ShockBoard,
  Seat: ShockSeat,
  Card: HandCard,
  parts(text) {
    const made = readMove(text);
    return { card: "card" in made ? made.card : null, at: null };
  },
  perSeat: ["in_round", "on_bag", "front", "covered", "hands", "voids"],
  seats: ["leader"],
  card,
  move,
  group,
  object,
  outcome,
  lowestWins: false,
  deck: { Card: DeckCard, heading, mark },
};

export default shock;
