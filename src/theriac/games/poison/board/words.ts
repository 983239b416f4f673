/** Cards and moves of Poison in words. */
import type { ForeseenMove, Say } from "$shell";
import { cauldrons, costOf, numbersOf, outlookOf } from "./reading";

export function card(text: string, say: Say): string {
  return text === "X" ? say("card.X") : say(`card.${text[0]}`, { value: text.slice(1) });
}

/** The heading of a card in the deck editor: its colour. */
export const heading = (text: string, say: Say): string =>
  /^(X|[RBP]\d+)$/.test(text) ? say(`deck.heading.${text[0]}`) : "";

/** What is sure after a move: "would become 7". */
export function outlook({ move: text, preview, view, seat }: ForeseenMove, say: Say): string {
  const cauldron = Number(text.split("@")[1]);
  const after = outlookOf(preview, view, cauldron, seat);
  if (!after) return "";
  const points = costOf(cauldrons(view.table)[cauldron - 1]?.cards ?? [], numbersOf(view));
  return say(after.takes ? "cauldron.would_take" : "cauldron.would", { sum: after.sum, n: after.takes, points });
}

export function move(text: string, say: Say): string {
  const [what = "", cauldron = ""] = text.split("@");
  return say("move", { card: card(what, say), cauldron });
}
