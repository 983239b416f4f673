/** What has its scene in the dungeon, and what the status line says. */
import type { Moment, PlayedMove, Say, View } from "$shell";
import { readFace, readMove } from "./cards";
import { readKnown, readTable, stands } from "./reading";

export function moment({ move, before, after, names, seat }: PlayedMove, say: Say): Moment | null {
  if (!before || !after) return null;
  const [was, is] = [readTable(before.table), readTable(after.table)];
  if (is.outcome !== null && was.outcome === null) return ending(is.outcome, is.why, after, say);
  if (!readKnown(before).knightIsDue && readKnown(after).knightIsDue) {
    return { text: say("moment.knight"), detail: say("knight.theirs", { name: names[seat ?? 0] ?? "" }), tone: "bad", sound: "shock" };
  }
  const made = readMove(move);
  if (made?.kind === "cast") {
    return { text: say(`moment.${made.spell}`), ...(seat != null && { detail: names[seat] ?? "" }), tone: "wonder", sound: "spill" };
  }
  if (was.talk && !is.talk) return { text: say("moment.silence_falls"), detail: say("bar.silence"), tone: "bad", sound: "stone" };
  return null;
}

function ending(outcome: string, why: string | null, after: View, say: Say): Moment {
  const [detail = ""] = ended(after, say);
  if (outcome !== "won") return { text: say(`moment.lost.${why ?? ""}`), detail, tone: "bad", sound: "lose" };
  return { text: say("moment.won"), detail, tone: "good", sound: "win" };
}

export function facts(view: View, _seat: number | null, say: Say): string[] {
  const table = readTable(view.table);
  if (table.why !== null) return [say(`why.${table.why}`)];
  return [
    ...(table.talk ? [] : [say("bar.silence")]),
    ...(readKnown(view).knightIsDue ? [say("fact.knight")] : []),
    ...(table.level ? [say("bar.level", { level: table.level })] : []),
  ];
}

/** The story of a game that has ended: why, what was reached, and what was missing. */
export function ended(view: View, say: Say): string[] {
  const { fort, pile, why, outcome } = readTable(view.table);
  if (why === null) return [];
  const worst = Math.max(0, ...fort.filter((one) => !stands(one)).map((one) => one.danger));
  const fallen = fort.filter((one) => one.defeated && !readFace(one.card)?.knight).length;
  const chests = view.scores[0] ?? 0;
  return [
    say(`ended.${why}`, { n: worst }),
    ...(fallen ? [say("ended.fallen", { n: fallen })] : []),
    ...(outcome === "lost" && pile ? [say("ended.pile", { n: pile })] : []),
    ...(chests ? [say("ended.treasure", { n: chests })] : []),
  ];
}
