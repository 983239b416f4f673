/** Cards, moves and their outcomes in words. */
import type { ForeseenMove, ViewContext, PlayedMove, Say, Value } from "$shell";
import { HIDDEN, readJewels, readKind, readMove, readNumber, SUITS } from "./cards";
import { effectOf, type MoveEffect } from "./moveEffect";
import { outlook as outlookOf, poisonOn, read, readLaid, readMarks, type Laid, type Marks, type Outlook } from "./reading";

/** Join sentences or words as the language does. */
export const join = (parts: string[], say: Say, how: "list" | "log.join"): string =>
  parts.reduce((first, second) => (first ? say(how, { first, second }) : second), "");

export const list = (parts: string[], say: Say): string => join(parts, say, "list");

/** A number card and everything on it. */
export function cardWith(text: string, marks: Marks, say: Say): string {
  const face = readNumber(text);
  if (!face) return any(text, say);
  const words = [say("card.number", { rank: face.rank, suit: say(`suit.${face.suit}`) })];
  const kind = poisonOn(text, marks);
  if (kind) words.push(say(`kind.${kind}`));
  if (marks["potion"]?.includes(text)) words.push(say("mark.potion"));
  if (marks["jewel"]?.includes(text)) words.push(say("mark.jewel"));
  return list(words, say);
}

/** A number card without what is on it: "9 of spades". */
export function shortCard(text: string, say: Say): string {
  const face = readNumber(text);
  return face ? say("card.number", { rank: face.rank, suit: say(`suit.${face.suit}`) }) : any(text, say);
}

/** Any other text of a view: a card of the chest, a poison, a suit. */
function any(text: string, say: Say): string {
  if (text === HIDDEN) return say("card.hidden");
  const jewels = readJewels(text);
  if (jewels && jewels.small === null) return say("card.door", { n: jewels.large });
  if (jewels) return say("card.chest", { large: jewels.large, small: jewels.small ?? 0 });
  if (SUITS.some((suit) => suit === text)) return say(`suit.${text}`);
  return readKind(text) ? say(`kind.${text}`) : text;
}

/** The heading of a card in the deck editor: its suit, or the chest. */
export function heading(text: string, say: Say): string {
  const face = readNumber(text);
  if (face) return say(`suit.${face.suit}`);
  return readJewels(text) || readKind(text) ? say("deck.heading.chest") : "";
}

/** A mark: what a card can show beside its suit and rank. */
export const mark = (text: string, say: Say): string => say(readKind(text) ? `kind.${text}` : `mark.${text}`);

const marksOf = (context: ViewContext | undefined): Marks => (context ? readMarks(context.view) : {});

export const card = (text: string, say: Say, context?: ViewContext): string => cardWith(text, marksOf(context), say);

export function moveWith(text: string, marks: Marks, say: Say): string {
  const move = readMove(text);
  if (move.kind === "cure") return say("move.cure", { kind: any(move.poison, say) });
  if (!("card" in move)) return say(`move.${move.kind}`);
  if (move.card === HIDDEN) return say(`move.${move.kind}_hidden`);
  return say(`move.${move.kind}`, { card: cardWith(move.card, marks, say) });
}

export const move = (text: string, say: Say, context?: ViewContext): string => moveWith(text, marksOf(context), say);

/** The group of a legal move on the text board: withdrawing, which cannot be undone, or none. */
export function group(text: string, say: Say): string {
  return readMove(text).kind === "withdraw" ? say("withdraw") : "";
}

/** A card of the trick. */
export function laidWith(one: Laid, name: string, marks: Marks, say: Say): string {
  const words = [cardWith(one.card, marks, say)];
  if (one.jewels) words.push(say("trick.jewels", { n: one.jewels }));
  return say("trick.laid", { name, card: list(words, say) });
}

export function object(value: Record<string, Value>, say: Say, context?: ViewContext): string {
  const one = readLaid(value);
  return laidWith(one, context?.names[one.seat] ?? String(one.seat), marksOf(context), say);
}

// What a move did

export function gainsOf({ gains }: MoveEffect, names: string[], say: Say): string[] {
  return gains.flatMap((n, seat) => (n ? [say("log.gain", { name: names[seat] ?? "", n })] : []));
}

export const shockOf = ({ shocked }: MoveEffect, names: string[], say: Say): string =>
  shocked.length ? say("log.shock", { n: shocked.length, names: list(shocked.map((seat) => names[seat] ?? ""), say) }) : "";

export function outcome({ move: text, before, after, names }: PlayedMove, say: Say): string {
  const marks = after ? readMarks(after) : {};
  const parts = [moveWith(text, marks, say)];
  const effect = before && after ? effectOf(text, before, after) : null;
  if (effect) parts.push(...consequences(effect, names, marks, say));
  return join(parts.filter(Boolean), say, "log.join");
}

function consequences(effect: MoveEffect, names: string[], marks: Marks, say: Say): string[] {
  const parts: string[] = [];
  if (effect.winner !== null) parts.push(say("log.wins", { name: names[effect.winner] ?? "" }));
  effect.fronted.forEach((cards, seat) => {
    if (cards.length) parts.push(say("log.front", { name: names[seat] ?? "", cards: list(cards.map((one) => cardWith(one, marks, say)), say) }));
  });
  for (const one of effect.covered.flat()) parts.push(say("log.covered", { card: cardWith(one, marks, say) }));
  if (effect.revealed) parts.push(say("log.revealed", { card: any(effect.revealed, say) }));
  parts.push(list(gainsOf(effect, names, say), say), shockOf(effect, names, say));
  return parts;
}

/** What is certain after a move that could be made, in words. */
export function outlook({ preview, view, seat, names }: ForeseenMove, say: Say): string {
  const table = read(view);
  const certain = outlookOf(table, preview, seat);
  return certain ? outlookText(certain, seat, names, table.marks, say) : "";
}

/** What is certain after a move, in words. */
export function outlookText({ best, jewels, cards, out }: Outlook, seat: number, names: string[], marks: Marks, say: Say): string {
  const parts: string[] = [];
  if (out) parts.push(say("outlook.shock"));
  else if (jewels) parts.push(say("outlook.jewels", { n: jewels }));
  else if (best) parts.push(say(`outlook.${best.sure ? "wins" : "best"}.${best.seat === seat ? "you" : "other"}`, { name: names[best.seat] ?? "" }));
  if (cards.length) parts.push(say("outlook.front", { cards: list(cards.map((one) => cardWith(one, marks, say)), say) }));
  return join(parts, say, "log.join");
}
