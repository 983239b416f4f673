/** The dungeon's part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import { readMove } from "./cards";
import DungeonBoard from "./DungeonBoard.svelte";
import DungeonSeat from "./DungeonSeat.svelte";
import FortCard from "./FortCard.svelte";
import Fortress from "./Fortress.svelte";
import { ended, facts, moment } from "./moments";
import { card, group, move, heading, object, outcome, outlook } from "./words";

const dungeon: Board = {
  Board: DungeonBoard,
  Seat: DungeonSeat,
  Scene: Fortress,
  theme: {
    "--scene": "light-dark(radial-gradient(90% 80% at 50% 42%, #fbf0d6, #ead7ab 62%, #d3b982), radial-gradient(90% 75% at 50% 45%, #2a2a33 0%, #15181f 60%, #0a0b10 100%))",
    "--scene-ink": "light-dark(#2c2010, #f5ead2)",
    "--scene-faint": "light-dark(#5c4a2c, #c9bda2)",
    "--scene-chip": "light-dark(rgb(255 252 240 / 82%), rgb(40 44 56 / 88%))",
    "--scene-turn": "light-dark(#8a3d05, #ffcf70)",
    // The cards are square: their row is lower, so that the fort has more room; but not on a phone on its side.
    "--hand-height": "calc(var(--card-scale, 1) * clamp(min(6rem, 17.5cqh), min(max(17.5cqh, min(6.6rem, 27cqh, 13cqw)), 30cqw), 20rem))",
  },
  facts,
  moment,
  ended,
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
  outlook,
  lowestWins: false,
  together: true,
  drawsClock: true,
  clocked: {
    words: ({ minutes }, say) => (Number(minutes) > 0 ? say("clock.runs", { n: Number(minutes) }) : null),
    without: { minutes: 0 },
  },
  deck: { Card: FortCard, heading },
};

export default dungeon;
