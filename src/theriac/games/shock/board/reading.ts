/** What the board of Shock! reads in a view. The keys are those of notation.md and `Text.recall`. */
import type { Preview, Value, View } from "$shell";
import { HIDDEN, POISONS, readNumber, SUITS, type Kind, type Suit } from "./cards";

/** A card of the trick, and the jewels on it. */
export interface Laid {
  seat: number;
  card: string;
  jewels: number;
}
/** Which number cards show a jewel, a potion, a poison. */
export type Marks = Record<string, string[]>;
export type Asked = "card" | "potion" | "chest";

export interface Situation {
  trump: string;
  leader: number | null;
  trick: Laid[];
  inRound: boolean[];
  onBag: number[];
  front: string[][];
  covered: string[][];
  middle: Kind[];
  hands: number[];
  chestLeft: number;
  marks: Marks;
  asked: Asked;
  winner: number | null;
  /** Whose card wins the trick as it lies now. */
  best: number | null;
  /** The poisons that each seat has in its blood. */
  blood: Kind[][];
  opened: number;
  /** The jewels that a poison of the chest or the doors brings who reveals it. */
  poisonJewels: number;
  voids: Suit[][];
  revealed: Record<string, number>;
}

const kinds = (value: Value | undefined): Kind[] => texts(value).filter((kind): kind is Kind => POISONS.some((one) => one === kind));
const rows = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
const texts = (value: Value | undefined): string[] => rows(value).map(String);
const numbers = (value: Value | undefined): number[] => rows(value).map(Number);
const seatOrNull = (value: Value | undefined): number | null => (typeof value === "number" ? value : null);
const things = (value: Value | undefined): Record<string, Value> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
const counts = (value: Value | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(things(value)).map(([card, n]) => [card, Number(n)]));

export function readLaid(value: Value): Laid {
  const one = things(value);
  return { seat: Number(one["seat"] ?? 0), card: String(one["card"] ?? HIDDEN), jewels: Number(one["jewels"] ?? 0) };
}

export function readMarks(view: View): Marks {
  const marks = things(view.recalled?.["marks"]);
  return Object.fromEntries(Object.entries(marks).map(([mark, cards]) => [mark, texts(cards)]));
}

export function read(view: View): Situation {
  const table = view.table;
  const recalled = view.recalled ?? {};
  return {
    trump: String(table["trump"] ?? ""),
    leader: seatOrNull(table["leader"]),
    trick: rows(table["trick"]).map(readLaid),
    inRound: rows(table["in_round"]).map((one) => one === true),
    onBag: numbers(table["on_bag"]),
    front: rows(table["front"]).map(texts),
    covered: rows(table["covered"]).map(texts),
    middle: kinds(table["middle"]),
    hands: numbers(table["hands"]),
    chestLeft: Number(table["chest_left"] ?? 0),
    marks: readMarks(view),
    asked: (["potion", "chest"] as const).find((one) => one === recalled["asked"]) ?? "card",
    winner: seatOrNull(recalled["winner"]),
    best: seatOrNull(recalled["best"]),
    blood: rows(recalled["blood"]).map(kinds),
    opened: Number(recalled["opened"] ?? 0),
    poisonJewels: Number(recalled["poison_jewels"] ?? 0),
    voids: rows(recalled["voids"]).map((suits) => SUITS.filter((suit) => texts(suits).includes(suit))),
    revealed: counts(recalled["revealed"]),
  };
}

/** How a round ended for a seat: `how` by its last move, `fate` in all. What it won in tricks and from the chest or the
 * doors, less what it lost, went into its bag. */
export interface SeatEnd {
  how: "out" | "withdrew" | "stayed" | "shock" | null;
  fate: "withdrew" | "stayed" | "shock" | null;
  tricks: number;
  chest: number;
  lost: number;
  bagged: number;
}
export interface Sheet {
  winner: number | null;
  revealed: string | null;
  seats: SeatEnd[];
}

/** The sheet of a round, if a view has it. */
export function readSheet(view: View, round: number): Sheet | null {
  const sheet = things(view.sheet);
  if (sheet["round"] !== round) return null;
  return {
    winner: seatOrNull(sheet["winner"]),
    revealed: typeof sheet["revealed"] === "string" ? sheet["revealed"] : null,
    seats: rows(sheet["seats"]).map(things).map(({ how, fate, tricks, chest, lost, bagged }) => ({
      how: (["out", "withdrew", "stayed", "shock"] as const).find((one) => one === how) ?? null,
      fate: (["withdrew", "stayed", "shock"] as const).find((one) => one === fate) ?? null,
      tricks: Number(tricks ?? 0),
      chest: Number(chest ?? 0),
      lost: Number(lost ?? 0),
      bagged: Number(bagged ?? 0),
    })),
  };
}

export const poisonOn = (card: string, marks: Marks): Kind | null =>
  POISONS.find((kind) => marks[kind]?.includes(card)) ?? null;

/** The suit of the trick: that of the leader's card, once it lies. */
export function suitLed({ trick, leader }: Situation): Suit | null {
  const card = trick.find((one) => one.seat === leader)?.card;
  return card ? (readNumber(card)?.suit ?? null) : null;
}

/** A card in front of a seat: a poison or a potion, and whether it is used up. */
export interface Fronted {
  card: string;
  kind: Kind | null;
  used: boolean;
}

/** What lies in front of a seat. As many potions are used up as poisons are covered. */
export function frontOf(table: Situation, seat: number): Fronted[] {
  const covered = table.covered[seat] ?? [];
  let potions = covered.length;
  return (table.front[seat] ?? []).map((card) => {
    const kind = poisonOn(card, table.marks);
    const used = kind === null ? potions-- > 0 : covered.includes(card);
    return { card, kind, used };
  });
}

/** The cards of every place, visible or hidden. `trick` lies on the table, `open` in front of the chest, `behind` is
 * behind a door; `taken` went to a seat. Hands come first: a hidden card that is played comes out of one. */
export interface OnTable {
  trick: Laid[];
  open: string[];
  behind: { door: number; card: string } | null;
  taken: { seat: number; cards: string[] } | null;
}

export function places(table: Situation, on: OnTable, seat: number | null, hand: readonly string[]): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  table.hands.forEach((held, i) => (found[`hand ${i}`] = i === seat && hand.length === held ? hand : Array<string>(held).fill(HIDDEN)));
  table.hands.forEach((_, i) => (found[`trick ${i}`] = on.trick.filter((one) => one.seat === i).map((one) => one.card)));
  found["trump"] = [table.trump];
  found["chest"] = Array<string>(table.chestLeft).fill(HIDDEN);
  if (on.behind) found[`door ${on.behind.door}`] = [on.behind.card];
  found["open cards"] = on.open;
  if (on.taken) found[`taken ${on.taken.seat}`] = on.taken.cards;
  return found;
}

/** How many cards of the chest or the doors are open in this round. */
export const openedIn = ({ revealed }: Situation): number => Object.values(revealed).reduce((sum, n) => sum + n, 0);

/** Where a seat's card lies, from the middle: -1 is the left or upper edge, 1 the right or lower one; and on which
 * side of it, or at which edge of the table, its bag stands. */
export interface Spot {
  seat: number;
  x: number;
  y: number;
  bag: "left" | "right" | "before" | "after";
}

const AROUND: Record<number, [number, number][]> = {
  2: [[-1, -0.2], [1, -0.2]],
  3: [[-1, 0], [0, -1], [1, 0]],
  4: [[-1, 0.1], [-0.52, -0.92], [0.52, -0.92], [1, 0.1]],
  5: [[-1, 0.2], [-0.66, -0.92], [0, -1], [0.66, -0.92], [1, 0.2]],
};

/** The others clockwise from the viewer's left, as they sit; the viewer below. */
export function spots(seats: number, seat: number | null): Spot[] {
  const others = Array.from({ length: seats }, (_, i) => (i + (seat ?? 0)) % seats).slice(seat === null ? 0 : 1);
  const found = others.map((one, i): Spot => {
    const [x, y] = AROUND[others.length]?.[i] ?? [0, -1];
    return { seat: one, x, y, bag: x === -1 ? "left" : x === 1 ? "right" : x < 0 ? "before" : "after" };
  });
  return seat === null ? found : [...found, { seat, x: 0, y: 1, bag: "after" }];
}

/** What a preview says of the trick, of one's own bag, front and health; null where it says nothing. */
export interface Outlook {
  /** Whose trick it would be; `sure` once all have played. */
  best: { seat: number; sure: boolean } | null;
  jewels: number;
  cards: string[];
  out: boolean;
}

export function outlook(table: Situation, preview: Preview | undefined, seat: number): Outlook | null {
  if (!preview) return null;
  const bags = numbers(preview["on_bag"]);
  const fronts = rows(preview["front"]);
  const jewels = (bags[seat] ?? table.onBag[seat] ?? 0) - (table.onBag[seat] ?? 0);
  const cards = texts(fronts[seat]).slice(table.front[seat]?.length ?? 0);
  const out = table.inRound[seat] === true && rows(preview["in_round"])[seat] === false;
  const best = bestAfter(preview);
  return best || jewels > 0 || cards.length || out ? { best, jewels: Math.max(0, jewels), cards, out } : null;
}

function bestAfter(preview: Preview): Outlook["best"] {
  if (!Array.isArray(preview["trick"])) return null;
  const sure = preview["trick"].length === 0;
  const seat = seatOrNull(preview[sure ? "winner" : "best"]);
  return seat === null ? null : { seat, sure };
}
