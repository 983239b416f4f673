/** How a potion is brewed: it arrives in the cauldron, the sum rises, then the brew may boil over. */
import type { SeenMove, View } from "$shell";
import { endsRound, heldAfter, leftBehind, onTheWay } from "$shell/steps";
import { cauldrons, numbersOf, readSheet, seatFacts, valueOf } from "./reading";

export function steps(played: SeenMove): View[] {
  const { move, before, seat } = played;
  const [card = "", number = ""] = move.split("@");
  const brewing = cauldrons(before.table);
  const into = brewing[Number(number) - 1];
  if (seat === null || !into) return [];
  const seats = before.scores.map((_, i) => seatFacts(before, i));
  const piles = before.table["piles"];
  const value = valueOf(card, numbersOf(before)) ?? 0;
  const brew = (inside: string[], sum: number, taken = 0): View =>
    onTheWay(played, card, {
      cauldrons: brewing.map((one) => (one === into ? inside : one.cards)),
      sums: brewing.map((one) => (one === into ? sum : one.sum)),
      taken: seats.map((one, i) => one.taken + (i === seat ? taken : 0)),
      ...(Array.isArray(piles) && taken && { piles: piles.map((pile, i) => (i === seat && Array.isArray(pile) ? [...pile, ...into.cards] : pile)) }),
      hands: heldAfter(seats.map(({ held }) => held), seat),
    });
  const all = [...into.cards, card];
  const takes = takenBy(played);
  const found = [brew(all, into.sum)];
  if (takes || endsRound(played)) found.push(brew(all, into.sum + value));
  if (!endsRound(played)) return found;
  if (takes) found.push(brew([card], value, takes));
  return [...found.slice(0, -1), ...found.slice(-1).map((view) => leftBehind(view, played))];
}

/** How many cards the player of a move takes. What a round brought is in its sheet once it is over. */
export function takenBy(played: Pick<SeenMove, "before" | "after" | "seat">): number {
  const { before, after, seat } = played;
  if (seat === null) return 0;
  const over = before.round !== after.round || after.over;
  const taken = over && after.sheet?.["round"] === before.round ? readSheet(after.sheet)[seat]?.cards.length : seatFacts(after, seat).taken;
  return Math.max(0, (taken ?? 0) - seatFacts(before, seat).taken);
}
