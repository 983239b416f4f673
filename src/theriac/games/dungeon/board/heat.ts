/** Numbers heat up: from ash over embers to fire. Each heat is a colour and the ink on it. */
export const HEAT: readonly (readonly [string, string])[] = [
  ["#ddd8cb", "#3a3428"],
  ["#f6e3a4", "#33260a"],
  ["#f3ab45", "#2b1604"],
  ["#d4501c", "#ffffff"],
  ["#a01422", "#ffffff"],
  ["#4d0711", "#ffffff"],
];

/** The danger of a corridor as a heat: by how much it lacks to the alarm. */
export const dangerHeat = (danger: number, alarm: number): number => [4, 3, 2, 1, 1][Math.max(0, alarm - danger)] ?? 0;

/** The danger of a creature as a heat: the hottest are far from falling. */
export const lairHeat = (danger: number, alarm: number): number => Math.min(5, 3 + Math.max(0, Math.floor((danger - alarm) / 2)));
