/** The dungeon's part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import { readMove } from "./cards";
import DungeonBoard from "./DungeonBoard.svelte";
import DungeonSeat from "./DungeonSeat.svelte";
import FortCard from "./FortCard.svelte";
import { card, group, move, heading, object, outcome } from "./words";

const dungeon: Board = {
  Board: DungeonBoard,
  Seat: DungeonSeat,
  Card: FortCard,
  parts(text) {
    const made = readMove(text);
    const at = made?.x === undefined ? null : `${made.x},${made.y}`;
    return { card: made?.kind === "lay" ? made.card : null, at };
  },
  perSeat: ["hands"],
  seats: [],
  card,
  move,
  group,
  object,
  outcome,
  lowestWins: false,
  deck: { Card: FortCard, heading },
};

export default dungeon;
