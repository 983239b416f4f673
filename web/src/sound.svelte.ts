/** Sounds and short vibrations, and the player's settings for both. Nothing is heard before the first click
 * or key: browsers allow a page no sound until then. */
import type { Sound } from "./sound/recipes";
import { Voices } from "./sound/voices";

export type { Sound };

const SOUND_KEY = "theriac.sound";
const VOLUME_KEY = "theriac.volume";
const VIBRATION_KEY = "theriac.vibration";
const DEFAULT_VOLUME = 0.4;

/** Milliseconds: on, off, on. */
const VIBRATIONS: Partial<Record<Sound, number[]>> = {
  spill: [40, 30, 90],
  shock: [20, 25, 20, 25, 140],
  turn: [35],
};

let on = $state(localStorage.getItem(SOUND_KEY) !== "off");
let volume = $state(storedVolume());
let vibration = $state(localStorage.getItem(VIBRATION_KEY) === "on");
let context: AudioContext | null = null;
let voices: Voices | null = null;

export const sound = {
  get on(): boolean {
    return on;
  },
  toggle(): void {
    on = !on;
    localStorage.setItem(SOUND_KEY, on ? "on" : "off");
    wake();
    if (on) playSound("turn");
  },
  /** From 0 to 1. */
  get volume(): number {
    return volume;
  },
  set volume(wanted: number) {
    volume = Math.min(1, Math.max(0, wanted));
    localStorage.setItem(VOLUME_KEY, String(volume));
    if (voices) voices.volume = volume;
  },
  get vibration(): boolean {
    return vibration;
  },
  set vibration(wanted: boolean) {
    vibration = wanted;
    localStorage.setItem(VIBRATION_KEY, wanted ? "on" : "off");
  },
};

export function playSound(name: Sound): void {
  const pattern = VIBRATIONS[name];
  // Safari has no vibrate; Chromium warns in the console where it comes before the first click.
  if (vibration && pattern && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
  if (on) voices?.play(name);
}

function storedVolume(): number {
  const stored = Number.parseFloat(localStorage.getItem(VOLUME_KEY) ?? "");
  return stored >= 0 && stored <= 1 ? stored : DEFAULT_VOLUME;
}

/** Call it in a click or key only. A phone may suspend the context at any time, so each one wakes it again. */
function wake(): void {
  if (!on) return;
  context ??= new AudioContext();
  voices ??= new Voices(context, volume);
  // It rejects only where the context was closed, and nothing here closes it.
  if (context.state !== "running") void context.resume();
}

// In the capture phase: what the first click plays is heard, too.
for (const gesture of ["pointerup", "click", "keydown"]) addEventListener(gesture, wake, { capture: true });
