/** Cards and moves of Poison in words. */
import type { Say } from "$shell";

export function card(text: string, say: Say): string {
  return text === "X" ? say("card.X") : say(`card.${text[0]}`, { value: text.slice(1) });
}

/** The heading of a card in the deck editor: its colour. */
export const heading = (text: string, say: Say): string =>
  /^(X|[RBP]\d+)$/.test(text) ? say(`deck.heading.${text[0]}`) : "";

export function move(text: string, say: Say): string {
  const [what = "", cauldron = ""] = text.split("@");
  return say("move", { card: card(what, say), cauldron });
}
