/** What each sound is made of: layers of filtered noise and of tones, each with its own envelope. */

export type Sound =
  | "slide" | "lay" | "gather" | "coin" | "bubble" | "spill" | "stone" | "shock" | "chime"
  | "turn" | "refused" | "win" | "lose";

/** Times are in seconds, pitches in hertz. A layer swells to `level` in `attack`, then dies away until `length`.
 * Its pitch moves `from`, `to`. With `filter` it is noise, and the pitch is that of the filter. */
export interface Layer {
  at: number;
  length: number;
  attack: number;
  level: number;
  from: number;
  to: number;
  filter?: "lowpass" | "bandpass" | "highpass";
  wave?: "sine" | "triangle" | "sawtooth";
}

type Filter = NonNullable<Layer["filter"]>;

const noise = (
  filter: Filter, from: number, to: number, at: number, length: number, level: number, attack = 0.003,
): Layer => ({ filter, from, to, at, length, level, attack });

const tone = (
  from: number, to: number, at: number, length: number, level: number, attack = 0.004, wave: Layer["wave"] = "sine",
): Layer => ({ wave, from, to, at, length, level, attack });

/** A card pushed over cloth. */
const brush = (at: number, length: number, level: number): Layer[] => [
  noise("bandpass", 1900, 800, at, length, level, length * 0.35),
  noise("highpass", 6000, 5000, at, length, level * 0.06, length * 0.4),
];

/** A card put down on wood. */
const tap = (at: number, level: number): Layer[] => [
  noise("lowpass", 1500, 350, at, 0.09, level, 0.001),
  tone(150, 85, at, 0.1, level * 0.5, 0.002),
  noise("highpass", 3500, 3500, at, 0.02, level * 0.25, 0.001),
];

/** A bubble: the pitch of its ring rises as it comes up. */
const drop = (at: number, pitch: number, level: number): Layer[] => [
  tone(pitch, pitch * 2.2, at, 0.1, level, 0.012),
  tone(pitch * 1.9, pitch * 4, at + 0.01, 0.06, level * 0.15, 0.01),
];

/** Partials of a small bell, as ratios to its note, with their loudness; the high ones die first. */
const PARTIALS: [ratio: number, level: number, length: number][] = [
  [0.5, 0.25, 0.9], [1, 1, 1], [2, 0.4, 0.7], [2.76, 0.22, 0.45], [5.4, 0.1, 0.2],
];
const bell = (at: number, note: number, length: number, level: number): Layer[] =>
  PARTIALS.map(([ratio, loud, last]) => tone(note * ratio, note * ratio, at, length * last, level * loud, 0.003));

/** A coin on others: partials that are no chord. */
const clink = (at: number, note: number, level: number): Layer[] =>
  [1, 1.48, 2.13, 3.3].map((ratio, i) => tone(note * ratio, note * ratio, at, 0.34 - 0.06 * i, level / (1 + i), 0.001));

/** Sparks: short snaps at uneven distances, fainter towards the end. */
const sparks = (count: number, length: number, level: number): Layer[] =>
  Array.from({ length: count }, (_, i) => {
    const at = length * ((i + 0.45 * Math.sin(i * 7.3)) / count) ** 1.3;
    const pitch = 2600 + 1400 * Math.sin(i * 4.1);
    return noise("bandpass", pitch, pitch * 0.7, at, 0.03, level * (1 - (0.7 * i) / count), 0.001);
  });

export const SOUNDS: Record<Sound, Layer[]> = {
  slide: brush(0, 0.2, 0.42),
  lay: tap(0, 0.5),
  gather: [...[0, 0.07, 0.13, 0.18].flatMap((at) => brush(at, 0.13, 0.24)), ...tap(0.29, 0.3)],
  coin: [...clink(0, 2350, 0.14), ...clink(0.075, 2790, 0.11), noise("highpass", 5000, 5000, 0, 0.015, 0.15, 0.001)],
  bubble: [...drop(0, 240, 0.26), ...drop(0.1, 330, 0.2), ...drop(0.19, 290, 0.14)],
  spill: [
    noise("bandpass", 500, 2200, 0, 0.85, 0.5, 0.1),
    noise("highpass", 4500, 3000, 0.1, 1, 0.1, 0.2),
    tone(95, 48, 0, 0.5, 0.2, 0.03),
    ...[0, 0.09, 0.2, 0.28, 0.41, 0.55].flatMap((at, i) => drop(at, 420 - 45 * i, 0.13)),
  ],
  stone: [
    noise("bandpass", 2600, 1800, 0, 0.04, 0.4, 0.001),
    tone(860, 840, 0, 0.1, 0.18, 0.001, "triangle"),
    tone(1370, 1370, 0, 0.07, 0.12, 0.001),
    tone(2140, 2140, 0, 0.05, 0.07, 0.001),
    noise("bandpass", 2000, 1500, 0.085, 0.03, 0.16, 0.001),
    tone(830, 820, 0.085, 0.07, 0.07, 0.001, "triangle"),
  ],
  shock: [
    tone(130, 42, 0, 0.5, 0.3, 0.004),
    tone(98, 92, 0, 0.4, 0.07, 0.01, "sawtooth"),
    ...sparks(18, 0.62, 0.55),
  ],
  chime: bell(0, 784, 1.15, 0.18),
  turn: [...bell(0, 587.3, 0.4, 0.17), ...bell(0.13, 880, 0.6, 0.17)],
  refused: [0, 0.13].flatMap((at) => [
    tone(175, 120, at, 0.12, 0.3, 0.003),
    noise("lowpass", 500, 250, at, 0.06, 0.3, 0.001),
  ]),
  win: [523.3, 659.3, 784, 1046.5].flatMap((note, i) => bell(0.12 * i, note, 0.55 + 0.08 * i, 0.16)),
  lose: [440, 349.2, 293.7].flatMap((note, i) => [
    tone(note, note * 0.985, 0.19 * i, 0.45 + 0.1 * i, 0.17, 0.02, "triangle"),
    tone(note / 2, note / 2, 0.19 * i, 0.4, 0.08, 0.03),
  ]),
};

/** How long a sound lasts. */
export const lengthOf = (name: Sound): number => Math.max(...SOUNDS[name].map(({ at, length }) => at + length));
