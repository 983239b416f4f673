/** What a move passes through: its card lies in the trick, then the trick is won and a door or the chest opens. */
import type { SeenMove, View } from "$shell";
import { endsRound, heldAfter, leftBehind, onTheWay } from "$shell/steps";
import { HIDDEN, readKind, readMove } from "./cards";
import { read, readSheet, type Sheet, type Situation } from "./reading";

export function steps(played: SeenMove): View[] {
  const { move: text, before, after, seat } = played;
  if (seat === null) return [];
  const move = readMove(text);
  const card = "card" in move ? move.card : null;
  const was = read(before);
  const trick = card === null ? was.trick : [...was.trick, { seat, card: move.kind === "play" ? card : HIDDEN, jewels: 0 }];
  const complete = trick.length === was.hands.length;
  const table = { trick: trick.map((one) => ({ ...one })), hands: heldAfter(was.hands, card === null ? null : seat) };
  const laid = card === null ? [] : [onTheWay(played, card, table)];
  if (!endsRound(played)) return complete ? laid : [];
  const sheet = readSheet(after, before.round);
  if (!sheet) return laid;
  const end = onTheWay(played, card, { ...table, trick: complete ? [] : table.trick, ...lastChanges(was, sheet) });
  return [...laid, leftBehind({ ...end, recalled: recalledAtEnd(played, sheet) }, played)];
}

/** What the last move changed on the table, as the sheet tells it. */
function lastChanges(was: Situation, { revealed, seats }: Sheet) {
  const kind = revealed === null ? null : readKind(revealed);
  return {
    in_round: was.inRound.map((inside, seat) => inside && seats[seat]?.how === "stayed"),
    on_bag: was.onBag.map((n, seat) => (seats[seat]?.how === "shock" ? 0 : seats[seat]?.how === "stayed" ? seats[seat].bagged : n)),
    middle: kind ? [...was.middle, kind] : was.middle,
    chest_left: was.chestLeft - Number(revealed !== null),
  };
}

function recalledAtEnd({ before }: SeenMove, { winner, revealed }: Sheet): NonNullable<View["recalled"]> {
  const seen = read(before).revealed;
  return {
    ...before.recalled,
    asked: "card",
    winner,
    best: null,
    revealed: revealed === null ? seen : { ...seen, [revealed]: (seen[revealed] ?? 0) + 1 },
  };
}
