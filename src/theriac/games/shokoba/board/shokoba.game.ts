/** Shokoba's part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import Bench from "./Bench.svelte";
import { readMove } from "./cards";
import GemCard from "./GemCard.svelte";
import { readTable } from "./reading";
import ShokobaBoard from "./ShokobaBoard.svelte";
import ShokobaSeat from "./ShokobaSeat.svelte";
import ShokobaSheet from "./ShokobaSheet.svelte";
import { steps } from "./steps";
import { card, heading, moment, move, outcome, outlook } from "./words";

const shokoba: Board = {
  Board: ShokobaBoard,
  Seat: ShokobaSeat,
  Scene: Bench,
  Sheet: ShokobaSheet,
  theme: {
    "--scene": "light-dark(linear-gradient(#e9d3ae, #c99f6a), linear-gradient(#3a2416, #1a0e07))",
    "--scene-ink": "light-dark(#1d2b20, #fbf1dc)",
    "--scene-faint": "light-dark(#34473a, #d5dcc4)",
    "--scene-chip": "light-dark(rgb(255 255 255 / 66%), rgb(0 14 8 / 42%))",
    "--scene-line": "light-dark(rgb(20 50 30 / 32%), rgb(255 236 190 / 26%))",
    "--scene-turn": "light-dark(#6e3b00, #ffd76a)",
    // On a phone on its side: the hand is of three cards, and the gems have room to spare.
    "--hand-on-side": "clamp(6.2rem, 32cqh, 8rem)",
  },
  seating: "row",
  facts(view, seat, say) {
    const table = readTable(view.table);
    const found = [table.deck ? say("fact.deck", { n: table.deck }) : say("fact.last")];
    if (seat === null) return found;
    const called = table.shokobas[seat] ?? 0;
    return [...found, say("seat.points", { n: view.scores[seat] ?? 0 }), ...(called ? [say("pile.shokobas", { n: called })] : [])];
  },
  moment,
  steps,
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
  outlook,
  lowestWins: false,
  deck: { Card: GemCard, heading },
};

export default shokoba;
