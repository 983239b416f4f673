/** Progress of a learner through a tutorial. The server decides what a move means. */
import { tick } from "svelte";
import * as api from "./api";
import { faultText } from "./fault";
import type { BoardProps } from "./board";
import type { Preview, Refusal, TutorialScript, TutorialStep, View } from "./wire";

/** How long a move of another player is shown before the next, in milliseconds. */
const PAUSE = 900;

/** A position, and the move that led to it. */
export interface Frame {
  view: View;
  last: BoardProps["last"];
}

export class TutorialProgress {
  stepIndex = $state(0);
  frameIndex = $state(0);
  /** Are the moves of a step being shown? */
  animating = $state(false);
  /** Is an attempted move waiting for the server's verdict? */
  sending = $state(false);
  refusal = $state.raw<Refusal | null>(null);
  /** A legal move that was tried, but is not the one asked for. */
  otherMove = $state<string | null>(null);
  /** Has the learner seen the refusal that this step is about? */
  sawRefusal = $state(false);
  fault = $state("");
  readonly frames: Frame[];
  /** For each step, the index of its first frame. */
  private firstFrames: number[] = [];
  /** Counts calls of `goTo`: a newer call stops an older one. */
  private runs = 0;
  private skipPause: (() => void) | null = null;

  constructor(readonly script: TutorialScript) {
    let before = script.view;
    this.frames = [{ view: before, last: null }];
    for (const { moves } of script.steps) {
      this.firstFrames.push(this.frames.length - 1);
      for (const { seat, move, view } of moves) {
        this.frames.push({ view, last: { seat, move, before } });
        before = view;
      }
    }
  }

  get step(): TutorialStep {
    return this.script.steps[this.stepIndex] as TutorialStep;
  }

  get frame(): Frame {
    return this.frames[this.frameIndex] as Frame;
  }

  /** The round that the last move ended: the tables before the move and after it. */
  get roundEnd(): { before: View; after: View } | null {
    const { view, last } = this.frame;
    const before = last?.before;
    return before && before.round !== view.round ? { before, after: view } : null;
  }

  get atEnd(): boolean {
    return this.stepIndex === this.script.steps.length - 1;
  }

  /** May the learner try a move? */
  get canAct(): boolean {
    return this.step.asks !== null && !this.animating && !this.sending;
  }

  /** The moves since the step before this one began. */
  get recentFrames(): Frame[] {
    const from = this.firstFrames[this.animating ? this.stepIndex : this.stepIndex - 1] ?? 0;
    return this.frames.slice(from + 1, this.frameIndex + 1);
  }

  /** Try a move. True when it is the one asked for, and made. */
  async act(move: string): Promise<boolean> {
    if (!this.canAct) return false;
    const index = this.stepIndex;
    this.clearFeedback();
    this.sending = true;
    try {
      const { meant, legal, why, clause } = await api.tryTutorialMove(this.script.game, index, move);
      if (index !== this.stepIndex) return false;
      if (legal && meant) {
        void this.goTo(index + 1);
        return true;
      }
      if (legal) this.otherMove = move;
      else this.refusal = { code: "illegal", why: why ?? "", ...(clause !== null && { clause }) };
      this.sawRefusal = meant;
    } catch (error) {
      this.fault = faultText(error);
    } finally {
      this.sending = false;
    }
    return false;
  }

  async preview(moves: string[]): Promise<Record<string, Preview>> {
    if (!moves.length || this.step.asks === null) return {};
    return api.orEmpty(api.tutorialPreviews(this.script.game, this.stepIndex, moves));
  }

  /** Continue: make the move that is asked for, or go to the next step. */
  next(): void {
    if (this.animating) this.skipPause?.();
    else if (this.step.refused && !this.sawRefusal) void this.act(this.step.asks ?? "");
    else if (!this.atEnd) void this.goTo(this.stepIndex + 1);
  }

  back(): void {
    void this.goTo(Math.max(0, this.stepIndex - (this.animating ? 0 : 1)));
  }

  restart(): void {
    void this.goTo(0);
  }

  private clearFeedback(): void {
    this.refusal = null;
    this.otherMove = null;
    this.sawRefusal = false;
    this.fault = "";
  }

  /** Go to a step: forward one move at a time, back at once. Boards get every frame between, since
   * they remember earlier views. */
  private async goTo(index: number): Promise<void> {
    const run = ++this.runs;
    this.clearFeedback();
    const target = this.firstFrames[index] ?? 0;
    let slow = target >= this.frameIndex;
    if (!slow) {
      this.stepIndex = index;
      this.frameIndex = 0;
      await tick();
    }
    this.animating = target > this.frameIndex;
    while (this.frameIndex < target && run === this.runs) {
      this.frameIndex += 1;
      if (slow) slow = await this.pause();
      else await tick();
    }
    if (run !== this.runs) return;
    this.stepIndex = index;
    this.animating = false;
  }

  /** Wait a little; false if the learner skips the rest. */
  private pause(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), PAUSE);
      this.skipPause = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }
}
