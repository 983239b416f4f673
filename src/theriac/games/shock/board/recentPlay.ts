/** Recent play that a view does not hold: the last trick and the cards revealed after it. It is collected from one
 * view to the next, and cleared after a jump and at the end of a round. */
import type { BoardProps, View } from "$shell";
import { effectOf, type MoveEffect } from "./moveEffect";
import type { Laid } from "./reading";

export interface Challenge {
  seat: number | null;
  cards: string[];
}
export interface LastTrick {
  cards: Laid[];
  winner: number | null;
}
export interface RecentPlay {
  lastTrick: LastTrick | null;
  challenge: Challenge | null;
}

const EMPTY: RecentPlay = { lastTrick: null, challenge: null };

export class RecentPlayTracker {
  private view: View | null = null;
  private last: BoardProps["last"] = null;
  private recent = EMPTY;

  follow(view: View, last: BoardProps["last"]): RecentPlay {
    if (view === this.view) return this.recent;
    const before = last?.before ?? null;
    const moved = last !== this.last;
    if (moved && before !== this.view) this.recent = EMPTY;
    if (moved || last === null) this.recent = this.after(view, last, before);
    this.view = view;
    this.last = last;
    return this.recent;
  }

  private after(view: View, last: BoardProps["last"], before: View | null): RecentPlay {
    const effect = last && before ? effectOf(last.move, before, view) : null;
    if (!effect) return EMPTY;
    if (effect.roundOver) return EMPTY;
    const { lastTrick, challenge } = this.recent;
    return {
      lastTrick: effect.trick ? { cards: effect.trick, winner: effect.winner } : lastTrick,
      challenge: challengeAfter(effect, challenge),
    };
  }
}

function challengeAfter(effect: MoveEffect, before: Challenge | null): Challenge | null {
  if (effect.trick) return effect.revealed ? { seat: effect.winner, cards: [effect.revealed] } : null;
  if (effect.revealed) return { seat: effect.seat, cards: [...(before?.cards ?? []), effect.revealed] };
  return before;
}
