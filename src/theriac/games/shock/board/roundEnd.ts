/** How a round ended for each seat. The sheet of the round tells what its last move did; who went out before, and
 * with how many jewels, was seen on the way. */
import type { View } from "$shell";
import type { MoveEffect } from "./moveEffect";
import { read, readSheet, type Sheet } from "./reading";

/** How a round ended for a seat. `stored` is what went into the bag, null where it is not known. */
export interface Fate {
  how: "stayed" | "withdrew" | "shock" | "out" | "unknown";
  /** What lay on the bag before; null where it is not known. */
  onBag: number | null;
  stored: number | null;
}
export interface RoundEnd {
  round: number;
  fates: Fate[];
  inside: (number | null)[];
  sheet: Sheet | null;
}

/** What is known, at a view that was shown, of the seats that are out by then. */
const seen = new WeakMap<View, (Fate | null)[]>();

/** Note who went out between two views. */
export function recordFates(effect: MoveEffect, before: View, after: View): void {
  if (!effect.roundOver && !seen.has(after)) seen.set(after, fatesAfter(effect, before));
}

function fatesAfter(effect: MoveEffect, before: View): (Fate | null)[] {
  const fates = [...(seen.get(before) ?? [])];
  const { onBag } = read(before);
  if (effect.move.kind === "withdraw") {
    const n = onBag[effect.seat] ?? 0;
    fates[effect.seat] = { how: "withdrew", onBag: n, stored: n };
  }
  for (const seat of effect.shocked) {
    // What the winner lost, including the gains of this trick, is not known.
    const all = seat === (effect.winner ?? effect.seat) ? null : (onBag[seat] ?? 0);
    fates[seat] = { how: "shock", onBag: all, stored: 0 };
  }
  return fates;
}

/** How the round of `before` ended, where `after` has its sheet. */
export function roundEnd(before: View, after: View): RoundEnd {
  const was = read(before);
  const sheet = readSheet(after, before.round);
  const known = seen.get(before) ?? [];
  const fates = was.hands.map((_, seat): Fate => {
    const { how, stored } = sheet?.seats[seat] ?? { how: null, stored: null };
    const fate = known[seat];
    if (fate) return fate;
    // The winner's jewels of the last trick are not in the view before it.
    return { how: how ?? "unknown", onBag: seat === sheet?.winner ? null : (was.onBag[seat] ?? 0), stored };
  });
  return { round: before.round, fates, inside: after.scores, sheet };
}
