/** Cards, moves and their outcomes in words. */
import type { PlayedMove, Say } from "$shell";
import { readFace, readMove } from "./cards";

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

/** A legal move, as a button says it. */
export function move(text: string, say: Say): string {
  const read = readMove(text);
  if (read.kind === "pass") return say("move.pass");
  if (read.kind === "claim") return say("move.claim", { cards: cards(read.taken, say) });
  if (read.kind === "capture") return say("move.capture", { card: card(read.card, say), cards: cards(read.taken, say) });
  return say(`move.${read.kind}`, { card: card(read.card, say) });
}

/** What a move did, for the log. A capture that clears the table is announced. */
export function outcome({ move: text, before }: PlayedMove, say: Say): string {
  const read = readMove(text);
  const open = before && Array.isArray(before.table["open"]) ? before.table["open"] : null;
  const what = read.kind === "claim" && open
    ? say("log.claim", { card: card(String(open.at(-1)), say), cards: cards(read.taken, say) })
    : move(text, say);
  return clears(text, open?.length ?? null) ? say("log.shokoba", { what }) : what;
}

/** Does a capture take all open cards? The claimed card is one of them. */
export function clears(text: string, open: number | null): boolean {
  const read = readMove(text);
  if (read.kind === "capture") return read.taken.length === open;
  return read.kind === "claim" && open !== null && read.taken.length === open - 1;
}
