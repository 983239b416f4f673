/** Places of the fort in words: by the card that lies there, or by the corner of a card that it covers. */
import type { Say } from "$shell";
import { CORNERS, readFace } from "./cards";
import { keyOf, type Laid, type Place } from "./reading";

type CardThere = Pick<Laid, "card" | "x" | "y" | "defeated">;
type Kind = "knight" | "creature" | "gate" | "corridor";

/** From a card to its diagonal neighbours, in the order of its corners. */
const STEPS = [[-1, -1], [1, -1], [-1, 1], [1, 1]] as const;
/** What a neighbour is called by, the most striking first. */
const KINDS: readonly Kind[] = ["knight", "creature", "gate", "corridor"];

/** The first card of the fort is the gate, unless a creature stands there. */
function kindOf(one: CardThere): Kind {
  const face = readFace(one.card);
  if (face?.knight) return "knight";
  if (face?.tokens && !one.defeated) return "creature";
  if (one.x === 0 && one.y === 0) return "gate";
  return face?.tokens ? "creature" : "corridor";
}

/** What a card is called, and whose corner it is ("of the gate"); cards that look alike are numbered. */
function named(one: CardThere, fort: readonly CardThere[], say: Say, form: "named" | "of"): string {
  const kind = kindOf(one);
  const corners = readFace(one.card)?.corners.join(" ") ?? "";
  const what = say(`${form}.${kind}`, { corners });
  const alike = fort.filter((other) => kindOf(other) === kind && readFace(other.card)?.corners.join(" ") === corners);
  const n = alike.findIndex((other) => keyOf(other) === keyOf(one)) + 1;
  return alike.length > 1 && n > 0 ? say("named.nth", { what, n }) : what;
}

/** A card of the fort: "the gate", "the 2 1 2 1 creature". */
export const cardName = (one: CardThere, fort: readonly CardThere[], say: Say): string =>
  named(one, fort, say, "named");

/** The neighbour that a place is named after, and which of its corners the place covers. */
function neighbour({ x, y }: Place, fort: readonly Laid[]): { one: Laid; corner: string } | null {
  const found = STEPS.flatMap(([dx, dy], i) => {
    const one = fort.find((other) => other.x === x - dx && other.y === y - dy);
    return one ? [{ one, corner: CORNERS[i] ?? "" }] : [];
  });
  const rank = ({ one }: { one: Laid }): number => KINDS.indexOf(kindOf(one));
  return found.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** A place beside the fort: "the top left corner of the gate"; null if it covers no corner. */
export function cornerName(place: Place, fort: readonly Laid[], say: Say): string | null {
  const beside = neighbour(place, fort);
  if (!beside) return null;
  const of = named(beside.one, fort, say, "of");
  return say("place.corner", { corner: say(`corner.${beside.corner}`), of });
}

/** Any place: the card that lies there, or else the corner that a card laid there would cover. */
export function placeName(place: Place, fort: readonly Laid[], say: Say): string {
  const there = fort.find((one) => keyOf(one) === keyOf(place));
  if (there) return cardName(there, fort, say);
  return cornerName(place, fort, say) ?? say("place.fort");
}
