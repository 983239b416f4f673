/** One queue shows what happened, in order and at the player's pace.
 *
 * The table's own state is always the newest; what the page draws is the frame that the queue has come to.
 * The end of a round is a stop: the old table stays until the player has read the sheet, or a countdown ends.
 */
import { tick } from "svelte";
import type { Board, BoardProps, Moment } from "../board";
import type { CardMotion } from "../cards/motion";
import type { View } from "../wire";
import type { Say } from "../words.svelte";
import { pace } from "./pace.svelte";

/** A view to show, and the move that led to it. */
export interface Frame {
  view: View;
  /** When it arrived: clocks run on from there. */
  at: number;
  last: BoardProps["last"];
  /** Did a move lead here? Else the game began, a move was taken back, or a hint came. */
  moved: boolean;
}

/** The end of a round: the view before it, and the one after it, with the sheet. */
export interface RoundEnd {
  before: View;
  after: View;
}

/** The card that ended a round. The view after it shows the next deal, so the board cannot draw where it landed. */
export interface Landing {
  card: string;
  seat: number;
  /** The place (`data-place`) that it flies to. */
  place: string;
  view: View;
}

/** How long a moment is shown, by the pace. */
const MOMENT_TIME = { calm: 2400, normal: 1700, quick: 900, instant: 0 };
/** How much of the usual time is between two moves while the player has no card left. */
const WITHOUT_CARDS = 0.45;
/** How long a card that ended a round lies there before anything else happens, as a part of its flight. */
const LANDED = 0.9;
/** The most frames that "since your last turn" shows again. */
const MOST_AGAIN = 40;

export class Playback {
  shown = $state.raw<Frame | null>(null);
  roundEnd = $state.raw<RoundEnd | null>(null);
  moment = $state.raw<Moment | null>(null);
  landing = $state.raw<Landing | null>(null);
  /** Frames that wait. */
  waiting = $state(0);
  /** What was shown since the player's own last move, to be seen again. */
  private recent: Frame[] = [];
  private queue: Frame[] = [];
  private running = false;
  /** When the last frame was shown. */
  private shownAt = 0;
  private again = false;
  /** How often everything was forgotten: what was waiting before must not be shown after. */
  private resets = 0;
  private wake: (() => void) | null = null;

  constructor(
    private readonly motion: CardMotion,
    /** Looks up the board, which may still be loading, and its words. */
    private readonly context: () => { board: Board | null; say: Say; names: string[]; seat: number | null },
  ) {}

  /** Is everything shown that has happened? */
  get isLive(): boolean {
    return this.waiting === 0 && this.roundEnd === null && !this.again;
  }

  /** Show a view at once, and forget what waits. A player who reads the sheet of a round keeps it. */
  reset(frame: Frame | null): void {
    this.resets += 1;
    this.recent = [];
    this.moment = null;
    this.again = false;
    if (this.roundEnd && frame) {
      this.queue = [frame];
      this.waiting = 1;
      return;
    }
    this.queue = [];
    this.waiting = 0;
    this.roundEnd = null;
    this.landing = null;
    this.shown = frame;
    this.wake?.();
  }

  push(frame: Frame): void {
    this.queue.push(frame);
    this.waiting = this.queue.length;
    if (!this.running) void this.run();
  }

  /** A tap hurries on: what waits is shown without pauses. */
  hurry(): void {
    this.wake?.();
  }

  /** The sheet has been read. */
  continue(): void {
    this.roundEnd = null;
    this.wake?.();
  }

  /** Is there something to see again? */
  get canSeeAgain(): boolean {
    return this.isLive && this.recent.length > 0;
  }

  /** Show again what happened since the player's last turn. */
  async seeAgain(): Promise<void> {
    const first = this.recent[0]?.last?.before;
    const now = this.shown;
    if (!this.canSeeAgain || !first || !now) return;
    this.again = true;
    const frames = [...this.recent];
    await this.draw({ ...now, view: first, last: null });
    for (const frame of frames) {
      await this.pause(pace.gap || 400);
      if (!this.again) return;
      await this.draw(frame);
    }
    this.again = false;
  }

  private async run(): Promise<void> {
    this.running = true;
    for (let frame = this.queue.shift(); frame; frame = this.queue.shift()) {
      const { resets } = this;
      await this.pause(this.timeUntil(frame));
      if (resets === this.resets) await this.show(frame);
      this.shownAt = performance.now();
      this.waiting = this.queue.length;
    }
    this.waiting = 0;
    this.running = false;
  }

  /** How long a move of somebody else waits for the one before it to be seen; one's own is shown at once. */
  private timeUntil(frame: Frame): number {
    if (!frame.moved || frame.last?.seat === this.context().seat) return 0;
    return this.shownAt + this.gapBefore(frame) - performance.now();
  }

  /** A player without cards waits less for the others' last ones. */
  private gapBefore({ last }: Frame): number {
    const played = last?.before?.hand?.length === 0 && this.context().seat !== null;
    return played ? pace.gap * WITHOUT_CARDS : pace.gap;
  }

  private async show(frame: Frame): Promise<void> {
    const { resets } = this;
    const before = frame.moved ? (frame.last?.before ?? null) : null;
    const ends = before !== null && (before.round !== frame.view.round || (frame.view.over && !before.over));
    this.remember(frame);
    // A game that ends without a sheet ends on the table: the last move is seen, then what it did.
    const early = ends && !(frame.view.over && !frame.view.sheet);
    if (early && before) await this.land(frame, before);
    if (early) await this.showMoment(frame);
    if (ends && before && frame.view.sheet) {
      this.roundEnd = { before, after: frame.view };
      while (this.roundEnd) await this.pause(null);
    }
    if (resets !== this.resets) return;
    await this.draw(frame);
    if (!early) await this.showMoment(frame);
  }

  /** Show the last card of a round on the old table, in the place of its player's hand. */
  private async land({ last }: Frame, before: View): Promise<void> {
    const { board } = this.context();
    if (!board?.Card || !last || last.seat === null || !this.shown || !pace.flight || document.hidden) return;
    const { card, place } = board.parts(last.move);
    if (!card || place === undefined || card.startsWith("~")) return;
    const at = before.hand?.indexOf(card) ?? -1;
    const hand = before.hand && (last.seat === this.context().seat ? before.hand.filter((_, i) => i !== at) : before.hand);
    this.shown = { ...this.shown, view: { ...before, ...(hand && { hand }) } };
    this.landing = { card, seat: last.seat, place, view: before };
    await this.pause(pace.flight * (1 + LANDED));
  }

  private async draw(frame: Frame): Promise<void> {
    this.motion.capture();
    this.landing = null;
    this.shown = frame;
    await tick();
    this.motion.play(document.hidden ? 0 : pace.flight);
  }

  private async showMoment({ last, view, moved }: Frame): Promise<void> {
    const { board, say, names } = this.context();
    if (!board?.moment || !last || !moved || document.hidden) return;
    const found = board.moment({ move: last.move, seat: last.seat, before: last.before, after: view, names }, say);
    const time = MOMENT_TIME[pace.chosen];
    if (!found || !time) return;
    this.moment = found;
    await this.pause(time);
    this.moment = null;
  }

  private remember(frame: Frame): void {
    const { seat } = this.context();
    if (!frame.moved) return;
    if (frame.last?.seat === seat) this.recent = [];
    else this.recent = [...this.recent, frame].slice(-MOST_AGAIN);
  }

  /** Wait, unless the player hurries on or looks away; null waits until then. */
  private pause(milliseconds: number | null): Promise<void> {
    if (milliseconds !== null && (milliseconds <= 0 || document.hidden)) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = milliseconds === null ? 0 : setTimeout(() => this.wake?.(), milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
    });
  }
}
