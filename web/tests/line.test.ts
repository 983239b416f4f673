/** The line to a table, with sockets that break and a clock that is turned by hand. */
import { beforeEach, expect, test } from "vitest";
import { DEAF, FIRST_WAIT, Line, LONGEST_WAIT, QUIET, type LineState, type Socket } from "../src/line";
import type { Happened, Refusal, Welcome } from "../src/wire";

class FakeSocket {
  sent: Record<string, unknown>[] = [];
  closed = false;
  private hearers: Record<string, (event: never) => void> = {};

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  addEventListener(kind: string, hear: (event: never) => void): void {
    this.hearers[kind] = hear;
  }
  opens(): void {
    this.hearers["open"]?.(undefined as never);
  }
  says(message: unknown): void {
    this.hearers["message"]?.({ data: JSON.stringify(message) } as never);
  }
  breaks(code = 1006, reason = ""): void {
    this.hearers["close"]?.({ code, reason } as never);
  }
}

/** Timers that go off when the time is passed by hand. */
class Time {
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
let states: LineState[];
let heard: number[];
let time: Time;
let line: Line;
let key: string | null;

const socket = () => sockets.at(-1) as FakeSocket;

beforeEach(() => {
  sockets = [];
  states = [];
  heard = [];
  time = new Time();
  key = "the key";
  line = new Line(
    () => {
      const made = new FakeSocket();
      sockets.push(made);
      return made as unknown as Socket;
    },
    () => key,
    {
      state: (state) => states.push(state),
      welcome: () => {},
      happened: (happened: Happened) => heard.push(happened.version),
      present: () => {},
      passing: () => {},
    },
    time,
    "test",
  );
});

function greeted(version = 5): void {
  socket().opens();
  socket().says(welcome(version));
}

test("says hello with its key, and after a loss with the last version it has seen", () => {
  greeted(5);
  expect(socket().sent[0]).toEqual({ do: "hello", id: "test-1", key: "the key" });
  socket().says({ version: 6, at: 1, event: { kind: "said" } });
  socket().breaks();
  expect(line.state).toBe("lost");
  time.pass(FIRST_WAIT * 1.3);
  socket().opens();
  expect(sockets).toHaveLength(2);
  expect(socket().sent[0]).toMatchObject({ do: "hello", since: 6 });
});

test("one without a key only watches", () => {
  key = null;
  socket().opens();
  expect(socket().sent[0]).toEqual({ do: "hello", id: "test-1" });
});

test("what was not answered is sent again over the next line, with the same id", async () => {
  greeted();
  const answer = line.ask({ do: "move", move: "R5@2", version: 5 });
  const first = socket().sent.at(-1);
  socket().breaks();
  time.pass(LONGEST_WAIT);
  greeted();
  expect(socket().sent.at(-1)).toEqual(first);
  socket().says({ id: first?.["id"], version: 6 });
  expect(await answer).toBeNull();
  socket().breaks();
  time.pass(LONGEST_WAIT);
  greeted();
  expect(socket().sent.filter((one) => one["do"] === "move")).toEqual([]);
});

test("what is asked while the line is lost is sent when it is back", async () => {
  greeted();
  socket().breaks();
  const answer = line.ask({ do: "say", text: "hello" });
  time.pass(LONGEST_WAIT);
  greeted();
  const sent = socket().sent.at(-1);
  expect(sent).toMatchObject({ do: "say", text: "hello" });
  const refused: Refusal = { code: "silence", why: "hush", clause: "KKD-30" };
  socket().says({ id: sent?.["id"], refused });
  expect(await answer).toEqual(refused);
});

test("waits longer each time, but never longer than the longest", () => {
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    const before = sockets.length;
    const begin = time.now;
    socket().breaks();
    while (sockets.length === before) time.pass(10);
    waits.push(time.now - begin);
  }
  expect(waits[0]).toBe(FIRST_WAIT);
  expect(waits[1]).toBe(2 * FIRST_WAIT);
  expect(Math.max(...waits)).toBe(LONGEST_WAIT);
});

test("a line that says nothing is asked, and then given up", () => {
  greeted();
  time.pass(QUIET);
  expect(socket().sent.at(-1)).toMatchObject({ do: "ping" });
  expect(line.state).toBe("open");
  time.pass(DEAF);
  expect(line.state).toBe("lost");
  expect(sockets[0]?.closed).toBe(true);
});

test("every word from the server keeps the line", () => {
  greeted();
  for (let version = 6; version < 12; version++) {
    time.pass(QUIET - 1);
    socket().says({ version, at: 1 });
  }
  expect(sockets).toHaveLength(1);
  expect(line.state).toBe("open");
});

test("an event that was heard before is not told twice; a gap is asked for anew", () => {
  greeted(5);
  socket().says({ version: 5, at: 1 });
  socket().says({ version: 6, at: 1 });
  expect(heard).toEqual([6]);
  socket().says({ version: 8, at: 1 });
  expect(heard).toEqual([6]);
  expect(line.state).toBe("lost");
  time.pass(LONGEST_WAIT);
  socket().opens();
  expect(socket().sent[0]).toMatchObject({ since: 6 });
});

test("what a socket says after it was given up is not heard", () => {
  greeted(5);
  const old = socket();
  old.breaks();
  time.pass(LONGEST_WAIT);
  greeted(5);
  old.says({ version: 6, at: 1 });
  old.breaks();
  expect(heard).toEqual([]);
  expect(line.state).toBe("open");
});

test("no such table: it is not tried again", () => {
  socket().opens();
  socket().breaks(4404, "there is no such table");
  time.pass(10 * LONGEST_WAIT);
  expect(line.state).toBe("refused");
  expect(sockets).toHaveLength(1);
});

test("when the network is back it is tried at once", () => {
  greeted();
  socket().breaks();
  line.again();
  expect(sockets).toHaveLength(2);
  time.pass(10 * FIRST_WAIT);
  expect(sockets).toHaveLength(2);
});

test("closed for good, it is silent", () => {
  greeted();
  line.close();
  time.pass(10 * LONGEST_WAIT);
  expect(sockets).toHaveLength(1);
  expect(socket().closed).toBe(true);
});
