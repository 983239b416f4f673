/** Shock!'s part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import { inOrder, readMove } from "./cards";
import DeckCard from "./DeckCard.svelte";
import HandCard from "./HandCard.svelte";
import { facts, moment } from "./moments";
import RoundEnd from "./RoundEnd.svelte";
import ShockBoard from "./ShockBoard.svelte";
import ShockSeat from "./ShockSeat.svelte";
import { steps } from "./steps";
import Vault from "./Vault.svelte";
import { card, group, mark, move, heading, object, outcome, outlook } from "./words";

const shock: Board = {
  Board: ShockBoard,
  Seat: ShockSeat,
  Scene: Vault,
  theme: {
    "--scene": "light-dark(radial-gradient(90% 80% at 50% 35%, #f7ecd6, #dcc49b 62%, #b8965f), radial-gradient(80% 70% at 50% 42%, #4d3c2e 0%, #33271e 40%, #1b1410 76%, #0d0908 100%))",
    "--scene-ink": "light-dark(#2b1a0a, #f8ecd9)",
    "--scene-faint": "light-dark(#553b1c, #d9c4a6)",
    "--scene-chip": "light-dark(rgb(255 250 238 / 82%), rgb(255 236 205 / 13%))",
    "--scene-turn": "light-dark(#431a00, #ffcf70)",
  },
  seating: "ring",
  facts,
  moment,
  steps,
  Sheet: RoundEnd,
  Card: HandCard,
  inOrder,
  parts(text) {
    const made = readMove(text);
    return { card: "card" in made ? made.card : null, at: null };
  },
  perSeat: ["in_round", "on_bag", "front", "covered", "hands", "voids", "blood"],
  seats: ["leader"],
  card,
  move,
  group,
  object,
  outcome,
  outlook,
  lowestWins: false,
  deck: { Card: DeckCard, heading, mark },
};

export default shock;
