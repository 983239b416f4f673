/** The line to a table: it comes back by itself, and what was not answered is sent again.
 *
 * No DOM and no Svelte in here: sockets and timers are given, so that tests can break them.
 */
import type { Answer, Happened, Passing, Refusal, Request, Welcome } from "./wire";

/** As much of a WebSocket as a line needs. */
export interface Socket {
  send(text: string): void;
  close(): void;
  addEventListener(kind: "open", hear: () => void): void;
  addEventListener(kind: "message", hear: (event: { data: string }) => void): void;
  addEventListener(kind: "close", hear: (event: { code: number; reason: string }) => void): void;
}

export interface Timers {
  set(action: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
  random(): number;
}

/** `lost`: it will be tried again. `refused`: it will not (no such table, unknown key). */
export type LineState = "connecting" | "open" | "lost" | "refused";

export interface Hearer {
  state(state: LineState, why?: string): void;
  welcome(welcome: Welcome): void;
  happened(happened: Happened): void;
  present(seats: number[]): void;
  passing(passing: Passing): void;
}

/** After this long without a word the line is asked, and after this long again given up. */
export const QUIET = 15_000;
export const DEAF = 8_000;
/** How long to wait before trying again: twice as long each time, at most the last. */
export const FIRST_WAIT = 400;
export const LONGEST_WAIT = 8_000;
/** Codes with which the server closes for good. */
const FOR_GOOD = new Set([4403, 4404, 4408]);

interface Asked {
  text: string;
  settle: (refused: Refusal | null) => void;
}

export class Line {
  version = 0;
  state: LineState = "connecting";
  private socket: Socket | null = null;
  private asked = new Map<string, Asked>();
  private count = 0;
  private tries = 0;
  private retry: unknown = null;
  private watch: unknown = null;
  private greeted = false;
  private closed = false;

  constructor(
    private readonly open: () => Socket,
    private readonly key: () => string | null,
    private readonly hearer: Hearer,
    private readonly timers: Timers,
    private readonly prefix: string,
  ) {
    this.connect();
  }

  /** Ask for something. Resolves to null when it is done, or to why it was refused. */
  ask(request: Request): Promise<Refusal | null> {
    const id = this.nextId();
    const text = JSON.stringify({ ...request, id });
    return new Promise((settle) => {
      this.asked.set(id, { text, settle });
      if (this.state === "open") this.socket?.send(text);
    });
  }

  /** Tell something that may get lost. */
  mention(request: Request): void {
    if (this.state === "open") {
      this.socket?.send(JSON.stringify({ ...request, id: this.nextId() }));
    }
  }

  /** Try again now: the network is back, or another key is known. */
  again(): void {
    if (this.closed || this.state === "open") return;
    this.timers.clear(this.retry);
    this.tries = 0;
    this.connect();
  }

  /** Hang up and say hello anew, with another key. */
  renew(): void {
    this.drop();
    this.tries = 0;
    this.connect();
  }

  close(): void {
    this.closed = true;
    this.timers.clear(this.retry);
    this.drop();
  }

  private nextId(): string {
    this.count += 1;
    return `${this.prefix}-${this.count}`;
  }

  private connect(): void {
    this.drop();
    this.change("connecting");
    const socket = this.open();
    this.socket = socket;
    this.greeted = false;
    socket.addEventListener("open", () => {
      if (socket === this.socket) this.greet(socket);
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) this.hear(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.lose(event.code, event.reason);
    });
    this.listen();
  }

  private greet(socket: Socket): void {
    const hello: Record<string, unknown> = { do: "hello", id: this.nextId() };
    const key = this.key();
    if (key) hello["key"] = key;
    if (this.version) hello["since"] = this.version;
    socket.send(JSON.stringify(hello));
  }

  private hear(message: Record<string, unknown>): void {
    this.listen();
    if ("welcome" in message) this.begin(message["welcome"] as Welcome);
    else if ("present" in message) this.hearer.present(message["present"] as number[]);
    else if ("passing" in message) this.hearer.passing(message["passing"] as Passing);
    else if ("id" in message) this.settle(message as unknown as Answer);
    else if ("at" in message) this.follow(message as unknown as Happened);
  }

  private begin(welcome: Welcome): void {
    this.version = welcome.version;
    this.greeted = true;
    this.tries = 0;
    this.hearer.welcome(welcome);
    this.change("open");
    for (const { text } of this.asked.values()) this.socket?.send(text);
  }

  private follow(happened: Happened): void {
    if (happened.version <= this.version) return;
    if (happened.version > this.version + 1 && this.greeted) {
      this.lose(0, "a version is missing");
      return;
    }
    this.version = happened.version;
    this.hearer.happened(happened);
  }

  private settle(answer: Answer): void {
    if (answer.id === null) return;
    const asked = this.asked.get(answer.id);
    this.asked.delete(answer.id);
    asked?.settle(answer.refused ?? null);
  }

  /** Every word from the server winds the watch up again. */
  private listen(): void {
    this.timers.clear(this.watch);
    this.watch = this.timers.set(() => {
      this.mention({ do: "ping" });
      this.watch = this.timers.set(() => this.lose(0, "no answer"), DEAF);
    }, QUIET);
  }

  private lose(code: number, why: string): void {
    this.drop();
    if (this.closed) return;
    if (FOR_GOOD.has(code)) {
      this.change("refused", why);
      return;
    }
    this.change("lost", why);
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries);
    this.tries += 1;
    this.retry = this.timers.set(() => this.connect(), wait * (0.7 + 0.6 * this.timers.random()));
  }

  private drop(): void {
    this.timers.clear(this.watch);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private change(state: LineState, why?: string): void {
    this.state = state;
    this.hearer.state(state, why);
  }
}
