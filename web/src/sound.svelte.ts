/** Sounds, made here and off until asked for. */

const KEPT = "theriac.sound";
let on = $state(localStorage.getItem(KEPT) === "on");
let context: AudioContext | null = null;

export const sound = {
  get on(): boolean {
    return on;
  },
  toggle(): void {
    on = !on;
    localStorage.setItem(KEPT, on ? "on" : "off");
    if (on) play("turn");
  },
};

type Noise = "card" | "turn" | "refused" | "over";

/** Notes: frequency in hertz, start and length in seconds. */
const NOTES: Record<Noise, [number, number, number][]> = {
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

export function play(noise: Noise): void {
  if (!on) return;
  context ??= new AudioContext();
  for (const [frequency, start, length] of NOTES[noise]) {
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
