/** The faces of the cards, drawn for this game: 100 × 140, the rank large at the top left. */

const SVG = "http://www.w3.org/2000/svg";
/** Each suit in a box of 100 × 100. */
const SHAPES = {
  H: "M50 90 C10 60 5 40 12 25 C22 5 45 10 50 30 C55 10 78 5 88 25 C95 40 90 60 50 90Z",
  D: "M50 6 L84 50 L50 94 L16 50Z",
  S: "M50 8 C60 30 92 42 90 64 C88 82 64 82 55 68 C55 80 60 88 66 94 L34 94 C40 88 45 80 45 68 C36 82 12 82 10 64 C8 42 40 30 50 8Z",
  C: "M50 6 A20 20 0 0 1 66 38 A20 20 0 1 1 56 70 C56 80 60 88 66 94 L34 94 C40 88 44 80 44 70 A20 20 0 1 1 34 38 A20 20 0 0 1 50 6Z",
};
/** What the court cards wear, above the suit: a feathered cap, a coronet, a crown. */
const COURT = {
  J: "M44 66q19-14 38 0l-3-14q-16-10-32 0zM76 50q10-10 6-18q-10 6-10 17z",
  Q: "M45 66l-3-22 10 10 11-16 11 16 10-10-3 22zM63 34a3 3 0 1 1 .1 0z",
  K: "M43 66V46l10 8 10-18 10 18 10-8v20zM59 32h3v-5h3v5h3v3h-3v5h-3v-5h-3z",
};
const RANK = /^(?:10|[2-9JQKA])$/;

export const isCard = (text) => text[0] in SHAPES && RANK.test(text.slice(1));

/** An element of the page. */
export function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  return made;
}

const ORDER = "CDSH";
const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const placeOf = (text) => 13 * ORDER.indexOf(text[0]) + RANKS.indexOf(text.slice(1));
/** By suit, then by rank. */
export const sorted = (cards) => [...cards].sort((a, b) => placeOf(a) - placeOf(b));

/** The picture of a card, or of its back; its name is beside it, as text. */
export function cardFace(text) {
  const face = drawn("svg", { viewBox: "0 0 100 140", class: `hearts-face hearts-suit-${text[0]}`, "aria-hidden": "true" });
  const shape = (transform) => drawn("path", { d: SHAPES[text[0]], transform });
  face.append(drawn("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "hearts-paper" }));
  if (!isCard(text)) {
    face.append(drawn("rect", { x: 7, y: 7, width: 86, height: 126, rx: 6, class: "hearts-back" }), drawn("path", { d: SHAPES.H, transform: "translate(28 48) scale(.44)", class: "hearts-crest" }));
    return face;
  }
  const rank = drawn("text", { x: 7, y: 37, class: "hearts-rank" });
  rank.textContent = text.slice(1);
  face.append(rank, shape("translate(8 42) scale(.2)"));
  if (COURT[text.slice(1)]) {
    face.append(drawn("rect", { x: 36, y: 30, width: 54, height: 98, rx: 5, class: "hearts-court" }), shape("translate(42 74) scale(.42)"), drawn("path", { d: COURT[text.slice(1)], class: "hearts-crown" }));
  } else {
    face.append(shape("translate(30 62) scale(.6)"));
  }
  return face;
}
