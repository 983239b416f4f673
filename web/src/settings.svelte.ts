/** What a player set for this browser: theme, guard against slips, size of the cards. */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const CARD_SIZES = ["small", "normal", "large"] as const;
export type CardSize = (typeof CARD_SIZES)[number];

function read<T extends string>(key: string, values: readonly T[], otherwise: T): T {
  const stored = localStorage.getItem(`theriac.${key}`);
  return values.find((one) => one === stored) ?? otherwise;
}
function write(key: string, value: string): void {
  localStorage.setItem(`theriac.${key}`, value);
}

let theme = $state<Theme>(read("theme", THEMES, "system"));
let cardSize = $state<CardSize>(read("card_size", CARD_SIZES, "normal"));
let guard = $state(read("guard", ["on", "off"], "off") === "on");

export const settings = {
  get theme(): Theme {
    return theme;
  },
  set theme(wanted: Theme) {
    theme = wanted;
    write("theme", wanted);
    showTheme();
  },
  get cardSize(): CardSize {
    return cardSize;
  },
  set cardSize(wanted: CardSize) {
    cardSize = wanted;
    write("card_size", wanted);
  },
  /** Must each move be confirmed? */
  get guard(): boolean {
    return guard;
  },
  set guard(wanted: boolean) {
    guard = wanted;
    write("guard", wanted ? "on" : "off");
  },
};

/** Tell the style sheet which theme was chosen. */
export function showTheme(): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
