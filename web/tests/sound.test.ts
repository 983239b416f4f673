/** Sounds are short and bounded, and there are never too many at once. */
import { afterEach, expect, test, vi } from "vitest";
import { lengthOf, SOUNDS, type Layer, type Sound } from "../src/sound/recipes";
import { MOST_VOICES, Voices } from "../src/sound/voices";

const sounds = Object.entries(SOUNDS) as [Sound, Layer[]][];

test.each(sounds)("%s is shorter than 1.2 s", (name) => {
  expect(lengthOf(name)).toBeLessThan(1.2);
});

test.each(sounds)("each layer of %s swells and dies within its length", (_, layers) => {
  for (const { at, attack, length, level, from, to } of layers) {
    expect(at).toBeGreaterThanOrEqual(0);
    expect(attack).toBeGreaterThan(0);
    expect(attack).toBeLessThan(length);
    expect(level).toBeGreaterThan(0);
    // An audible pitch: exponential ramps cannot reach 0.
    for (const pitch of [from, to]) expect(pitch).toBeGreaterThanOrEqual(40);
    for (const pitch of [from, to]) expect(pitch).toBeLessThan(16000);
  }
});

/** The loudness of a layer at a time: no filter here is louder than its input. */
function loudness({ at, attack, length, level }: Layer, time: number): number {
  const since = time - at;
  if (since < 0 || since > length) return 0;
  return since < attack ? (level * since) / attack : level * 0.001 ** ((since - attack) / (length - attack));
}

test.each(sounds)("all layers of %s together stay below full scale", (_, layers) => {
  for (let time = 0; time < 1.2; time += 0.001) {
    expect(layers.reduce((sum, layer) => sum + loudness(layer, time), 0)).toBeLessThan(1);
  }
});

/** An audio context that only notes which gains fade out, what starts, and what the limiter's curve is. */
function fakeContext() {
  const faded: unknown[] = [];
  const started: unknown[] = [];
  const curves: Float32Array[] = [];
  const parameter = () => ({
    value: 1,
    setValueAtTime: () => undefined,
    linearRampToValueAtTime: () => undefined,
    exponentialRampToValueAtTime: () => undefined,
    setTargetAtTime: (value: number) => value === 0 && faded.push(value),
  });
  const node = () => ({
    connect: <T>(to: T) => to,
    disconnect: () => undefined,
    start: (time: number) => void started.push(time),
    stop: () => undefined,
    gain: parameter(),
    frequency: parameter(),
    set curve(curve: Float32Array) {
      curves.push(curve);
    },
  });
  const context = {
    currentTime: 0,
    state: "suspended",
    resume: async () => void (context.state = "running"),
    sampleRate: 8000,
    destination: node(),
    createGain: node,
    createOscillator: node,
    createBufferSource: node,
    createBiquadFilter: node,
    createWaveShaper: node,
    createBuffer: () => ({ duration: 1, getChannelData: () => new Float32Array(8000) }),
  };
  return { context, faded, started, curves };
}

test("a voice too many ends the oldest; ended voices do not count", () => {
  const { context, faded } = fakeContext();
  const voices = new Voices(context as unknown as BaseAudioContext, 0.4);
  for (let i = 0; i < MOST_VOICES; i++) voices.play("lay");
  expect(faded).toHaveLength(0);
  voices.play("lay");
  voices.play("lay");
  expect(faded).toHaveLength(2);
  context.currentTime = lengthOf("lay");
  for (let i = 0; i < MOST_VOICES; i++) voices.play("lay");
  expect(faded).toHaveLength(2);
});

test("the limiter never clips and leaves silence alone", () => {
  const { context, curves } = fakeContext();
  new Voices(context as unknown as BaseAudioContext, 1);
  const curve = curves[0] as Float32Array;
  expect(Math.max(...curve)).toBeLessThan(0.81);
  expect(Math.min(...curve)).toBeGreaterThan(-0.81);
  expect(curve[(curve.length - 1) / 2]).toBe(0);
});

/** The module in a browser of its own, with what is stored there. */
async function open(stored: Record<string, string> = {}) {
  vi.resetModules();
  const { context, started } = fakeContext();
  const gestures: Record<string, () => void> = {};
  const buzzes: number[][] = [];
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => (stored[key] = value),
  });
  vi.stubGlobal("addEventListener", (name: string, listener: () => void) => (gestures[name] = listener));
  vi.stubGlobal("navigator", {
    userActivation: { hasBeenActive: true },
    vibrate: (pattern: number[]) => buzzes.push(pattern),
  });
  // A function, as `new` wants one; what it returns is the new context.
  vi.stubGlobal("AudioContext", function () {
    return context;
  });
  return { ...(await import("../src/sound.svelte")), context, started, gestures, buzzes, stored };
}
afterEach(() => vi.unstubAllGlobals());

test.each(["pointerup", "click", "keydown"])("sound is on after the first %s, and not before", async (gesture) => {
  const { sound, playSound, context, started, gestures } = await open();
  expect(sound.on).toBe(true);
  playSound("lay");
  expect(started).toHaveLength(0);
  gestures[gesture]?.();
  expect(context.state).toBe("running");
  playSound("lay");
  expect(started).toHaveLength(SOUNDS.lay.length);
});

test("who turned sound off before hears nothing, and can turn it on", async () => {
  const { sound, playSound, started, gestures, stored } = await open({ "theriac.sound": "off" });
  expect(sound.on).toBe(false);
  gestures["click"]?.();
  playSound("win");
  expect(started).toHaveLength(0);
  sound.toggle();
  expect(started).toHaveLength(SOUNDS.turn.length);
  expect(stored["theriac.sound"]).toBe("on");
  sound.toggle();
  playSound("win");
  expect(started).toHaveLength(SOUNDS.turn.length);
  expect(stored["theriac.sound"]).toBe("off");
});

test.each([
  [undefined, 0.4],
  ["0.75", 0.75],
  ["0", 0],
  ["loud", 0.4],
  ["7", 0.4],
])("a stored volume of %s is %d", async (stored, volume) => {
  const { sound } = await open(stored === undefined ? {} : { "theriac.volume": stored });
  expect(sound.volume).toBe(volume);
});

test("the volume is stored, from 0 to 1", async () => {
  const { sound, stored } = await open();
  for (const [wanted, kept] of [[0.3, "0.3"], [2, "1"], [-1, "0"]] as const) {
    sound.volume = wanted;
    expect(stored["theriac.volume"]).toBe(kept);
  }
});

test("a phone shakes only where wanted, for some sounds, even with the sound off", async () => {
  const { sound, playSound, buzzes, stored } = await open({ "theriac.sound": "off" });
  playSound("shock");
  expect(buzzes).toHaveLength(0);
  sound.vibration = true;
  for (const name of ["shock", "spill", "turn", "lay"] as const) playSound(name);
  expect(buzzes).toHaveLength(3);
  expect(stored["theriac.vibration"]).toBe("on");
});
