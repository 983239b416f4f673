/** Cards, moves and their outcomes in words. */
import type { ForeseenMove, PlayedMove, Say, Value, ViewContext } from "$shell";
import { readFace, readMove, SPELLS } from "./cards";
import { cardName, cornerName, placeName } from "./placeNames";
import { changesOf, keyOf, outlook as outlookOf, readFort, readKnown, readLaid, readTable, stands, type Change, type Known, type Laid, type Outlook, type Place } from "./reading";

/** Any text of a view: a card, a spell, the outcome, a clause. */
export function card(text: string, say: Say): string {
  const face = readFace(text);
  if (face) {
    const kind = face.knight ? "card.knight" : face.tokens ? "card.creature" : "card.corridor";
    const name = say(kind, { corners: face.corners.join(" ") });
    const marks: string[] = [];
    if (face.tokens) marks.push(say("mark.tokens", { n: face.tokens }));
    if (face.silent) marks.push(say("mark.silent"));
    if (face.chests) marks.push(say("mark.chests", { n: face.chests }));
    if (face.level) marks.push(say("mark.tower", { level: face.level }));
    return marks.length ? say("card.marked", { card: name, marks: join(marks, say, "card.join") }) : name;
  }
  if (text === "~") return say("card.hidden");
  const group = SPELLS.some((spell) => spell === text) ? "spell" : text.startsWith("KKD") ? "why" : "outcome";
  return say(`${group}.${text}`);
}

/** The heading of a card in the deck editor: its tower, or whether it is a creature. */
export function heading(text: string, say: Say): string {
  const face = readFace(text);
  if (!face) return "";
  if (face.level) return say("deck.heading.tower", { level: face.level });
  return say(face.tokens ? "deck.heading.creatures" : "deck.heading.corridors");
}

const fortOf = (context?: ViewContext): Laid[] => (context ? readFort(context.view.table) : []);

/** A move in words, with the fort before it: places are named by what lies there. */
export function move(text: string, say: Say, context?: ViewContext): string {
  return moveText(text, fortOf(context), say);
}

function moveText(text: string, fort: Laid[], say: Say): string {
  const read = readMove(text);
  if (!read) return say("move.timeout");
  const at: Place = { x: read.x ?? 0, y: read.y ?? 0 };
  const place = placeName(at, fort, say);
  if (read.kind === "lay") {
    return say(read.turned ? "move.lay_turned" : "move.lay", { card: card(read.card, say), place });
  }
  const corner = read.corner ? say(`corner.${read.corner}`) : "";
  return say(`move.${read.spell}`, { place, corner });
}

/** The group of a legal move on the text board: its card or its spell. */
export function group(text: string, say: Say): string {
  const read = readMove(text);
  return read ? card(read.kind === "lay" ? read.card : read.spell, say) : say("move.timeout");
}

/** A card of the fort as it lies, with what it lies beside. */
export function laid(one: Laid, say: Say, fort: Laid[] = []): string {
  const face = readFace(one.card);
  const first = one.x === 0 && one.y === 0;
  const place = first ? say("named.gate") : cornerName(one, fort, say);
  const known = { card: card(one.card, say), danger: one.danger };
  const words = [place === null ? say("laid.card", known) : say("laid", { ...known, place })];
  if (one.turned) words.push(say("mark.turned"));
  if (one.defeated) words.push(say("mark.defeated"));
  else if (face && one.tokens !== face.tokens) words.push(`${say("key.tokens")}: ${one.tokens}`);
  if (one.frozen) words.push(say("mark.frozen"));
  return join(words, say, "card.join");
}

/** The same for the text board. */
export const object = (value: Record<string, Value>, say: Say, context?: ViewContext): string =>
  laid(readLaid(value), say, fortOf(context));

/** What the numbers of a card in the fort mean, in a line. */
export function explain(one: Laid, { alarm }: Known, say: Say): string {
  const { danger, tokens } = one;
  if (!stands(one)) return say("explain.corridor", { danger, alarm });
  const what = say("explain.creature", { danger, alarm });
  return one.frozen || !tokens ? what : join([what, say("explain.tokens", { n: tokens })], say, "explain.join");
}

export function change(one: Change, say: Say, fort: Laid[] = []): string {
  const place = cardName({ ...one, defeated: !one.creature }, fort, say);
  if (one.gone) return say("change.gone", { place });
  const danger = say(one.creature ? "change.creature" : "change.danger", { place, before: one.before, after: one.after });
  if (!one.falls) return danger;
  const falls = readFace(one.card)?.knight ? say("change.knight_falls") : say("change.falls", { place });
  return one.before === one.after ? falls : join([danger, falls], say);
}

const join = (parts: string[], say: Say, how = "log.join"): string =>
  parts.reduce((first, second) => (first ? say(how, { first, second }) : second), "");

/** What is sure after a move, before it is made. */
export function outlook({ preview, view }: ForeseenMove, say: Say): string {
  const fort = readFort(view.table);
  const after = outlookOf(fort, preview);
  return after ? outlookText(after, say, fort) : "";
}

/** What a move would do, in words. */
export function outlookText({ changes, outcome, why }: Outlook, say: Say, fort: Laid[] = []): string {
  const parts = changes.map((one) => change(one, say, fort));
  if (outcome !== null && why !== null) parts.push(say(`why.${why}`));
  return parts.length ? join(parts, say) : say("change.none");
}

/** What a move did, for the log. */
export function outcome({ move: text, before, after }: PlayedMove, say: Say): string {
  if (!before || !after) return moveText(text, before ? readFort(before.table) : [], say);
  const [was, is] = [readTable(before.table), readTable(after.table)];
  const parts = [moveText(text, was.fort, say)];
  parts.push(...changesOf(was.fort, is.fort).map((one) => change(one, say, was.fort)));
  const losing = was.fort.filter((one) => {
    const now = is.fort.find((other) => keyOf(other) === keyOf(one));
    return now && !now.defeated && now.tokens === one.tokens - 1;
  });
  if (losing.length) parts.push(say("log.tokens", { n: losing.length }));
  if (was.talk !== is.talk && readMove(text)?.kind === "lay") parts.push(say(is.talk ? "log.talk" : "log.silence"));
  if (!readKnown(before).knightIsDue && readKnown(after).knightIsDue) parts.push(say("log.knight"));
  if (is.why !== null) parts.push(say(`why.${is.why}`));
  const won = is.spells.find((spell) => !was.spells.includes(spell));
  if (won) parts.push(say("log.spell", { spell: say(`spell.${won}`) }));
  return join(parts, say);
}
