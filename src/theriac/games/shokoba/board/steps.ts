/** How a round ends: the last card is laid or captures, then what is left goes to who captured last. */
import type { SeenMove, View } from "$shell";
import { endsRound, heldAfter, leftBehind, onTheWay } from "$shell/steps";
import { readMove } from "./cards";
import { readSheet, readTable, sidesOf, type Situation } from "./reading";

export function steps(played: SeenMove): View[] {
  const { move: text, before, after, seat } = played;
  const sheet = endsRound(played) ? readSheet(after) : null;
  if (!sheet || seat === null) return [];
  const move = readMove(text);
  const card = "card" in move ? move.card : null;
  const was = readTable(before.table);
  const open = openAfter(was, text);
  const sides = sidesOf(before);
  /** Partners have one pile. */
  const more = (captured: number[], taker: number | null, n: number) =>
    captured.map((had, i) => had + (sides.some((side) => side.includes(i) && taker !== null && side.includes(taker)) ? n : 0));
  const captured = more(was.captured, seat, was.open.length + Number(card !== null) - open.length);
  const made = onTheWay(played, card, {
    open, captured, hands: heldAfter(was.hands, card === null ? null : seat), last_capture: sheet.lastCapture,
  });
  const left = { ...made, table: { ...made.table, open: [], captured: more(captured, sheet.lastCapture, sheet.left.length) } };
  return sheet.left.length && sheet.lastCapture !== null ? [made, leftBehind(left, played)] : [leftBehind(made, played)];
}

/** The open cards after a move. */
function openAfter({ open }: Situation, text: string): string[] {
  const move = readMove(text);
  if (move.kind === "pass") return open;
  if (!("taken" in move)) return [...open, move.card];
  // A claimed card lies last on the table.
  const rest = move.kind === "claim" ? open.slice(0, -1) : [...open];
  for (const one of move.taken) if (rest.includes(one)) rest.splice(rest.indexOf(one), 1);
  return rest;
}
