/** Recent play that a view does not hold: the last trick, the cards revealed after it, and how the last
 * round ended. It is collected from one view to the next, and cleared after a jump. */
import type { BoardProps, View } from "$shell";
import { effectOf, type MoveEffect } from "./moveEffect";
import { read, type Laid } from "./reading";

export interface Challenge {
  seat: number | null;
  cards: string[];
}
/** How a round ended for a seat. `stored` is what went into the bag, null where it is not known. */
export interface Fate {
  how: "stayed" | "withdrew" | "shock" | "out" | "unknown";
  onBag: number | null;
  stored: number | null;
}
export interface RoundEnd {
  round: number;
  fates: Fate[];
  inside: (number | null)[];
}
export interface RecentPlay {
  /** The last move that brought jewels or a shock. */
  news: MoveEffect | null;
  lastTrick: { cards: Laid[]; winner: number | null } | null;
  challenge: Challenge | null;
  roundEnd: RoundEnd | null;
}

const EMPTY: RecentPlay = { news: null, lastTrick: null, challenge: null, roundEnd: null };

export class RecentPlayTracker {
  private view: View | null = null;
  private last: BoardProps["last"] = null;
  private recent = EMPTY;
  private fates: (Fate | null)[] = [];

  follow(view: View, last: BoardProps["last"]): RecentPlay {
    if (view === this.view) return this.recent;
    const before = last?.before ?? null;
    const moved = last !== this.last;
    if (moved && before !== this.view) this.clear();
    if (moved || last === null) this.add(view, last, before);
    this.view = view;
    this.last = last;
    return this.recent;
  }

  private clear(): void {
    this.recent = EMPTY;
    this.fates = [];
  }

  private add(view: View, last: BoardProps["last"], before: View | null): void {
    const effect = last && before ? effectOf(last.move, before, view) : null;
    if (!effect || !before) return this.clear();
    const { news, lastTrick, challenge, roundEnd } = this.recent;
    const notable = effect.shocked.length > 0 || effect.gains.some((n) => n > 0);
    this.recordFates(effect, before);
    this.recent = {
      news: notable ? effect : effect.roundOver ? null : news,
      lastTrick: effect.trick ? { cards: effect.trick, winner: effect.winner } : lastTrick,
      challenge: this.challengeAfter(effect, challenge),
      roundEnd: effect.roundOver ? this.roundEnd(effect, before, view) : effect.trick ? null : roundEnd,
    };
    if (effect.roundOver) this.fates = [];
  }

  private challengeAfter(effect: MoveEffect, before: Challenge | null): Challenge | null {
    if (effect.trick) return effect.revealed ? { seat: effect.winner, cards: [effect.revealed] } : null;
    if (effect.revealed) return { seat: effect.seat, cards: [...(before?.cards ?? []), effect.revealed] };
    return before;
  }

  /** Record what happened to the seats that are out. */
  private recordFates(effect: MoveEffect, before: View): void {
    const { onBag } = read(before);
    if (effect.move.kind === "withdraw") {
      const n = onBag[effect.seat] ?? 0;
      this.fates[effect.seat] = { how: "withdrew", onBag: n, stored: n };
    }
    for (const seat of effect.shocked) {
      // What the winner lost, including the gains of this trick, is not known.
      const all = seat === (effect.winner ?? effect.seat) ? null : (onBag[seat] ?? 0);
      this.fates[seat] = { how: "shock", onBag: all, stored: 0 };
    }
  }

  private roundEnd(effect: MoveEffect, before: View, after: View): RoundEnd {
    const was = read(before);
    const fates = was.hands.map((_, seat): Fate => {
      const known = this.fates[seat];
      if (known) return known;
      const { how, stored } = effect.sheet?.seats[seat] ?? { how: null, stored: null };
      return { how: how ?? "unknown", onBag: was.onBag[seat] ?? 0, stored };
    });
    return { round: before.round, fates, inside: after.scores };
  }
}
