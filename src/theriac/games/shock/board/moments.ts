/** The moments of a game, and the facts of the status line. */
import type { Moment, PlayedMove, Say, View } from "$shell";
import { readKind, readNumber, type Kind, type Suit } from "./cards";
import { effectOf, type MoveEffect } from "./moveEffect";
import { poisonOn, read, readMarks, suitLed, type Marks } from "./reading";
import { list } from "./words";

/** As text, never as an emoji. */
export const SIGNS: Record<Suit, string> = { H: "♥\ufe0e", S: "♠\ufe0e", D: "♦\ufe0e", C: "♣\ufe0e" };

export function facts(view: View, seat: number | null, say: Say): string[] {
  const table = read(view);
  if (view.over) return [];
  const found: string[] = [];
  const led = suitLed(table);
  const trump = readNumber(table.trump)?.suit;
  const inside = seat !== null && table.inRound[seat] === true;
  if (led) found.push(say(inside && view.to_act === seat ? "fact.follow" : "fact.led", { suit: SIGNS[led] }));
  if (trump) found.push(say("fact.trump", { suit: SIGNS[trump] }));
  if (!inside || seat === null) return found;
  const blood = [...new Set(table.blood[seat])];
  if (blood.length) found.push(say("fact.blood", { kinds: list(blood.map((kind) => say(`kind.${kind}`)), say) }));
  // Last: on a phone it may be cut off, and the bag is in sight.
  found.push(say("fact.bag", { n: table.onBag[seat] ?? 0 }));
  return found;
}

export function moment({ move, before, after, names, viewer }: PlayedMove, say: Say): Moment | null {
  const effect = before && after ? effectOf(move, before, after) : null;
  if (!effect || !before || !after) return null;
  const name = (seat: number) => names[seat] ?? "";
  if (effect.shocked.length) return shock(effect, before, readMarks(after), name, say);
  if (effect.move.kind === "withdraw") {
    const n = read(before).onBag[effect.seat] ?? 0;
    return { text: say(effect.seat === viewer ? "moment.withdraws_you" : "moment.withdraws", { name: name(effect.seat) }), detail: say("moment.safe", { n }), tone: "good", sound: "coin" };
  }
  const kind = effect.revealed ? readKind(effect.revealed) : null;
  if (!kind) return null;
  return { text: say("moment.poison", { kind: say(`kind.${kind}`) }), detail: say("moment.in_blood"), tone: "bad", sound: "stone" };
}

function shock(effect: MoveEffect, before: View, marks: Marks, name: (seat: number) => string, say: Say): Moment {
  const { middle } = read(before);
  const kind = shockingKind(effect, marks);
  const lost = lostTo(effect, before);
  const who = list(effect.shocked.map(name), say);
  const second = kind !== null && effect.revealed && middle.includes(kind);
  const named = kind ? say(`kind.${kind}`) : "";
  const parts = { names: who, n: lost ?? 0, kind: second ? say("moment.second_kind", { kind: named }) : named };
  // Nobody but the opener asked for this card.
  const greedy = effect.move.kind === "open" && effect.shocked.includes(effect.seat);
  return {
    text: say(greedy ? "moment.greedy" : "moment.shock"),
    detail: say(`moment.${lost === null ? "loses_all" : "loses"}${kind ? "_by" : ""}`, parts),
    tone: "bad",
    sound: "shock",
  };
}

/** The jewels lost to a shock, those that came with the same card or trick included; null where that is not known. */
function lostTo({ shocked, sheet, winner, seat, move, revealed }: MoveEffect, before: View): number | null {
  const { onBag, poisonJewels } = read(before);
  const sum = (jewels: (one: number) => number) => shocked.reduce((all, one) => all + jewels(one), 0);
  if (sheet) return sum((one) => sheet.seats[one]?.lost ?? 0);
  // What lay on the last card of the trick was never shown.
  if (winner !== null && shocked.includes(winner)) return null;
  return sum((one) => (onBag[one] ?? 0) + (move.kind === "open" && one === seat && revealed ? poisonJewels : 0));
}

function shockingKind({ revealed, fronted }: MoveEffect, marks: Marks): Kind | null {
  const own = fronted.flat().map((card) => poisonOn(card, marks)).find((kind) => kind !== null);
  return (revealed ? readKind(revealed) : null) ?? own ?? null;
}
