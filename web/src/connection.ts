/** The connection to a table: it reconnects by itself, and sends again what got no reply.
 *
 * No DOM and no Svelte in here: sockets and timers are passed in, so that tests can break them.
 */
import type { ClientMessage, Refusal, Reply, ServerMessage, Signal, Update, Welcome } from "./wire";

/** A client's message without its id: the connection adds one. */
export type Request = ClientMessage extends infer M ? (M extends { id: string } ? Omit<M, "id"> : never) : never;

/** The part of a WebSocket that a connection uses. */
export interface Socket {
  send(text: string): void;
  close(): void;
  addEventListener(kind: "open", listener: () => void): void;
  addEventListener(kind: "message", listener: (event: { data: string }) => void): void;
  addEventListener(kind: "close", listener: (event: { code: number; reason: string }) => void): void;
}

export interface Timers {
  set(action: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
  random(): number;
}

/** `lost`: it will reconnect. `refused`: it will not (no such table, unknown key). */
export type ConnectionStatus = "connecting" | "open" | "lost" | "refused";

export interface Listener {
  /** With the reason and the code with which the server closed the socket, if it did. */
  status(status: ConnectionStatus, reason?: string, code?: number): void;
  welcome(welcome: Welcome): void;
  update(update: Update): void;
  present(seats: number[]): void;
  signal(signal: Signal): void;
  announce(text: string): void;
}

/** Ping after this long without a message, and give up after this long without a reply. */
export const PING_AFTER = 15_000;
export const PING_TIMEOUT = 8_000;
/** Exponential backoff between attempts to reconnect. */
export const MIN_BACKOFF = 400;
export const MAX_BACKOFF = 8_000;
/** Close codes after which the server would refuse every further attempt. */
export const UNKNOWN_KEY = 4401;
export const NO_TABLE = 4404;
const PERMANENT_CODES = new Set([UNKNOWN_KEY, 4403, NO_TABLE, 4408]);

interface PendingRequest {
  text: string;
  resolve: (refusal: Refusal | null) => void;
}

export class Connection {
  /** The version of the last event received. */
  version = 0;
  status: ConnectionStatus = "connecting";
  private socket: Socket | null = null;
  private pending = new Map<string, PendingRequest>();
  private lastId = 0;
  private attempts = 0;
  private retryTimer: unknown = null;
  private pingTimer: unknown = null;
  private welcomed = false;
  private closed = false;

  constructor(
    private readonly openSocket: () => Socket,
    private readonly key: () => string | null,
    private readonly listener: Listener,
    private readonly timers: Timers,
    private readonly idPrefix: string,
  ) {
    this.connect();
  }

  /** Send a request until it gets a reply. Resolves to null when it is done, or to the refusal. */
  request(request: Request): Promise<Refusal | null> {
    const id = this.nextId();
    const text = JSON.stringify({ ...request, id });
    return new Promise((resolve) => {
      this.pending.set(id, { text, resolve });
      if (this.status === "open") this.socket?.send(text);
    });
  }

  /** Send a request at most once, and ignore its reply. */
  sendOnce(request: Request): void {
    if (this.status === "open") {
      this.socket?.send(JSON.stringify({ ...request, id: this.nextId() }));
    }
  }

  /** Do not wait for the next attempt: the network is back. */
  retryNow(): void {
    if (this.closed || this.status === "open") return;
    this.timers.clear(this.retryTimer);
    this.attempts = 0;
    this.connect();
  }

  /** Drop the socket and open another, with the key as it is now. */
  reconnect(): void {
    this.drop();
    this.attempts = 0;
    this.connect();
  }

  close(): void {
    this.closed = true;
    this.timers.clear(this.retryTimer);
    this.drop();
  }

  private nextId(): string {
    this.lastId += 1;
    return `${this.idPrefix}-${this.lastId}`;
  }

  private connect(): void {
    this.drop();
    this.setStatus("connecting");
    const socket = this.openSocket();
    this.socket = socket;
    this.welcomed = false;
    socket.addEventListener("open", () => {
      if (socket === this.socket) this.sendHello(socket);
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data) as ServerMessage);
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.onLost(event.code, event.reason);
    });
    this.restartPingTimer();
  }

  private sendHello(socket: Socket): void {
    const key = this.key();
    const hello: ClientMessage = {
      do: "hello",
      id: this.nextId(),
      ...(key && { key }),
      ...(this.version && { since: this.version }),
    };
    socket.send(JSON.stringify(hello));
  }

  private receive(message: ServerMessage): void {
    this.restartPingTimer();
    if ("welcome" in message) this.onWelcome(message.welcome);
    else if ("present" in message) this.listener.present(message.present);
    else if ("passing" in message) this.listener.signal(message.passing);
    else if ("announcement" in message) this.listener.announce(message.announcement);
    else if ("id" in message) this.onReply(message);
    else if ("at" in message) this.onUpdate(message);
  }

  private onWelcome(welcome: Welcome): void {
    this.version = welcome.version;
    this.welcomed = true;
    this.attempts = 0;
    this.listener.welcome(welcome);
    this.setStatus("open");
    for (const { text } of this.pending.values()) this.socket?.send(text);
  }

  private onUpdate(update: Update): void {
    if (update.version <= this.version) return;
    if (update.version > this.version + 1 && this.welcomed) {
      this.onLost(0, "a version is missing");
      return;
    }
    this.version = update.version;
    this.listener.update(update);
  }

  private onReply(reply: Reply): void {
    if (reply.id === null) return;
    const pending = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    pending?.resolve(reply.refused ?? null);
  }

  private restartPingTimer(): void {
    this.timers.clear(this.pingTimer);
    this.pingTimer = this.timers.set(() => {
      this.sendOnce({ do: "ping" });
      this.pingTimer = this.timers.set(() => this.onLost(0, "no reply"), PING_TIMEOUT);
    }, PING_AFTER);
  }

  private onLost(code: number, reason: string): void {
    this.drop();
    if (this.closed) return;
    if (PERMANENT_CODES.has(code)) {
      this.setStatus("refused", reason, code);
      return;
    }
    this.setStatus("lost", reason);
    const backoff = Math.min(MAX_BACKOFF, MIN_BACKOFF * 2 ** this.attempts);
    const jitter = 0.7 + 0.6 * this.timers.random();
    this.attempts += 1;
    this.retryTimer = this.timers.set(() => this.connect(), backoff * jitter);
  }

  private drop(): void {
    this.timers.clear(this.pingTimer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private setStatus(status: ConnectionStatus, reason?: string, code?: number): void {
    this.status = status;
    this.listener.status(status, reason, code);
  }
}
