/** What a move did, found by comparing the views before and after it. */
import type { View } from "$shell";
import { readMove, type Move } from "./cards";
import { read, readSheet, type Laid, type Sheet, type Situation } from "./reading";

export interface MoveEffect {
  seat: number;
  move: Move;
  /** The trick that it completed; the jewels on the last card are not known. */
  trick: Laid[] | null;
  /** Who won that trick; null where it is not known. */
  winner: number | null;
  /** The card of the chest or the door that it revealed. */
  revealed: string | null;
  /** How many more jewels each seat has on its bag. */
  gains: number[];
  /** Who is out by a shock. */
  shocked: number[];
  /** The cards newly in front of each seat, and those newly covered there. */
  fronted: string[][];
  covered: string[][];
  /** How the round ended, if it did. */
  sheet: Sheet | null;
  roundOver: boolean;
}

export function effectOf(text: string, before: View, after: View): MoveEffect | null {
  const seat = before.to_act;
  if (seat === null || before.game !== after.game) return null;
  const [was, is] = [read(before), read(after)];
  const move = readMove(text);
  const sameRound = before.round === after.round;
  const roundOver = !sameRound || after.over;
  const sheet = roundOver ? readSheet(after, before.round) : null;
  const card = "card" in move ? move.card : null;
  const completed = card !== null && is.trick.length === 0;
  const leaves = (one: number) => move.kind === "withdraw" && one === seat;
  const grown = (rows: (table: Situation) => string[][]) =>
    was.hands.map((_, one) => (sameRound ? (rows(is)[one] ?? []).slice(rows(was)[one]?.length ?? 0) : []));
  return {
    seat,
    move,
    trick: completed ? [...was.trick, { seat, card: move.kind === "play" ? card : "~", jewels: 0 }] : null,
    winner: completed && was.trick.length + 1 === was.hands.length ? (sheet ?? is).winner : null,
    revealed: sheet ? sheet.revealed : newCard(was.revealed, is.revealed),
    gains: was.onBag.map((n, one) => (roundOver ? 0 : Math.max(0, (is.onBag[one] ?? 0) - n))),
    shocked: sheet
      ? sheet.seats.flatMap(({ how }, one) => (how === "shock" ? [one] : []))
      : was.hands.flatMap((_, one) => (was.inRound[one] && !is.inRound[one] && !leaves(one) ? [one] : [])),
    fronted: grown((table) => table.front),
    covered: grown((table) => table.covered),
    sheet,
    roundOver,
  };
}

function newCard(before: Record<string, number>, after: Record<string, number>): string | null {
  return Object.keys(after).find((card) => (after[card] ?? 0) > (before[card] ?? 0)) ?? null;
}
