/** The connection to a table, with sockets that break and a simulated clock. */
import { beforeEach, expect, test } from "vitest";
import {
  Connection,
  MAX_BACKOFF,
  MIN_BACKOFF,
  PING_AFTER,
  PING_TIMEOUT,
  UNKNOWN_KEY,
  type ConnectionStatus,
  type Socket,
} from "../src/connection";
import type { Refusal, Update, Welcome } from "../src/wire";

class FakeSocket {
  sent: Record<string, unknown>[] = [];
  closed = false;
  private listeners: Record<string, (event: never) => void> = {};

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  addEventListener(kind: string, listener: (event: never) => void): void {
    this.listeners[kind] = listener;
  }
  opens(): void {
    this.listeners["open"]?.(undefined as never);
  }
  says(message: unknown): void {
    this.listeners["message"]?.({ data: JSON.stringify(message) } as never);
  }
  breaks(code = 1006, reason = ""): void {
    this.listeners["close"]?.({ code, reason } as never);
  }
}

/** Timers that fire when `pass` moves the clock. */
class FakeTimers {
  now = 0;
  private waiting: { at: number; action: () => void }[] = [];

  set = (action: () => void, milliseconds: number): unknown => {
    const timer = { at: this.now + milliseconds, action };
    this.waiting.push(timer);
    return timer;
  };
  clear = (timer: unknown): void => {
    this.waiting = this.waiting.filter((one) => one !== timer);
  };
  random = (): number => 0.5;

  pass(milliseconds: number): void {
    const until = this.now + milliseconds;
    for (;;) {
      const next = this.waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.waiting = this.waiting.filter((one) => one !== next);
      this.now = next.at;
      next.action();
    }
    this.now = until;
  }
}

const room = { stage: "playing" } as unknown as Welcome["room"];
const welcome = (version: number) => ({ welcome: { version, now: 0, room, events: [] } });

let sockets: FakeSocket[];
let statuses: ConnectionStatus[];
let received: number[];
let time: FakeTimers;
let connection: Connection;
let key: string | null;
let lastCode: number | undefined;

const socket = () => sockets.at(-1) as FakeSocket;

beforeEach(() => {
  sockets = [];
  statuses = [];
  received = [];
  time = new FakeTimers();
  key = "the key";
  connection = new Connection(
    () => {
      const made = new FakeSocket();
      sockets.push(made);
      return made as unknown as Socket;
    },
    () => key,
    {
      status: (status, _reason, code) => {
        statuses.push(status);
        lastCode = code;
      },
      welcome: () => {},
      update: (update: Update) => received.push(update.version),
      present: () => {},
      signal: () => {},
      announce: () => {},
    },
    time,
    "test",
  );
});

function welcomed(version = 5): void {
  socket().opens();
  socket().says(welcome(version));
}

test("says hello with its key, and after a loss with the last version it has received", () => {
  welcomed(5);
  expect(socket().sent[0]).toEqual({ do: "hello", id: "test-1", key: "the key" });
  socket().says({ version: 6, at: 1, event: { kind: "said" } });
  socket().breaks();
  expect(connection.status).toBe("lost");
  time.pass(MIN_BACKOFF * 1.3);
  socket().opens();
  expect(sockets).toHaveLength(2);
  expect(socket().sent[0]).toMatchObject({ do: "hello", since: 6 });
});

test("without a key it connects as a spectator", () => {
  key = null;
  socket().opens();
  expect(socket().sent[0]).toEqual({ do: "hello", id: "test-1" });
});

test("a request without a reply is sent again over the next socket, with the same id", async () => {
  welcomed();
  const refusal = connection.request({ do: "move", move: "R5@2", version: 5 });
  const first = socket().sent.at(-1);
  socket().breaks();
  time.pass(MAX_BACKOFF);
  welcomed();
  expect(socket().sent.at(-1)).toEqual(first);
  socket().says({ id: first?.["id"], version: 6 });
  expect(await refusal).toBeNull();
  socket().breaks();
  time.pass(MAX_BACKOFF);
  welcomed();
  expect(socket().sent.filter((one) => one["do"] === "move")).toEqual([]);
});

test("a request made while the connection is lost is sent after it is back", async () => {
  welcomed();
  socket().breaks();
  const refusal = connection.request({ do: "say", text: "hello" });
  time.pass(MAX_BACKOFF);
  welcomed();
  const sent = socket().sent.at(-1);
  expect(sent).toMatchObject({ do: "say", text: "hello" });
  const refused: Refusal = { code: "silence", why: "hush", clause: "KKD-30" };
  socket().says({ id: sent?.["id"], refused });
  expect(await refusal).toEqual(refused);
});

test("backs off exponentially, up to the maximum", () => {
  const backoffs: number[] = [];
  for (let i = 0; i < 8; i++) {
    const before = sockets.length;
    const begin = time.now;
    socket().breaks();
    while (sockets.length === before) time.pass(10);
    backoffs.push(time.now - begin);
  }
  expect(backoffs[0]).toBe(MIN_BACKOFF);
  expect(backoffs[1]).toBe(2 * MIN_BACKOFF);
  expect(Math.max(...backoffs)).toBe(MAX_BACKOFF);
});

test("a silent connection is pinged, then given up", () => {
  welcomed();
  time.pass(PING_AFTER);
  expect(socket().sent.at(-1)).toMatchObject({ do: "ping" });
  expect(connection.status).toBe("open");
  time.pass(PING_TIMEOUT);
  expect(connection.status).toBe("lost");
  expect(sockets[0]?.closed).toBe(true);
});

test("every message from the server keeps the connection alive", () => {
  welcomed();
  for (let version = 6; version < 12; version++) {
    time.pass(PING_AFTER - 1);
    socket().says({ version, at: 1 });
  }
  expect(sockets).toHaveLength(1);
  expect(connection.status).toBe("open");
});

test("an event received before is dropped; after a gap it reconnects from the last version", () => {
  welcomed(5);
  socket().says({ version: 5, at: 1 });
  socket().says({ version: 6, at: 1 });
  expect(received).toEqual([6]);
  socket().says({ version: 8, at: 1 });
  expect(received).toEqual([6]);
  expect(connection.status).toBe("lost");
  time.pass(MAX_BACKOFF);
  socket().opens();
  expect(socket().sent[0]).toMatchObject({ since: 6 });
});

test("messages of a socket that was given up are ignored", () => {
  welcomed(5);
  const old = socket();
  old.breaks();
  time.pass(MAX_BACKOFF);
  welcomed(5);
  old.says({ version: 6, at: 1 });
  old.breaks();
  expect(received).toEqual([]);
  expect(connection.status).toBe("open");
});

test("no such table: it does not reconnect", () => {
  socket().opens();
  socket().breaks(4404, "there is no such table");
  time.pass(10 * MAX_BACKOFF);
  expect(connection.status).toBe("refused");
  expect(sockets).toHaveLength(1);
});

test("when the network is back it reconnects at once", () => {
  welcomed();
  socket().breaks();
  connection.retryNow();
  expect(sockets).toHaveLength(2);
  time.pass(10 * MIN_BACKOFF);
  expect(sockets).toHaveLength(2);
});

test("after close it does not reconnect", () => {
  welcomed();
  connection.close();
  time.pass(10 * MAX_BACKOFF);
  expect(sockets).toHaveLength(1);
  expect(socket().closed).toBe(true);
});

test("an unknown key is recognized by its code, not by the words of the reason", () => {
  socket().opens();
  socket().breaks(UNKNOWN_KEY, "");
  expect([connection.status, lastCode]).toEqual(["refused", UNKNOWN_KEY]);
  expect(sockets).toHaveLength(1);
});
