/** For boards: the tables that a move passes through (`steps` of a Board). */
import type { SeenMove, Value, View } from "./board";

/** Does a move end the round? Then the view after it shows the next deal. */
export const endsRound = ({ before, after }: SeenMove): boolean => before.round !== after.round || (after.over && !before.over);

/** A table on the way: as it was, but for what is named, and without the card in the hand that played it. */
export function onTheWay({ before, seat, viewer }: SeenMove, card: string | null, table: Record<string, Value>): View {
  const at = card !== null && seat === viewer ? (before.hand?.indexOf(card) ?? -1) : -1;
  return {
    ...before,
    legal: [],
    to_act: seat === viewer ? null : before.to_act,
    table: { ...before.table, ...table },
    ...(before.hand && { hand: before.hand.filter((_, i) => i !== at) }),
  };
}

/** The table as a round left it: nobody is to act, and the points are those of its sheet. */
export const leftBehind = (view: View, { after }: SeenMove): View => ({ ...view, to_act: null, scores: after.scores });

/** The cards that each seat holds, one less for who has played. */
export const heldAfter = (held: readonly number[], seat: number | null): number[] => held.map((n, i) => n - Number(i === seat));
