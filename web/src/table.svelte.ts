/** The state of a table, kept up to date by its connection, for the components to draw. */
import * as api from "./api";
import type { BoardProps } from "./board";
import { Connection, type ConnectionStatus, type Request } from "./connection";
import { forgetPlayer, me } from "./player.svelte";
import type { ClientEvent, Gesture, Preview, Refusal, Signal, TableInfo, Update, View, Welcome } from "./wire";

/** An event with the positions around it, where they are known. */
export interface LogEntry {
  version: number;
  at: number;
  event: ClientEvent;
  before: View | null;
  after: View | null;
}

/** A place or a card that somebody points at. */
export interface Pointer {
  seat: number | null;
  sign: Gesture;
  at: string;
}

/** How long a gesture and a sign of typing are shown, in milliseconds. */
const GESTURE_TIME = 4000;
const TYPING_TIME = 3000;
const MAX_LOG = 400;

export class TableState {
  info = $state.raw<TableInfo | null>(null);
  view = $state.raw<View | null>(null);
  seat = $state<number | null>(null);
  log = $state.raw<LogEntry[]>([]);
  /** The seats that are connected. */
  present = $state.raw<number[]>([]);
  status = $state<ConnectionStatus>("connecting");
  statusReason = $state("");
  refusal = $state.raw<Refusal | null>(null);
  /** Is a move waiting for its reply? */
  sending = $state(false);
  gestures = $state.raw<(Signal & { id: number })[]>([]);
  /** The names of those who are typing. */
  typing = $state.raw<string[]>([]);
  /** When the view arrived: clocks run on from there. */
  viewAt = $state(0);
  last = $state.raw<BoardProps["last"]>(null);
  private connection: Connection;
  private lastGestureId = 0;

  /** A spectator connects without a key, even where the player has a seat. */
  constructor(readonly name: string, spectator = false) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/tables/${encodeURIComponent(name)}/socket`;
    this.connection = new Connection(
      () => new WebSocket(address),
      () => (spectator ? null : me.key),
      {
        status: (status, reason) => this.onStatus(status, reason ?? ""),
        welcome: (welcome) => this.onWelcome(welcome),
        update: (update) => this.onUpdate(update),
        present: (seats) => (this.present = seats),
        signal: (signal) => this.onSignal(signal),
      },
      {
        set: (action, milliseconds) => setTimeout(action, milliseconds),
        clear: (timer) => clearTimeout(timer as number),
        random: Math.random,
      },
      Math.random().toString(36).slice(2, 10),
    );
    window.addEventListener("online", this.retry);
    document.addEventListener("visibilitychange", this.retry);
  }

  close(): void {
    window.removeEventListener("online", this.retry);
    document.removeEventListener("visibilitychange", this.retry);
    this.connection.close();
  }

  /** Connect again, after the player got a key. */
  reconnect(): void {
    this.connection.reconnect();
  }

  /** Send a request. A refusal is shown until the next request. */
  async request(request: Request): Promise<boolean> {
    this.refusal = null;
    this.refusal = await this.connection.request(request);
    return this.refusal === null;
  }

  async move(move: string): Promise<boolean> {
    if (this.sending) return false;
    this.sending = true;
    try {
      return await this.request({ do: "move", move, version: this.connection.version });
    } finally {
      this.sending = false;
    }
  }

  /** Send something that may get lost: a gesture, a sign of typing. */
  sendOnce(request: Request): void {
    this.connection.sendOnce(request);
  }

  async preview(moves: string[]): Promise<Record<string, Preview>> {
    if (!me.key || !moves.length) return {};
    return api.orEmpty(api.previews(me.key, this.name, moves));
  }

  get pointers(): Pointer[] {
    return this.gestures.flatMap(({ seat, gesture, at }) =>
      gesture && at ? [{ seat, sign: gesture, at }] : [],
    );
  }

  private retry = (): void => {
    if (!document.hidden) this.connection.retryNow();
  };

  private onStatus(status: ConnectionStatus, reason: string): void {
    this.status = status;
    this.statusReason = reason;
    if (status === "refused" && me.key && reason.includes("key")) {
      forgetPlayer();
      setTimeout(() => this.connection.reconnect(), 0);
    }
  }

  private onWelcome(welcome: Welcome): void {
    this.info = welcome.room;
    this.seat = welcome.seat ?? null;
    this.present = [...(welcome.present ?? []), ...(this.seat === null ? [] : [this.seat])];
    this.setView(welcome.view ?? null);
    for (const update of welcome.events) this.addToLog(update, null, null);
  }

  private onUpdate(update: Update): void {
    const before = this.view;
    const { event } = update;
    if (update.room) {
      this.info = update.room;
      this.seat = update.seat ?? null;
    }
    if (update.view) this.setView(update.view);
    this.addToLog(update, before, update.view ?? null);
    if (event?.kind === "moved") this.last = { seat: event.seat, move: event.move, before };
    else if (event?.kind === "begun" || event?.kind === "undone") this.last = null;
    else if (event?.kind === "said") this.typing = this.typing.filter((name) => name !== event.name);
  }

  private setView(view: View | null): void {
    this.view = view;
    this.viewAt = performance.now();
  }

  private addToLog({ version, at, event }: Update, before: View | null, after: View | null): void {
    if (!event || this.log.some((entry) => entry.version === version)) return;
    this.log = [...this.log, { version, at, event, before, after }].slice(-MAX_LOG);
  }

  private onSignal(signal: Signal): void {
    if (signal.typing) {
      if (!this.typing.includes(signal.name)) this.typing = [...this.typing, signal.name];
      setTimeout(() => {
        this.typing = this.typing.filter((name) => name !== signal.name);
      }, TYPING_TIME);
      return;
    }
    const id = ++this.lastGestureId;
    this.gestures = [...this.gestures, { ...signal, id }];
    setTimeout(() => {
      this.gestures = this.gestures.filter((gesture) => gesture.id !== id);
    }, GESTURE_TIME);
  }
}
