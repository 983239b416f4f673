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
import { painted } from "./painted";

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

/** How long a moment is shown, by the pace. */
const MOMENT_TIME = { calm: 2400, normal: 1700, quick: 900, instant: 0 };
/** How much of the usual time is between two moves while the player has no card left. */
const WITHOUT_CARDS = 0.45;
/** How long the table lies as a round left it before anything else happens, as a part of a flight. */
const LANDED = 0.9;
/** The most frames that "since your last turn" shows again. */
const MOST_AGAIN = 40;

export class Playback {
  shown = $state.raw<Frame | null>(null);
  roundEnd = $state.raw<RoundEnd | null>(null);
  moment = $state.raw<Moment | null>(null);
  /** How many moves were shown: each is heard as it begins. */
  begun = $state(0);
  /** Frames that wait. */
  waiting = $state(0);
  /** Is what happened since the player's last turn shown again? */
  again = $state(false);
  /** What was shown since the player's own last move, to be seen again. */
  private recent: Frame[] = [];
  private queue: Frame[] = [];
  private running = false;
  /** When the last move began to be shown, or the moment or the sheet after it was passed. */
  private shownAt = 0;
  /** Resolves when the cards that fly have landed. */
  private flights: Promise<void> = Promise.resolve();
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
    this.motion.finish();
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
      if (pace.flight && !this.isOwn(frame)) await this.flights;
      if (resets === this.resets) await this.show(frame);
      this.waiting = this.queue.length;
    }
    this.waiting = 0;
    this.running = false;
  }

  /** How long a move of somebody else waits for the one before it to be seen; one's own is shown at once. */
  private timeUntil(frame: Frame): number {
    if (!frame.moved || this.isOwn(frame)) return 0;
    return this.shownAt + this.gapBefore(frame) - performance.now();
  }

  private isOwn(frame: Frame): boolean {
    const { seat } = this.context();
    return seat !== null && frame.last?.seat === seat;
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
    this.shownAt = performance.now();
    if (frame.moved) this.begun += 1;
    // A game that ends without a sheet ends on the table: the last move is seen, then what it did.
    const early = ends && !(frame.view.over && !frame.view.sheet);
    await this.showSteps(frame, early, resets);
    if (early && resets === this.resets) await this.showMoment(frame);
    if (ends && before && frame.view.sheet && resets === this.resets) {
      this.roundEnd = { before, after: frame.view };
      while (this.roundEnd) await this.pause(null);
      this.shownAt = performance.now();
    }
    if (resets !== this.resets) return;
    await this.draw(frame);
    if (!early) await this.showMoment(frame);
  }

  /** Show the tables that a move passes through. Where cards do not fly, only the last of a round is worth it. */
  private async showSteps(frame: Frame, ends: boolean, resets: number): Promise<void> {
    const { board, names, seat: viewer } = this.context();
    const { last, view } = frame;
    if (!board?.steps || !last?.before || !frame.moved) return;
    const steps = board.steps({ move: last.move, seat: last.seat, before: last.before, after: view, names, viewer });
    for (const step of pace.flight && !document.hidden ? steps : ends ? steps.slice(-1) : []) {
      await this.draw({ ...frame, view: step, last: { ...last }, moved: false });
      await Promise.all([this.flights, this.pause(pace.flight)]);
      if (resets !== this.resets) return;
    }
    if (ends) await this.pause(pace.flight * LANDED);
  }

  private async draw(frame: Frame): Promise<void> {
    this.motion.capture();
    this.shown = frame;
    await tick();
    this.flights = this.motion.play(document.hidden ? 0 : pace.flight);
  }

  private async showMoment({ last, view, moved }: Frame): Promise<void> {
    const { board, say, names, seat: viewer } = this.context();
    if (!board?.moment || !last || !moved || document.hidden) return;
    const found = board.moment({ move: last.move, seat: last.seat, before: last.before, after: view, names, viewer }, say);
    const time = MOMENT_TIME[pace.chosen];
    if (!found || !time) return;
    const { resets } = this;
    await this.flights;
    if (resets !== this.resets) return;
    this.moment = found;
    await painted();
    await this.pause(time);
    this.moment = null;
    this.shownAt = performance.now();
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
