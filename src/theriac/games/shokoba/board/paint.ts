/** The colours of the gems on light paper. */
import type { Gem } from "./cards";

export const PAINT: Record<Gem, { dark: string; light: string }> = {
  S: { dark: "#1d4f9e", light: "#a9ccff" },
  R: { dark: "#b3202f", light: "#ffc2b8" },
  E: { dark: "#17693f", light: "#b6f0c8" },
  D: { dark: "#4a3a63", light: "#e9f6ff" },
};
