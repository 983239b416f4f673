/** How quickly the page shows what others do: chosen by the player, kept in this browser. */

export const PACES = ["calm", "normal", "quick", "instant"] as const;
export type Pace = (typeof PACES)[number];

/** Between two moves, in milliseconds. */
const GAPS: Record<Pace, number> = { calm: 1700, normal: 950, quick: 420, instant: 0 };
/** How long a card flies. */
const FLIGHTS: Record<Pace, number> = { calm: 720, normal: 520, quick: 300, instant: 0 };

const STORAGE_KEY = "theriac.pace";
const stored = localStorage.getItem(STORAGE_KEY);
let chosen = $state<Pace>(PACES.find((one) => one === stored) ?? "normal");

export const pace = {
  get chosen(): Pace {
    return chosen;
  },
  set chosen(wanted: Pace) {
    chosen = wanted;
    localStorage.setItem(STORAGE_KEY, wanted);
  },
  get gap(): number {
    return GAPS[chosen];
  },
  get flight(): number {
    return FLIGHTS[chosen];
  },
};
