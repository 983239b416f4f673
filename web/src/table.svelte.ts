/** The state of a table, kept up to date by its connection, for the components to draw. */
import * as api from "./api";
import type { BoardProps } from "./board";
import { checkDeal, receiptFor } from "./dealCheck";
import { Connection, NO_TABLE, UNKNOWN_KEY, type ConnectionStatus, type Request } from "./connection";
import { forgetPlayer, me } from "./player.svelte";
import { keepMoves, keepNonce, keepReceipt, keptMoves, keptNonce, receiptOf, type Receipt } from "./receipts";
import { seenAfter, type SeenMoves } from "./seenMoves";
import type { Frame } from "./table/playback.svelte";
import type { Checked } from "./verify";
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

/** What shows the views one after the other, at the player's pace. */
export interface FrameQueue {
  reset: (frame: Frame | null) => void;
  push: (frame: Frame) => void;
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
  /** Is there no such table? */
  noTable = $state(false);
  refusal = $state.raw<Refusal | null>(null);
  /** What the operator of the server said last. */
  announcement = $state("");
  /** Is a move waiting for its reply? */
  sending = $state(false);
  gestures = $state.raw<(Signal & { id: number })[]>([]);
  /** The names of those who are typing. */
  typing = $state.raw<string[]>([]);
  /** When the view arrived: clocks run on from there. */
  viewAt = $state(0);
  last = $state.raw<BoardProps["last"]>(null);
  /** The first of the moves that were taken back just now, until the next move. */
  takenBack = $state<string | null>(null);
  /** What this device found when it checked the sealed deal, and the receipt when the game began. */
  dealChecks = $state.raw<Checked[]>([]);
  receipt = $state.raw<Receipt | null>(null);
  private connection: Connection;
  private lastGestureId = 0;
  private seenMoves: SeenMoves | null;

  /** A spectator connects without a key, even where the player has a seat. */
  constructor(readonly name: string, private readonly spectator = false, private readonly frames: FrameQueue | null = null) {
    this.seenMoves = keptMoves(name);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/api/tables/${encodeURIComponent(name)}/socket`;
    this.connection = new Connection(
      () => new WebSocket(address),
      () => this.key(),
      {
        status: (status, reason, code) => this.onStatus(status, reason ?? "", code ?? 0),
        welcome: (welcome) => this.onWelcome(welcome),
        update: (update) => this.onUpdate(update),
        present: (seats) => (this.present = seats),
        signal: (signal) => this.onSignal(signal),
        announce: (text) => (this.announcement = text),
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

  private key(): string | null {
    return this.spectator ? null : me.key;
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

  /** Ask for a hint in the position shown. */
  hint(): Promise<boolean> {
    return this.request({ do: "hint", version: this.connection.version });
  }

  sit(seat: number): Promise<boolean> {
    return this.commit(seat, (commitment, to) => ({ do: "sit", seat, commitment, to }));
  }

  /** Agree to the next game. */
  async ready(): Promise<boolean> {
    if (this.seat === null) return false;
    return this.commit(this.seat, (commitment, to) => ({ do: "ready", commitment, to }));
  }

  /** Commit to a nonce that this device keeps; again if the server has a new commitment by then. */
  private async commit(seat: number, make: (commitment: string, to: string) => Request): Promise<boolean> {
    for (let attempt = 0; attempt < 3 && this.info; attempt++) {
      const { commitment, shown } = keepNonce(this.info, seat);
      if (await this.request(make(commitment, shown))) return true;
      if (this.refusal?.code !== "stale") return false;
    }
    return false;
  }

  /** Check the sealed deal. The own nonce is revealed only if every check passed. */
  private onDeal(): void {
    const { info, seat } = this;
    if (!info) return;
    const kept = keptNonce(info);
    const before = receiptOf(info.table, info.games + 1);
    this.receipt = null;
    this.dealChecks = [...checkDeal(info, seat, kept, before)];
    if (this.dealChecks.some(({ holds }) => holds === false)) return;
    this.receipt = info.sealed ? (before ?? receiptFor(info, seat, kept)) : null;
    if (this.receipt) keepReceipt(this.receipt);
    if (kept && seat !== null && kept.seat === seat && info.sealed?.missing?.includes(seat)) {
      void this.connection.request({ do: "reveal", nonce: kept.nonce });
    }
  }

  /** A deal was called off: a player who revealed in it agrees to the next one. */
  private onCalledOff(before: TableInfo, missing: number[]): void {
    if (this.seat === null || missing.includes(this.seat)) return;
    if (keptNonce(before)?.seat === this.seat) void this.ready();
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

  private onStatus(status: ConnectionStatus, reason: string, code: number): void {
    this.status = status;
    this.statusReason = reason;
    this.noTable = code === NO_TABLE;
    if (code === UNKNOWN_KEY && me.key) {
      forgetPlayer();
      setTimeout(() => this.connection.reconnect(), 0);
    }
  }

  private onWelcome(welcome: Welcome): void {
    this.info = welcome.room;
    this.seat = welcome.seat ?? null;
    this.present = [...(welcome.present ?? []), ...(this.seat === null ? [] : [this.seat])];
    this.setView(welcome.view ?? null);
    this.frames?.reset(this.view && { view: this.view, at: this.viewAt, last: this.last, moved: false });
    this.onDeal();
    // A player who sits before the first game has agreed to it, also after a deal that was called off.
    const own = this.seat === null ? null : this.info.seats[this.seat];
    if (this.info.stage === "gathering" && own && !own.ready && !own.stand_in) void this.ready();
    for (const update of welcome.events) this.addToLog(update, null, null);
    this.countMoves();
    if (welcome.skipped) void this.readSkipped(welcome.events[0]?.version ?? welcome.version);
    if (this.log.some(({ event, after }) => event.kind === "moved" && after === null)) void this.readPositions();
  }

  /** Read the positions of the last game's moves, so that the log can say what each move did. */
  private async readPositions(): Promise<void> {
    let [after, newest] = [0, Infinity];
    let before: View | null = null;
    try {
      while (after < newest) {
        const page = await api.positions(this.key(), this.name, after);
        for (const { version, view } of page.events) {
          if (!view) continue;
          const position = { before, after: view };
          this.log = this.log.map((entry) => (entry.version === version && !entry.after ? { ...entry, ...position } : entry));
          before = view;
        }
        [after, newest] = [page.events.at(-1)?.version ?? page.version, page.version];
      }
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error; // the sentences stay shorter
    }
  }

  /** Read the events that a welcome left out, page by page, as far back as the log is shown. */
  private async readSkipped(before: number): Promise<void> {
    let after = Math.max(this.log.filter((entry) => entry.version < before).at(-1)?.version ?? 0, before - MAX_LOG);
    try {
      while (after < before - 1) {
        const { events } = await api.events(this.key(), this.name, after);
        const last = events.at(-1)?.version;
        if (last === undefined) return;
        for (const update of events) this.addToLog(update, null, null);
        after = last;
      }
      this.countMoves();
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error; // the log stays shorter
    }
  }

  private onUpdate(update: Update): void {
    const before = this.view;
    const { event } = update;
    if (update.room) {
      const sealedBefore = this.info;
      this.info = update.room;
      this.seat = update.seat ?? null;
      this.onDeal();
      if (event?.kind === "called_off" && sealedBefore) this.onCalledOff(sealedBefore, event.missing);
    }
    if (update.view) this.setView(update.view);
    this.addToLog(update, before, update.view ?? null);
    if (event?.kind === "undone") this.takenBack = this.seenMoves?.moves[event.moves] ?? null;
    else if (event?.kind === "moved") this.takenBack = null;
    this.countMoves();
    if (event?.kind === "moved") this.last = { seat: event.seat, move: event.move, before };
    else if (event?.kind === "begun" || event?.kind === "undone") this.last = null;
    else if (event?.kind === "said") this.typing = this.typing.filter((name) => name !== event.name);
    if (update.view) {
      this.frames?.push({ view: update.view, at: this.viewAt, last: this.last, moved: event?.kind === "moved" });
    }
  }

  private setView(view: View | null): void {
    this.view = view;
    this.viewAt = performance.now();
  }

  private addToLog({ version, at, event }: Update, before: View | null, after: View | null): void {
    if (!event || this.log.some((entry) => entry.version === version)) return;
    const entry = { version, at, event, before, after };
    const older = this.log.filter((other) => other.version < version);
    this.log = [...older, entry, ...this.log.slice(older.length)].slice(-MAX_LOG);
  }

  /** Keep the moves of the game for its receipt. */
  private countMoves(): void {
    const before = this.seenMoves;
    for (const { version, event } of this.log) this.seenMoves = seenAfter(this.seenMoves, this.name, version, event);
    if (this.seenMoves && (this.seenMoves.moves !== before?.moves || this.seenMoves.over !== before.over)) keepMoves(this.seenMoves);
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
