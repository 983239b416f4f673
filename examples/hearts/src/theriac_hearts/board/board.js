/** Hearts on the page: a plain module, without a build step. It draws what the server sends and knows no
 * rule. docs/page.md of Theriac describes what it exports. */
import { cardFace, element, isCard } from "./cards.js";

export const lowestWins = true;
export const perSeat = ["chosen", "tricks", "points", "hands", "voids", "taken", "scored", "totals"];
export const seats = ["leader", "dealer", "moon"];

// Words

/** A card in words; other texts of a view (where cards are passed, what is asked) have words, too. */
export function card(text, say) {
  if (isCard(text)) {
    return say(`card.${text[0]}`, { rank: say(`rank.${text.slice(1)}`) });
  }
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
  const words = card(text, say);
  const trick = before?.table.trick;
  if (!Array.isArray(trick) || trick.length < 3 || !after) {
    return words;
  }
  const points = (view) => view.table.points.reduce((sum, n) => sum + n, 0);
  const sameRound = after.round === before.round;
  const n = sameRound ? points(after) - points(before) : 0;
  const winner = sameRound ? names[after.table.leader] : "";
  return winner ? say(n ? "log.trick_points" : "log.trick", { card: words, name: winner, n }) : words;
}

export const parts = (text) => ({ card: text.replace("~", ""), at: null });

export const object = (entry, say, context) =>
  say("trick.entry", { name: context?.names[entry.seat] ?? entry.seat, card: card(entry.card ?? "", say) });

export const heading = (text, say) => (isCard(text) ? say(`suit.${text[0]}`) : "");

// Cards

function mountFace(host, props) {
  const draw = ({ card: text }) => host.replaceChildren(cardFace(text));
  draw(props);
  return { update: draw };
}
export { mountFace as mountCard, mountFace as mountDeckCard };

export function mountSeat(host, props) {
  host.classList.add("hearts-facts");
  const draw = ({ view, seat, say }) => {
    const { table } = view;
    const facts = [
      say("seat.cards", { n: table.hands[seat] }),
      say("seat.tricks", { n: table.tricks[seat] }),
      say("seat.points", { n: table.points[seat] }),
    ];
    if (table.asked === "pass") {
      facts.splice(1, 2, say("seat.chosen", { n: table.chosen[seat] }));
    }
    if (table.dealer === seat) {
      facts.push(say("seat.dealer"));
    }
    host.replaceChildren(...facts.map((fact) => element("span", "hearts-fact", fact)));
  };
  draw(props);
  return { update: draw };
}

// The table

export function mount(host, props) {
  host.classList.add("hearts");
  const draw = (now) => {
    // The focus stays on the card, or moves to its neighbour when it was played.
    const focused = [...host.querySelectorAll(".hearts-hand button")].indexOf(document.activeElement);
    host.replaceChildren(
      element("p", "hearts-status", status(now)),
      trickOf(now),
      ...notes(now),
      ...handOf(now),
      ...openHands(now),
    );
    if (focused >= 0) {
      const buttons = host.querySelectorAll(".hearts-hand button");
      buttons[Math.min(focused, buttons.length - 1)]?.focus();
    }
  };
  draw(props);
  return { update: draw, destroy: () => host.replaceChildren() };
}

function status({ view, say }) {
  const { table } = view;
  if (table.asked === "pass") {
    return say(`status.pass.${table.passing}`);
  }
  return say(table.broken ? "status.broken" : "status.unbroken");
}

/** The four cards of the trick around the middle, one's own below; before a lead, the last trick, faded. */
function trickOf({ view, seat, names, say }) {
  const { trick, last_trick: last } = view.table;
  const old = trick.length === 0 && last.length > 0;
  const shown = old ? last : trick;
  const label = say(old ? "trick.last" : "trick.now");
  const list = element("ol", `hearts-trick${old ? " hearts-old" : ""}`);
  list.setAttribute("aria-label", label);
  const places = ["south", "west", "north", "east"];
  for (const { seat: player, card: text } of shown) {
    const place = places[(player - (seat ?? 0) + 4) % 4];
    const item = element("li", `hearts-${place}`);
    const words = say("trick.entry", { name: names[player], card: card(text, say) });
    item.append(cardFace(text), element("span", "hidden-text", words), tag(names[player]));
    list.append(item);
  }
  if (shown.length === 0) {
    list.append(element("li", "hearts-empty", say("trick.empty")));
  }
  return list;
}

function tag(name) {
  const shown = element("span", "hearts-name", name);
  shown.setAttribute("aria-hidden", "true");
  return shown;
}

/** What the player passed on and received, and how the last round was scored. */
function notes({ view, seat, names, say }) {
  const found = [];
  const list = (texts) => texts.map((text) => card(text, say)).join(say("list.comma"));
  const step = { left: 1, across: 2, right: 3 }[view.table.passing] ?? 0;
  const { passed = [], received = [] } = view.recalled ?? {};
  if (seat !== null && passed.length) {
    const key = view.table.asked === "pass" ? "note.chosen" : "note.passed";
    found.push(say(key, { name: names[(seat + step) % 4], cards: list(passed) }));
  }
  if (seat !== null && received.length) {
    found.push(say("note.received", { name: names[(seat + 4 - step) % 4], cards: list(received) }));
  }
  if (view.sheet && view.table.tricks.every((n) => n === 0 || view.over)) {
    found.push(describeSheet(view.sheet, names, say));
  }
  return found.map((note) => element("p", "hearts-note", note));
}

function describeSheet(sheet, names, say) {
  const points = names.map((name, seat) => say("sheet.seat", { name, n: sheet.scored[seat] }));
  const scored = say("sheet", { round: sheet.round, points: points.join(say("list.comma")) });
  return sheet.moon === null ? scored : `${scored} ${say("sheet.moon", { name: names[sheet.moon] })}`;
}

const ORDER = "CDSH";
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const rankOf = (text) => 13 * ORDER.indexOf(text[0]) + RANKS.indexOf(text.slice(1));
const sorted = (cards) => [...cards].sort((a, b) => rankOf(a) - rankOf(b));

function handOf({ view, seat, legal, canAct, act, hinted, say }) {
  if (seat === null || !view.hand) {
    return [];
  }
  const prefix = view.table.asked === "pass" ? "~" : "";
  const hand = element("div", "hearts-hand");
  // The page lets digits choose among the buttons of this part, and keeps the focus in it.
  hand.dataset.part = "hand";
  hand.setAttribute("role", "group");
  hand.setAttribute("aria-label", say("hand"));
  for (const text of sorted(view.hand)) {
    const button = element("button", "hearts-card");
    const played = prefix + text;
    button.type = "button";
    // What is not legal can be tried: the server says which rule forbids it. Out of turn a card stays in reach
    // of the focus.
    button.setAttribute("aria-disabled", String(!canAct));
    button.classList.toggle("hearts-legal", legal.includes(played));
    button.classList.toggle("hearts-hinted", hinted === played);
    button.append(cardFace(text), element("span", "hidden-text", move(played, say)));
    button.onclick = () => canAct && act(played);
    hand.append(button);
  }
  return [hand];
}

/** All other hands, in a replay with open cards. */
function openHands({ hands, seat, names, say }) {
  return (hands ?? []).flatMap((cards, player) => {
    if (player === seat) {
      return [];
    }
    const row = element("div", "hearts-open");
    row.append(element("p", "hearts-note", say("hand.of", { name: names[player] })));
    for (const text of sorted(cards)) {
      const face = element("span", "hearts-small");
      face.append(cardFace(text), element("span", "hidden-text", card(text, say)));
      row.append(face);
    }
    return [row];
  });
}
