/** Sounds, synthesized here; off by default. */

const STORAGE_KEY = "theriac.sound";
let on = $state(localStorage.getItem(STORAGE_KEY) === "on");
let context: AudioContext | null = null;

export const sound = {
  get on(): boolean {
    return on;
  },
  toggle(): void {
    on = !on;
    localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
    if (on) playSound("turn");
  },
};

type Sound = "card" | "turn" | "refused" | "over";

/** Notes: frequency in hertz, start and length in seconds. */
const NOTES: Record<Sound, [number, number, number][]> = {
  card: [[240, 0, 0.05]],
  turn: [
    [523, 0, 0.12],
    [784, 0.1, 0.18],
  ],
  refused: [[150, 0, 0.2]],
  over: [
    [392, 0, 0.15],
    [523, 0.13, 0.15],
    [659, 0.26, 0.3],
  ],
};

export function playSound(sound: Sound): void {
  if (!on) return;
  context ??= new AudioContext();
  for (const [frequency, start, length] of NOTES[sound]) {
    const begin = context.currentTime + start;
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.12, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + length);
    tone.connect(loudness).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
