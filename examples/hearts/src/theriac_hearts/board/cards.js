/** The faces of the cards, drawn for this game: 100 × 140, the rank large at the top left. */

const SVG = "http://www.w3.org/2000/svg";
/** Each suit in a box of 100 × 100. */
const SHAPES = {
  H: "M50 90 C10 60 5 40 12 25 C22 5 45 10 50 30 C55 10 78 5 88 25 C95 40 90 60 50 90Z",
  D: "M50 6 L84 50 L50 94 L16 50Z",
  S: "M50 8 C60 30 92 42 90 64 C88 82 64 82 55 68 C55 80 60 88 66 94 L34 94 C40 88 45 80 45 68 C36 82 12 82 10 64 C8 42 40 30 50 8Z",
  C: "M50 6 A20 20 0 0 1 66 38 A20 20 0 1 1 56 70 C56 80 60 88 66 94 L34 94 C40 88 44 80 44 70 A20 20 0 1 1 34 38 A20 20 0 0 1 50 6Z",
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

/** The picture of a card; its name is beside it, as text. */
export function cardFace(text) {
  const face = drawn("svg", { viewBox: "0 0 100 140", class: `hearts-face hearts-suit-${text[0]}`, "aria-hidden": "true" });
  face.append(drawn("rect", { x: 1, y: 1, width: 98, height: 138, rx: 9, class: "hearts-paper" }));
  if (isCard(text)) {
    const rank = drawn("text", { x: 9, y: 43, class: "hearts-rank" });
    rank.textContent = text.slice(1);
    face.append(
      rank,
      drawn("path", { d: SHAPES[text[0]], transform: "translate(58 8) scale(.34)" }),
      drawn("path", { d: SHAPES[text[0]], transform: "translate(20 62) scale(.6)" }),
    );
  }
  return face;
}
