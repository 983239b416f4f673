/** The events of a table as sentences, for the log and for screen readers. */
import type { Board } from "./board";
import type { LogEntry } from "./table.svelte";
import { listed, type Say } from "./words.svelte";

/** The sentence for an event; null for one that needs none. */
export function describeEvent(entry: LogEntry, names: string[], board: Board, say: Say): string | null {
  const { event, before, after } = entry;
  const seat = "seat" in event ? event.seat : null;
  const name = seat == null ? ("name" in event ? event.name : "") : (names[seat] ?? "");
  switch (event.kind) {
    case "moved": {
      if (event.seat === null) return say("event.clock");
      const what = board.outcome({ move: event.move, before, after, names }, say);
      return say("event.moved", { name, what });
    }
    case "said":
      return say("event.said", { name: event.name, text: event.text });
    case "reacted":
      return say("event.reacted", { name: event.name, sign: say(`sign.${event.sign}`) });
    case "handed":
      return say("event.handed", { name, level: say(`level.${event.level}`) });
    case "undo_answered":
      return say(event.agreed ? "event.undo_agreed" : "event.undo_declined", { name });
    case "hinted": {
      if (event.move === undefined) return say("event.hinted", { name });
      const what = board.move(event.move, say, after ? { view: after, names } : undefined);
      return say("advice.own", { name, what });
    }
    case "locked":
      return say(event.locked ? "event.locked" : "event.unlocked");
    case "called_off":
      return say("event.called_off", { name, names: listed(event.missing.map((one) => names[one] ?? "")) });
    case "readied":
    case "sealed":
    case "revealed":
      return null;
    case "opened":
      return event.deal_of ? say("event.known_deal") : null;
    default:
      return say(`event.${event.kind}`, { name });
  }
}

/** The scores of the round that a move ended; null for a move that ended none. */
export function describeRoundEnd(entry: LogEntry, names: string[], say: Say): string | null {
  const { before, after } = entry;
  if (!before || !after || entry.event.kind !== "moved") return null;
  if (before.round === after.round && !after.over) return null;
  const scores = listed(after.scores.map((score, seat) => `${names[seat]} ${score ?? "?"}`));
  return say("event.round", { n: before.round, scores });
}
