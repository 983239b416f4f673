/** A review while it is computed: asked for, then polled until it is done. */
import * as api from "../api";
import { faultText } from "../fault";
import { identify, me } from "../player.svelte";
import type { GameRecord, Preview, Review, ReviewProgress } from "../wire";

/** What is reviewed: a game of a table, or a record that the player sent. */
export type Subject = { table: string; number: number } | { record: GameRecord };

/** Before the next look where the server could not be reached. */
const PAUSE_MS = 2000;

export class ReviewState {
  review = $state.raw<Review | null>(null);
  /** What was sure after moves of mistakes, by the number of the move. */
  previews = $state.raw<Record<string, Record<string, Preview>>>({});
  progress = $state(0);
  /** The place in the queue; null once it has begun. */
  waiting = $state<number | null>(null);
  done = $state(false);
  fault = $state("");
  private step = 0;
  private stopped = false;

  constructor(private readonly subject: Subject) {}

  /** Ask for the review and follow it to its end. */
  async follow(): Promise<void> {
    [this.fault, this.stopped, this.step] = ["", false, 0];
    try {
      let found = await this.begin();
      this.take(found);
      while (!found.done && found.failed === null && !this.stopped) {
        found = await this.next(found.id);
        if (!this.stopped) this.take(found);
      }
    } catch (error) {
      if (!this.stopped) this.fault = faultText(error);
    }
  }

  stop(): void {
    this.stopped = true;
  }

  private async begin(): Promise<ReviewProgress> {
    const { subject } = this;
    if ("record" in subject) return api.beginRecordReview((await identify()).key, subject.record);
    if (me.key) return api.beginReview(me.key, subject.table, subject.number);
    // Who only follows a link needs no name, unless nobody has asked for this review yet.
    try {
      return await api.review(subject.table, subject.number, 0);
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.status !== 404) throw error;
      return api.beginReview((await identify()).key, subject.table, subject.number);
    }
  }

  private async next(id: string | null): Promise<ReviewProgress> {
    const { subject } = this;
    for (;;) {
      try {
        return "record" in subject ? await api.recordReview(id ?? "", this.step) : await api.review(subject.table, subject.number, this.step);
      } catch (error) {
        if (!(error instanceof api.ApiError) || this.stopped) throw error;
        // The server was started again meanwhile.
        if (error.status === 404) return this.begin();
        // The line is lost: the server works on meanwhile.
        if (error.status !== 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  private take({ step, done, progress, waiting, failed, review, previews }: ReviewProgress): void {
    [this.step, this.done, this.progress, this.waiting] = [step, done, progress, waiting];
    if (review) [this.review, this.previews] = [review, previews];
    if (failed !== null) this.fault = faultText(new api.ApiError(500, failed));
  }
}
