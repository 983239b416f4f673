/** Shares of the win as the page writes them. */
import { currentLanguage } from "../words.svelte";
import { decimals } from "./arithmetic";

function written(value: number, digits: number, signed: boolean): string {
  return value.toLocaleString(currentLanguage(), {
    minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: signed ? "exceptZero" : "negative",
  }).replace("-", "−");
}

/** In whole per cent: what a player reads first. */
export const percent = (share: number, signed = false): string => written(100 * share, 0, signed);

/** With its standard error, and no finer than that. */
export function withError(value: number, error: number, signed = false): string {
  if (!(error > 0)) return written(value, Math.abs(value - Math.round(value)) < 0.005 ? 0 : 2, signed);
  const digits = decimals(error);
  return `${written(value, digits, signed)} ± ${written(error, digits, false)}`;
}
export const percentWithError = (share: number, error: number, signed = false): string => withError(100 * share, 100 * error, signed);
/** A standard error of a share alone, in per cent. */
export const errorOf = (error: number): string => written(100 * error, decimals(100 * error), false);
