/** Choosing among the sets of cards that can be captured, by clicking on cards of the table.
 *
 * The sets are those of the legal moves; nothing is added up here.
 */
import type { Tracked } from "$shell/cards/tracker";
import { readMove } from "./cards";

/** The sets that a card of the hand can capture now, or (null) those that can be claimed. */
export function setsFor(card: string | null, legal: readonly string[]): string[][] {
  return legal.flatMap((text) => {
    const move = readMove(text);
    const fits = card === null ? move.kind === "claim" : move.kind === "capture" && move.card === card;
    return fits && "taken" in move ? [move.taken] : [];
  });
}

/** Are all these cards in the set, each as often? */
export function within(cards: readonly string[], set: readonly string[]): boolean {
  const rest = [...set];
  return cards.every((card) => {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

export const alike = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && within(a, b);

/** The cards on the table that make up a set: those picked already first, else the ones that lie longest. */
export function find(set: readonly string[], open: readonly Tracked[], picked: readonly number[] = []): number[] {
  const rest = [...open].sort((a, b) => Number(picked.includes(b.id)) - Number(picked.includes(a.id)));
  return set.flatMap((card) => {
    const at = rest.findIndex((one) => one.card === card);
    return at < 0 ? [] : rest.splice(at, 1).map((one) => one.id);
  });
}

export const cardsOf = (picked: readonly number[], open: readonly Tracked[]): string[] =>
  open.filter((one) => picked.includes(one.id)).map((one) => one.card);

/** The picked cards after a click on a card of the table.
 *
 * A picked card is released. A card that leaves only one possible set completes it. A card of another
 * set starts a new pick. A card of no set is picked too: the player may try it.
 */
export function pick(id: number, picked: readonly number[], open: readonly Tracked[], sets: readonly string[][]): number[] {
  if (picked.includes(id)) return picked.filter((one) => one !== id);
  for (const wanted of [[...picked, id], [id]]) {
    const fitting = sets.filter((set) => within(cardsOf(wanted, open), set));
    const [only] = fitting;
    if (only && fitting.length === 1) return find(only, open, wanted);
    if (only) return wanted;
  }
  return [...picked, id];
}

/** Which of the sets is picked, whole; -1 for none. */
export const pickedSet = (picked: readonly number[], open: readonly Tracked[], sets: readonly string[][]): number =>
  sets.findIndex((set) => alike(cardsOf(picked, open), set));

/** The cards on the table that could be picked next on the way to some set. */
export function inReach(picked: readonly number[], open: readonly Tracked[], sets: readonly string[][]): number[] {
  const cards = cardsOf(picked, open);
  const fitting = sets.filter((set) => within(cards, set));
  const from = fitting.length ? fitting : sets;
  const so = fitting.length ? cards : [];
  return open
    .filter((one) => picked.includes(one.id) || from.some((set) => within([...so, one.card], set)))
    .map((one) => one.id);
}

