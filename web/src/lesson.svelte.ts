/** A tutorial as somebody goes through it. What a move means is asked of the server. */
import { tick } from "svelte";
import * as api from "./api";
import type { BoardProps } from "./board";
import type { Preview, Refusal, Tutorial, TutorialStep, View } from "./wire";

/** How long one looks at a move of another before the next is made, in milliseconds. */
const PAUSE = 900;

/** A position, and the move that led to it. */
export interface Frame {
  view: View;
  last: BoardProps["last"];
}

export class Lesson {
  step = $state(0);
  /** Which of the frames is shown. */
  at = $state(0);
  /** Are moves being shown? */
  moving = $state(false);
  trying = $state(false);
  refusal = $state.raw<Refusal | null>(null);
  /** A move that was tried and is legal, but not what is asked for. */
  aside = $state<string | null>(null);
  /** Was the move tried that is asked for and refused? */
  seen = $state(false);
  fault = $state("");
  readonly frames: Frame[];
  /** The frame with which each step begins. */
  private begins: number[] = [];
  private runs = 0;
  private hurry: (() => void) | null = null;

  constructor(readonly told: Tutorial) {
    let before = told.view;
    this.frames = [{ view: before, last: null }];
    for (const { moves } of told.steps) {
      this.begins.push(this.frames.length - 1);
      for (const { seat, move, view } of moves) {
        this.frames.push({ view, last: { seat, move, before } });
        before = view;
      }
    }
  }

  get now(): TutorialStep {
    return this.told.steps[this.step] as TutorialStep;
  }

  get frame(): Frame {
    return this.frames[this.at] as Frame;
  }

  get end(): boolean {
    return this.step === this.told.steps.length - 1;
  }

  /** May something be tried? */
  get free(): boolean {
    return this.now.asks !== null && !this.moving && !this.trying;
  }

  /** What was played since the last time that something was asked or said. */
  get played(): Frame[] {
    const from = this.begins[this.moving ? this.step : this.step - 1] ?? 0;
    return this.frames.slice(from + 1, this.at + 1);
  }

  /** Try a move. True when it is the one that is asked for, and made. */
  async act(move: string): Promise<boolean> {
    if (!this.free) return false;
    const step = this.step;
    this.forget();
    this.trying = true;
    try {
      const { meant, legal, why, clause } = await api.tryTutorial(this.told.game, step, move);
      if (step !== this.step) return false;
      if (legal && meant) {
        void this.go(step + 1);
        return true;
      }
      if (legal) this.aside = move;
      else this.refusal = { code: "illegal", why: why ?? "", ...(clause !== null && { clause }) };
      this.seen = meant;
    } catch (error) {
      if (!(error instanceof api.Wrong)) throw error;
      this.fault = error.message;
    } finally {
      this.trying = false;
    }
    return false;
  }

  async foresee(moves: string[]): Promise<Record<string, Preview>> {
    if (!moves.length || this.now.asks === null) return {};
    try {
      return (await api.tutorialPreviews(this.told.game, this.step, moves)).previews;
    } catch (error) {
      if (error instanceof api.Wrong) return {}; // too many, or no line: nothing is shown
      throw error;
    }
  }

  /** Go on: whatever is asked for is shown. */
  next(): void {
    if (this.moving) this.hurry?.();
    else if (this.now.refused && !this.seen) void this.act(this.now.asks ?? "");
    else if (!this.end) void this.go(this.step + 1);
  }

  back(): void {
    void this.go(Math.max(0, this.step - (this.moving ? 0 : 1)));
  }

  again(): void {
    void this.go(0);
  }

  private forget(): void {
    this.refusal = null;
    this.aside = null;
    this.seen = false;
    this.fault = "";
  }

  /** Go to a step: on with its moves one by one, back at once. Boards are shown every frame between,
   * since they remember what they saw. */
  private async go(step: number): Promise<void> {
    const run = ++this.runs;
    this.forget();
    const to = this.begins[step] ?? 0;
    let slow = to >= this.at;
    if (!slow) {
      this.step = step;
      this.at = 0;
      await tick();
    }
    this.moving = to > this.at;
    while (this.at < to && run === this.runs) {
      this.at += 1;
      if (slow) slow = await this.pause();
      else await tick();
    }
    if (run !== this.runs) return;
    this.step = step;
    this.moving = false;
  }

  /** Wait a little; false if somebody is in a hurry. */
  private pause(): Promise<boolean> {
    return new Promise((done) => {
      const timer = setTimeout(() => done(true), PAUSE);
      this.hurry = () => {
        clearTimeout(timer);
        done(false);
      };
    });
  }
}
