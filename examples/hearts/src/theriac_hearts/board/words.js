/** Cards, moves and moments of Hearts in words. */
import { isCard } from "./cards.js";

/** A card in words; other texts of a view (where cards are passed, what is asked) have words, too. */
export function card(text, say) {
  if (isCard(text)) return say(`card.${text[0]}`, { rank: say(`rank.${text.slice(1)}`) });
  return ["left", "right", "across", "none", "pass", "card"].includes(text) ? say(`value.${text}`) : text;
}

export function move(text, say) {
  return text.startsWith("~") ? say("move.pass", { card: card(text.slice(1), say) }) : card(text, say);
}

/** What a move did. Of a card that somebody passed on, others get "~" alone. */
export function outcome({ move: text, before, after, names }, say) {
  if (text.startsWith("~")) {
    return text === "~" ? say("log.pass") : say("log.pass_card", { card: card(text.slice(1), say) });
  }
  const trick = trickTaken(before, after);
  if (!trick) return card(text, say);
  return say(trick.points ? "log.trick_points" : "log.trick", { card: card(text, say), name: names[trick.winner], n: trick.points });
}

/** Who took the trick that a move ended, with how many points; null for any other move. */
function trickTaken(before, after) {
  if (!before || !after || before.round !== after.round || before.table.trick.length < 3) return null;
  const sum = ({ table }) => table.points.reduce((all, n) => all + n, 0);
  return { winner: after.table.leader, points: sum(after) - sum(before) };
}

/** Hearts are broken; a trick that hurts; somebody shot the moon. */
export function moment({ before, after, names }, say) {
  if (!before || !after) return null;
  const moon = after.round !== before.round || after.over ? after.sheet?.moon : null;
  if (moon != null) return { text: say("moment.moon"), detail: names[moon], tone: "wonder", sound: "chime" };
  const trick = trickTaken(before, after);
  if (trick?.points >= 10) {
    return { text: say("moment.ouch"), detail: say("moment.points", { name: names[trick.winner], n: trick.points }), tone: "bad", sound: "shock" };
  }
  const breaks = after.round === before.round && after.table.broken && !before.table.broken;
  return breaks ? { text: say("moment.broken"), tone: "wonder", sound: "stone" } : null;
}

/** For the status line. */
export function facts({ table }, seat, say) {
  if (table.asked === "pass") return seat === null ? [] : [say(`status.pass.${table.passing}`)];
  return [say(table.broken ? "status.broken" : "status.unbroken")];
}

export const object = (entry, say, context) =>
  say("trick.entry", { name: context?.names[entry.seat] ?? entry.seat, card: card(entry.card ?? "", say) });

/** The heading of a card in the deck editor: its suit. */
export const heading = (text, say) => (isCard(text) ? say(`suit.${text[0]}`) : "");
