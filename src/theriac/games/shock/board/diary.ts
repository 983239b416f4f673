/** What a player at the table still has before their eyes: the trick just over, the cards that were
 * revealed after it, and how the last round ended. A view has none of it, so it is kept from one to
 * the next; after a jump it begins anew. */
import type { BoardProps, View } from "$shell";
import { momentOf, type Moment } from "./moments";
import { read, type Laid } from "./reading";

export interface Challenge {
  seat: number | null;
  cards: string[];
}
/** How a round ended for a seat. `stored` is what went into the bag, null where nobody told. */
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
export interface Page {
  /** The last move that brought jewels or a shock. */
  news: Moment | null;
  lastTrick: { cards: Laid[]; winner: number | null } | null;
  challenge: Challenge | null;
  roundEnd: RoundEnd | null;
}

const EMPTY: Page = { news: null, lastTrick: null, challenge: null, roundEnd: null };

export class Diary {
  private view: View | null = null;
  private last: BoardProps["last"] = null;
  private page = EMPTY;
  private fates: (Fate | null)[] = [];

  follow(view: View, last: BoardProps["last"]): Page {
    if (view === this.view) return this.page;
    const before = last?.before ?? null;
    const news = last !== this.last;
    if (news && before !== this.view) this.forget();
    if (news || last === null) this.write(view, last, before);
    this.view = view;
    this.last = last;
    return this.page;
  }

  private forget(): void {
    this.page = EMPTY;
    this.fates = [];
  }

  private write(view: View, last: BoardProps["last"], before: View | null): void {
    const moment = last && before ? momentOf(last.move, before, view) : null;
    if (!moment || !before) return this.forget();
    const { news, lastTrick, challenge, roundEnd } = this.page;
    const notable = moment.shocked.length > 0 || moment.gains.some((n) => n > 0);
    this.note(moment, before);
    this.page = {
      news: notable ? moment : moment.roundOver ? null : news,
      lastTrick: moment.trick ? { cards: moment.trick, winner: moment.winner } : lastTrick,
      challenge: this.opened(moment, challenge),
      roundEnd: moment.roundOver ? this.close(moment, before, view) : moment.trick ? null : roundEnd,
    };
    if (moment.roundOver) this.fates = [];
  }

  private opened(moment: Moment, before: Challenge | null): Challenge | null {
    if (moment.trick) return moment.revealed ? { seat: moment.winner, cards: [moment.revealed] } : null;
    if (moment.revealed) return { seat: moment.seat, cards: [...(before?.cards ?? []), moment.revealed] };
    return before;
  }

  /** What has happened to the seats that are out. */
  private note(moment: Moment, before: View): void {
    const { onBag } = read(before);
    if (moment.move.kind === "withdraw") {
      const n = onBag[moment.seat] ?? 0;
      this.fates[moment.seat] = { how: "withdrew", onBag: n, stored: n };
    }
    for (const seat of moment.shocked) {
      // What the winner lost, with what that very trick brought, nobody told.
      const all = seat === (moment.winner ?? moment.seat) ? null : (onBag[seat] ?? 0);
      this.fates[seat] = { how: "shock", onBag: all, stored: 0 };
    }
  }

  private close(moment: Moment, before: View, after: View): RoundEnd {
    const was = read(before);
    const fates = was.hands.map((_, seat): Fate => {
      const known = this.fates[seat];
      if (known) return known;
      const { how, stored } = moment.sheet?.seats[seat] ?? { how: null, stored: null };
      return { how: how ?? "unknown", onBag: was.onBag[seat] ?? 0, stored };
    });
    return { round: before.round, fates, inside: after.scores };
  }
}
