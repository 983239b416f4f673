/** The numbers of a review, no finer than they are known, and what they say in a word. */
import type { CurvePoint, Decision, Errors, Mistake, Review, SeatAccount } from "../wire";

/** The parts that lead from the fair share to the result. */
export const PARTS = ["skill", "hidden", "cards", "others"] as const;
export type Part = (typeof PARTS)[number];

/** A difference counts only beyond this many standard errors. */
const SURE = 2;
/** As many mistakes of a seat are shown. */
const MISTAKES_SHOWN = 3;
/** What changes the chances by less than this is not worth a word. */
const NOTICEABLE = 0.02;
/** Less than this is nothing in whole per cent. */
const SEEN = 0.005;

/** How many decimals a number with this standard error deserves. */
export function decimals(error: number): number {
  if (!(error > 0) || !Number.isFinite(error)) return 0;
  return Math.max(0, Math.min(4, Math.ceil(-Math.log10(error) - 1e-9)));
}

/** -1 or 1 where a number is beyond its error and large enough to speak of; else 0. */
export function signOf(value: number, error: number): -1 | 0 | 1 {
  if (Math.abs(value) <= SURE * error || Math.abs(value) < NOTICEABLE) return 0;
  return value > 0 ? 1 : -1;
}

/** Luck is what was dealt and what was hidden. Their errors are not independent: their sum is the most it can be. Where
 * the sum is not sure but one of the two is, and the other does not undo it, that one counts: the account says so too. */
export function luckOf({ cards, hidden, errors }: Pick<SeatAccount, "cards" | "hidden"> & { errors: Errors }): -1 | 0 | 1 {
  const sum = signOf(cards + hidden, errors.cards + errors.hidden);
  const sure = [signOf(cards, errors.cards), signOf(hidden, errors.hidden)].filter((sign) => sign !== 0);
  const [first = 0] = sure;
  return sum || (sure.every((sign) => sign === signOf(cards + hidden, 0)) ? first : 0);
}

export type Result = "won" | "shared" | "lost";
export type Play = "well" | "badly" | "evenly";
export type Luck = "good" | "bad" | "even";

export interface Verdict {
  result: Result;
  play: Play;
  luck: Luck;
}

const word = <T>(sign: -1 | 0 | 1, words: readonly [T, T, T]): T => words[sign + 1] as T;

/** What happened to a seat, in three words; `winners` are the seats that won. */
export function verdict(account: SeatAccount, winners: readonly number[], together: boolean): Verdict {
  const won = winners.includes(account.seat);
  return {
    result: !won ? "lost" : winners.length > 1 && !together ? "shared" : "won",
    play: word(signOf(account.skill, account.errors.skill), ["badly", "evenly", "well"]),
    luck: word(luckOf(account), ["bad", "even", "good"]),
  };
}

/** Numbers that add up to `sum`, rounded so that they still do: the ones that were cut off most are rounded up. */
export function addingUp(numbers: readonly number[], sum: number): number[] {
  const floors = numbers.map(Math.floor);
  const missing = Math.round(sum) - floors.reduce((all, one) => all + one, 0);
  const order = numbers.map((one, i) => [one - Math.floor(one), i] as const).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const raised = new Set(order.slice(0, Math.max(0, missing)).map(([, i]) => i));
  return floors.map((one, i) => one + (raised.has(i) ? 1 : 0));
}

export interface Step {
  part: "fair" | Part | "result";
  /** In whole per cent; all steps together add up. */
  percent: number;
  /** The standard error, in per cent; 0 for the result. */
  error: number;
  /** Where the bar begins and ends, in shares of the win. */
  from: number;
  to: number;
  sign: -1 | 0 | 1;
}

/** The account as steps, each beginning where the one before ended. Gains come first or losses do, so that the
 * steps leave the range from nothing to the whole win as little as possible. */
export function steps(account: SeatAccount): Step[] {
  const percents = addingUp(["fair" as const, ...PARTS].map((part) => 100 * account[part]), 100 * account.result);
  const percentOf = (part: "fair" | Part) => percents[part === "fair" ? 0 : PARTS.indexOf(part) + 1] ?? 0;
  const walk = (parts: readonly ("fair" | Part)[]): Step[] => {
    let at = 0;
    const found: Step[] = parts.map((part) => {
      const [from, error] = [at, account.errors[part]];
      at += account[part];
      return { part, percent: percentOf(part), error: 100 * error, from, to: at, sign: part === "fair" ? 0 : signOf(account[part], error) };
    });
    return [...found, { part: "result", percent: Math.round(100 * account.result), error: 0, from: 0, to: account.result, sign: 0 }];
  };
  const gains = PARTS.filter((part) => account[part] >= 0);
  const losses = PARTS.filter((part) => account[part] < 0);
  const both = [walk(["fair", ...gains, ...losses]), walk(["fair", ...losses, ...gains])] as const;
  const width = (all: readonly Step[]) => rangeOf(all)[1] - rangeOf(all)[0];
  return width(both[1]) < width(both[0]) ? both[1] : both[0];
}

/** The range that all bars of the account need: at least from nothing to the whole win. */
export function rangeOf(all: readonly Step[]): [number, number] {
  const ends = all.flatMap(({ from, to }) => [from, to]);
  return [Math.min(0, ...ends), Math.max(1, ...ends)];
}

/** What the curve of a seat did at a point; 0 where it is not worth a word. A choice of the seat itself has a price of
 * its own, from what it could know: two different numbers for one move would not be understood. */
export function curveChange(point: CurvePoint, previous: CurvePoint | null, decision: Decision | null, seat: number): number {
  if (!previous || decision?.seat === seat) return 0;
  const change = (point.values[seat] ?? 0) - (previous.values[seat] ?? 0);
  return Math.abs(change) < SEEN ? 0 : change;
}

/** The three largest mistakes of a seat. */
export const largestMistakes = (review: Review, seat: number): Mistake[] =>
  review.mistakes.filter((one) => one.seat === seat).sort((a, b) => b.loss - a.loss).slice(0, MISTAKES_SHOWN);

/** The deal that changed a seat's chances most in the given direction, with its round; null if none is worth a word. */
export function largestDeal(curve: readonly CurvePoint[], seat: number, sign: -1 | 0 | 1): { round: number; change: number } | null {
  let found: { round: number; change: number } | null = null;
  curve.forEach((point, i) => {
    const before = curve[i - 1];
    if (point.kind !== "deal" || !before) return;
    const change = (point.values[seat] ?? 0) - (before.values[seat] ?? 0);
    if (Math.sign(change) === sign && Math.abs(change) >= NOTICEABLE && Math.abs(change) > Math.abs(found?.change ?? 0)) {
      found = { round: point.round, change };
    }
  });
  return found;
}

/** The other seat that did most in the given direction; null if none did beyond its error. */
export function largestOther(account: SeatAccount, sign: -1 | 0 | 1): { seat: number; change: number } | null {
  const same = account.from_others.filter((one) => sign !== 0 && signOf(one.total, one.total_error) === sign);
  const [most] = same.sort((a, b) => Math.abs(b.total) - Math.abs(a.total));
  return most ? { seat: most.seat, change: most.total } : null;
}

/** The event that is meant by "after n moves": the move itself, not the deal that followed it. */
export function eventAt(curve: readonly CurvePoint[], n: number): number {
  const found = curve.findIndex((point) => point.n === n && point.kind === "move");
  return found >= 0 ? found : Math.max(0, curve.findLastIndex((point) => point.n <= n));
}

/** Is the tried move as good as the best one, as far as is known? */
export function asGood(best: { value: number; error: number }, tried: { value: number; error: number }): boolean {
  return best.value - tried.value <= Math.max(SURE * Math.hypot(best.error, tried.error), 0.005);
}
