/** Poison's part of the page. It draws what the server sends and knows no rule. */
import type { Board } from "$shell";
import Kitchen from "./Kitchen.svelte";
import PoisonBoard from "./PoisonBoard.svelte";
import PoisonSeat from "./PoisonSeat.svelte";
import PoisonSheet from "./PoisonSheet.svelte";
import PotionCard from "./PotionCard.svelte";
import { soFar } from "./reading";
import { steps, takenBy } from "./steps";
import { card, heading, move, outlook } from "./words";

const poison: Board = {
  Board: PoisonBoard,
  Seat: PoisonSeat,
  Scene: Kitchen,
  Sheet: PoisonSheet,
  theme: {
    "--scene": "light-dark(radial-gradient(90% 75% at 50% 40%, #fdf0dd, #e6cdb4 60%, #c9a689), radial-gradient(90% 70% at 50% 42%, #4a2a63 0%, #2c1740 42%, #170b22 78%, #0e0616 100%))",
    "--scene-turn": "light-dark(#5c2600, #ffcf70)",
  },
  facts(view, seat, say) {
    if (seat === null) return [];
    const owed = soFar(view, seat);
    const aside = (owed?.aside ?? []).map((colour) => say("fact.aside", { colour: say(`colour.${colour}`) }));
    // How many cards were taken is at the seat.
    return [...(owed?.points ? [say("seat.owed", { n: owed.points })] : []), ...aside];
  },
  moment({ before, after, seat, viewer, names, move: text }, say) {
    const more = seat == null || !before || !after ? 0 : takenBy({ before, after, seat });
    if (seat == null || !more) return null;
    const [potion = ""] = text.split("@");
    const detail = say(seat === viewer ? "moment.takes_you" : "moment.takes", { name: names[seat] ?? "", card: card(potion, say), n: more });
    return { text: say("moment.boils"), detail, tone: "bad", sound: "spill" };
  },
  steps,
  Card: PotionCard,
  parts(text) {
    const [card, cauldron] = text.split("@");
    return { card: card ?? null, at: null, place: `cauldron ${cauldron}` };
  },
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
  outlook,
  lowestWins: true,
  deck: { Card: PotionCard, heading },
};

export default poison;
