/** A table as this page knows it: what the line says, kept for the components to draw. */
import * as api from "./api";
import type { BoardProps } from "./board";
import { Line, type LineState } from "./line";
import { forget, me } from "./person.svelte";
import type { Gesture, Happened, Passing, Preview, Refusal, Request, Room, View } from "./wire";

/** A line of the log: an event with the positions around it, where they are known. */
export interface Entry {
  version: number;
  at: number;
  event: NonNullable<Happened["event"]>;
  before: View | null;
  after: View | null;
}

export interface Pointed {
  seat: number | null;
  sign: Gesture;
  at: string;
}

/** How long a gesture and a sign of typing are shown, in milliseconds. */
const GESTURE_TIME = 4000;
const TYPING_TIME = 3000;

export class TableState {
  room = $state.raw<Room | null>(null);
  view = $state.raw<View | null>(null);
  seat = $state<number | null>(null);
  log = $state.raw<Entry[]>([]);
  present = $state.raw<number[]>([]);
  line = $state<LineState>("connecting");
  lineWhy = $state("");
  refusal = $state.raw<Refusal | null>(null);
  /** Is a move on its way? */
  sending = $state(false);
  gestures = $state.raw<(Passing & { id: number })[]>([]);
  typing = $state.raw<string[]>([]);
  /** When the view came, for clocks that run on. */
  viewAt = $state(0);
  last = $state.raw<BoardProps["last"]>(null);
  private talk: Line;
  private count = 0;

  /** `watching`: without a seat, whoever one is. */
  constructor(readonly name: string, watching = false) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/tables/${encodeURIComponent(name)}/socket`;
    this.talk = new Line(
      () => new WebSocket(address),
      () => (watching ? null : me.key),
      {
        state: (state, why) => this.lineChanged(state, why ?? ""),
        welcome: (welcome) => {
          this.room = welcome.room;
          this.seat = welcome.seat ?? null;
          this.present = this.seat === null ? (welcome.present ?? []) : [...(welcome.present ?? []), this.seat];
          this.see(welcome.view ?? null);
          for (const one of welcome.events) this.write(one, null, null);
        },
        happened: (happened) => this.happened(happened),
        present: (seats) => (this.present = seats),
        passing: (passing) => this.passing(passing),
      },
      {
        set: (action, milliseconds) => setTimeout(action, milliseconds),
        clear: (timer) => clearTimeout(timer as number),
        random: Math.random,
      },
      Math.random().toString(36).slice(2, 10),
    );
    window.addEventListener("online", this.tryAgain);
    document.addEventListener("visibilitychange", this.tryAgain);
  }

  close(): void {
    window.removeEventListener("online", this.tryAgain);
    document.removeEventListener("visibilitychange", this.tryAgain);
    this.talk.close();
  }

  /** Say hello anew, as somebody else. */
  renew(): void {
    this.talk.renew();
  }

  /** Ask for something; a refusal is shown until the next request. */
  async ask(request: Request): Promise<boolean> {
    this.refusal = null;
    const refused = await this.talk.ask(request);
    this.refusal = refused;
    return refused === null;
  }

  async move(move: string): Promise<boolean> {
    if (this.sending) return false;
    this.sending = true;
    try {
      return await this.ask({ do: "move", move, version: this.talk.version });
    } finally {
      this.sending = false;
    }
  }

  mention(request: Request): void {
    this.talk.mention(request);
  }

  async foresee(moves: string[]): Promise<Record<string, Preview>> {
    if (!me.key || !moves.length) return {};
    try {
      return (await api.previews(me.key, this.name, moves)).previews;
    } catch (error) {
      if (error instanceof api.Wrong) return {}; // too many, or the line is lost: nothing is shown
      throw error;
    }
  }

  get pointed(): Pointed[] {
    return this.gestures.flatMap(({ seat, gesture, at }) =>
      gesture && at ? [{ seat, sign: gesture, at }] : [],
    );
  }

  private tryAgain = (): void => {
    if (!document.hidden) this.talk.again();
  };

  private lineChanged(state: LineState, why: string): void {
    this.line = state;
    this.lineWhy = why;
    if (state === "refused" && me.key && why.includes("key")) {
      forget();
      setTimeout(() => this.talk.renew(), 0);
    }
  }

  private happened(happened: Happened): void {
    const before = this.view;
    if (happened.room) {
      this.room = happened.room;
      this.seat = happened.seat ?? null;
    }
    if (happened.view) this.see(happened.view);
    this.write(happened, before, happened.view ?? null);
    if (happened.event?.kind === "moved") {
      this.last = { seat: happened.event.seat ?? null, move: happened.event.move ?? "", before };
    } else if (happened.event?.kind === "begun" || happened.event?.kind === "undone") this.last = null;
    if (happened.event?.kind === "said") {
      this.typing = this.typing.filter((name) => name !== happened.event?.name);
    }
  }

  private see(view: View | null): void {
    this.view = view;
    this.viewAt = performance.now();
  }

  private write({ version, at, event }: Happened, before: View | null, after: View | null): void {
    if (!event || this.log.some((entry) => entry.version === version)) return;
    this.log = [...this.log, { version, at, event, before, after }].slice(-400);
  }

  private passing(passing: Passing): void {
    if (passing.typing) {
      if (!this.typing.includes(passing.name)) this.typing = [...this.typing, passing.name];
      setTimeout(() => {
        this.typing = this.typing.filter((name) => name !== passing.name);
      }, TYPING_TIME);
      return;
    }
    const id = ++this.count;
    this.gestures = [...this.gestures, { ...passing, id }];
    setTimeout(() => {
      this.gestures = this.gestures.filter((gesture) => gesture.id !== id);
    }, GESTURE_TIME);
  }
}
