/** Hearts on the page: a plain module, without a build step. It draws what the server sends and knows no
 * rule. docs/page.md of Theriac describes what it exports. */
import { cardFace, element, sorted } from "./cards.js";
import { card } from "./words.js";

export * from "./words.js";
export { mountSheet } from "./sheet.js";

export const lowestWins = true;
export const perSeat = ["chosen", "tricks", "points", "hands", "voids", "taken", "scored", "totals"];
export const seats = ["leader", "dealer", "moon"];
export const seating = "ring";
export const parts = (text) => ({ card: text.replace("~", ""), at: null });

// The place: a card table at night, or by day. board.css draws it.
export const theme = {
  "--scene": "light-dark(radial-gradient(#f4e3cf, #d9b896), radial-gradient(#4a2430, #1d0b12))",
  "--scene-faint": "light-dark(#57242f, #e6c9cf)",
  "--scene-turn": "light-dark(#560f20, #ffd27a)",
};
export function mountScene(host) {
  host.classList.add("hearts-scene");
  return { update() {} };
}

function mountFace(host, props) {
  const draw = ({ card: text }) => host.replaceChildren(cardFace(text));
  draw(props);
  return { update: draw };
}
export { mountFace as mountCard, mountFace as mountDeckCard, sorted as inOrder };

/** What a seat has: its cards, and the points of the tricks that it took. */
export function mountSeat(host, props) {
  host.classList.add("hearts-facts");
  const draw = ({ view: { table }, seat, say }) => {
    const fact = (sign, n, words) => {
      const made = element("span", "hearts-fact");
      const shown = element("span", "", `${sign} ${n}`);
      shown.setAttribute("aria-hidden", "true");
      made.append(shown, element("span", "hidden-text", (made.title = say(words, { n }))));
      return made;
    };
    const held = fact("", table.hands[seat], "seat.cards");
    held.classList.add("hearts-cards");
    held.dataset.held = "";
    const dealer = fact("D", "", "seat.dealer");
    dealer.className = "hearts-dealer";
    host.replaceChildren(
      held,
      table.asked === "pass" ? fact("⇄", table.chosen[seat], "seat.chosen") : fact("♥", table.points[seat], "seat.points"),
      ...(table.dealer === seat ? [dealer] : []),
    );
  };
  draw(props);
  return { update: draw };
}

// The table: the stage has a place for each part, and brings the fan of the hand and the action button.

export const fillsStage = true;

export function mount(host, props) {
  const part = (name, label) => {
    const made = element("section", `hearts-${name}`);
    made.dataset.part = name;
    if (label) made.setAttribute("aria-label", label);
    host.append(made);
    return made;
  };
  const table = part("table", props.say("trick.now"));
  const [hand, action] = props.seat === null ? [] : [part("hand"), part("action")];
  let now = props;
  let chosen = [];
  let held = [];

  /** A card is chosen or let go. Where one too many is chosen, the first is let go. */
  const choose = (id) => {
    chosen = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-wanted(now));
    draw(now);
  };
  /** Play what is chosen: one card, or one after the other those to pass on. */
  const play = async () => {
    const moves = moveTexts();
    chosen = [];
    for (const move of moves) if (!(await now.act(move))) break;
  };
  const moveTexts = () => held.filter(({ id }) => chosen.includes(id)).map((one) => prefix(now) + one.card);
  const fanProps = () => ({
    cards: held,
    label: now.say("hand"),
    words: (text) => card(text, now.say),
    chosen,
    dimmed: (one) => now.legal.length > 0 && !now.legal.includes(prefix(now) + one.card),
    hinted: held.find((one) => prefix(now) + one.card === now.hinted)?.id ?? null,
    choose,
    play,
    drop: () => ready() && play(),
    face: cardFace,
  });
  const ready = () => now.canAct && chosen.length > 0;
  const actionProps = () => ({ text: actionText(now, moveTexts()), ready: ready(), onclick: play });

  function draw(next) {
    now = next;
    const places = now.cards.follow(placesOf(now));
    held = (now.seat !== null && places[`hand ${now.seat}`]) || [];
    chosen = chosen.filter((id) => held.some((one) => one.id === id));
    table.replaceChildren(trickOf(now, places.trick), ...notes(now));
    fan?.update(fanProps());
    button?.update(actionProps());
  }
  let fan, button;
  draw(props);
  if (hand) {
    fan = props.stage.mountFan(hand, fanProps());
    button = props.stage.mountAction(action, actionProps());
  }
  return { update: draw, destroy: () => (fan?.destroy(), button?.destroy(), host.replaceChildren()) };
}

const prefix = ({ view }) => (view.table.asked === "pass" ? "~" : "");
/** How many cards are asked for. */
const wanted = ({ view }) => (view.table.asked === "pass" ? (view.recalled?.to_pass ?? 1) : 1);

function actionText({ view, seat, names, canAct, say }, moves) {
  const of = wanted({ view });
  const passing = prefix({ view }) !== "";
  if (!canAct || view.to_act !== seat) return view.to_act === seat ? say("table.moment") : say("action.wait");
  if (!moves.length) return say(passing ? "action.choose" : "action.card", { n: of });
  if (!passing) return say("action.play", { card: card(moves[0], say) });
  return say(moves.length < of ? "action.pass_some" : "action.pass", { n: moves.length, of, name: names[passedTo(view, seat)] });
}

const STEPS = { left: 1, across: 2, right: 3 };
const passedTo = (view, seat) => (seat + (STEPS[view.table.passing] ?? 0)) % 4;

/** The trick; before a lead, the last one. */
const shownTrick = ({ trick, last_trick: last }) => (trick.length ? trick : last);

/** The cards of every place: the page lets them fly from one to the other. */
function placesOf({ view: { table, hand }, seat }) {
  const shown = shownTrick(table);
  const hidden = (n) => Array(Math.max(n, 0)).fill("~");
  const places = { trick: shown.map((one) => one.card) };
  table.hands.forEach((n, i) => (places[`hand ${i}`] = i === seat && hand ? sorted(hand) : hidden(n)));
  table.tricks.forEach((n, i) => (places[`won ${i}`] = hidden(4 * n - (!table.trick.length && i === table.leader ? shown.length : 0))));
  return places;
}

/** The four cards of the trick around the middle, one's own below. */
function trickOf({ view: { table }, seat, names, say }, cards) {
  const old = table.trick.length === 0;
  const list = element("ol", `hearts-trick${old ? " hearts-old" : ""}`);
  list.dataset.drop = "trick";
  shownTrick(table).forEach(({ seat: player, card: text }, i) => {
    const item = element("li", `hearts-at-${(player - (seat ?? 0) + 4) % 4}`);
    const face = element("span", "hearts-laid");
    face.dataset.card = cards[i].id;
    face.append(cardFace(text));
    const won = old && player === table.leader;
    item.classList.toggle("hearts-won", won);
    item.append(face, element("span", "hidden-text", say("trick.entry", { name: names[player], card: card(text, say) })));
    list.append(item);
  });
  if (!list.children.length) list.append(element("li", "hearts-empty", say("trick.empty")));
  return list;
}

/** What the player passed on and received. */
function notes({ view, seat, names, say }) {
  const list = (texts) => texts.map((text) => card(text, say)).join(say("list.comma"));
  const { passed = [], received = [] } = view.recalled ?? {};
  if (seat === null || view.table.tricks.some((n) => n)) return [];
  const found = [];
  if (passed.length) {
    const key = view.table.asked === "pass" ? "note.chosen" : "note.passed";
    found.push(say(key, { name: names[passedTo(view, seat)], cards: list(passed) }));
  }
  if (received.length) {
    const giver = (seat + 4 - (STEPS[view.table.passing] ?? 0)) % 4;
    found.push(say("note.received", { name: names[giver], cards: list(received) }));
  }
  return found.map((note) => element("p", "hearts-note", note));
}
