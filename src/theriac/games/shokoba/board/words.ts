/** Cards, moves and their outcomes in words. */
import type { ForeseenMove, Moment, PlayedMove, Say } from "$shell";
import { readFace, readMove } from "./cards";
import { isShokoba, outlookOf, readSheet, readTable } from "./reading";

export function card(text: string, say: Say): string {
  const face = readFace(text);
  return face ? say(`card.${face.gem}`, { value: face.value }) : say("card.hidden");
}

export const cards = (texts: readonly string[], say: Say): string =>
  texts.map((text) => card(text, say)).reduce((first, second) => (first ? say("card.join", { first, second }) : second), "");

/** The heading of a card in the deck editor: its gem. */
export function heading(text: string, say: Say): string {
  const face = readFace(text);
  return face ? say(`deck.heading.${face.gem}`) : "";
}

/** What is sure after a move: "3 cards for your pile". */
export function outlook({ preview, view, seat }: ForeseenMove, say: Say): string {
  const after = outlookOf(preview, readTable(view.table), seat);
  if (after?.shokobas) return say("hint.shokoba");
  return after?.cards ? say("hint.cards", { n: after.cards }) : "";
}

/** A legal move, as a button says it. */
export function move(text: string, say: Say): string {
  const read = readMove(text);
  if (read.kind === "pass") return say("move.pass");
  if (read.kind === "claim") return say("move.claim", { cards: cards(read.taken, say) });
  if (read.kind === "capture") return say("move.capture", { card: card(read.card, say), cards: cards(read.taken, say) });
  return say(`move.${read.kind}`, { card: card(read.card, say) });
}

/** What a move did, for the log. A SHOKOBA is announced. */
export function outcome({ move: text, before, after, seat }: PlayedMove, say: Say): string {
  const read = readMove(text);
  const open = before && Array.isArray(before.table["open"]) ? before.table["open"] : null;
  const what = read.kind === "claim" && open
    ? say("log.claim", { card: card(String(open.at(-1)), say), cards: cards(read.taken, say) })
    : move(text, say);
  return isShokoba(before, after, seat ?? before?.to_act) ? say("log.shokoba", { what }) : what;
}

/** A cleared table, and the end of a round, with who takes what is left. */
export function moment({ before, after, seat, viewer, names }: PlayedMove, say: Say): Moment | null {
  if (!before || !after || seat == null) return null;
  if (isShokoba(before, after, seat)) {
    return { text: say("hint.shokoba"), detail: say(seat === viewer ? "moment.clears_you" : "moment.clears", { name: names[seat] ?? "" }), tone: "good", sound: "chime" };
  }
  const sheet = readSheet(after);
  if (!sheet?.scored || (before.round === after.round && before.over === after.over)) return null;
  const taker = sheet.left.length && sheet.lastCapture !== null ? names[sheet.lastCapture] : undefined;
  if (taker === undefined) return { text: say("moment.round", { n: sheet.round }), tone: "wonder", sound: "gather" };
  return { text: say("moment.last"), detail: say(sheet.lastCapture === viewer ? "moment.left_you" : "moment.left", { name: taker, n: sheet.left.length }), tone: "wonder", sound: "gather" };
}
