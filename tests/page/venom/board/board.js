/** A board that is a plain module, as a package brings it: Poison's cauldrons, drawn with buttons. */
import { button, list } from "./elements.js";

export const perSeat = ["hands", "taken"];
export const seats = ["dealer"];
export const lowestWins = true;
export const parts = (move) => ({ card: move.split("@")[0], at: null });
export const card = (text, say) => (/^[RBP]\d+$/.test(text) ? say("card", { text }) : text);
export const move = (text, say) => say("move", { card: text.split("@")[0], cauldron: text.split("@")[1] });
export const outcome = (played, say) => move(played.move, say);
export const heading = (text, say) => (/^(X|[RBP]\d+)$/.test(text) ? say("potions") : "");

/** The table: a button for each cauldron, and the hand. */
export function mount(element, props) {
  let chosen = null;
  draw(props);
  return { update: draw, destroy: () => element.replaceChildren() };

  function draw({ view, legal, act, hinted, say }) {
    if (!view.hand?.includes(chosen)) chosen = null;
    const cauldrons = view.table.cauldrons.map((inside, i) => {
      const text = `${chosen}@${i + 1}`;
      const label = say("cauldron", { n: i + 1, cards: inside.join(" ") || "–" });
      return button(label, () => void act(text), { may: legal.includes(text), hinted: hinted === text });
    });
    const hand = (view.hand ?? []).map((one) => button(card(one, say), () => choose(one), { chosen: one === chosen }));
    element.replaceChildren(list("cauldrons", cauldrons), list("hand", hand));

    function choose(one) {
      chosen = one;
      draw({ view, legal, act, hinted, say });
    }
  }
}

/** How many cards a seat has taken. */
export function mountSeat(element, props) {
  const draw = ({ view, seat, say }) => {
    element.textContent = say("taken", { n: view.table.taken[seat] });
  };
  draw(props);
  return { update: draw };
}

/** The face of a card. */
export function mountCard(element, props) {
  const draw = ({ card: text }) => {
    element.className = "venom-face";
    element.textContent = text;
  };
  draw(props);
  return { update: draw };
}
export const mountDeckCard = mountCard;
