/** Plays recipes on an audio context: a few voices, one volume, one limiter. */
import { lengthOf, SOUNDS, type Layer, type Sound } from "./recipes";

export const MOST_VOICES = 8;
/** How loud the limiter lets all voices together become. */
const CEILING = 0.8;
/** The limiter's curve covers inputs from -REACH to REACH. */
const REACH = 4;
/** A fade this short does not click. */
const FADE = 0.02;

interface Voice {
  gain: GainNode;
  end: number;
}

export class Voices {
  readonly #context: BaseAudioContext;
  readonly #volume: GainNode;
  readonly #noise: AudioBuffer;
  #playing: Voice[] = [];

  constructor(context: BaseAudioContext, volume: number) {
    this.#context = context;
    this.#noise = whiteNoise(context);
    this.#volume = context.createGain();
    this.#volume.gain.value = volume;
    const reach = context.createGain();
    reach.gain.value = 1 / REACH;
    const limiter = context.createWaveShaper();
    limiter.curve = limiterCurve();
    this.#volume.connect(reach).connect(limiter).connect(context.destination);
  }

  set volume(volume: number) {
    this.#volume.gain.setTargetAtTime(volume, this.#context.currentTime, FADE);
  }

  /** Starts a sound. The oldest voice ends where there would be too many. */
  play(name: Sound): void {
    const now = this.#context.currentTime;
    this.#playing = this.#playing.filter(({ gain, end }) => end > now || gain.disconnect());
    while (this.#playing.length >= MOST_VOICES) {
      this.#playing.shift()?.gain.gain.setTargetAtTime(0, now, FADE / 4);
    }
    const gain = this.#context.createGain();
    gain.connect(this.#volume);
    for (const layer of SOUNDS[name]) this.#start(layer, gain, now);
    this.#playing.push({ gain, end: now + lengthOf(name) });
  }

  #start(layer: Layer, out: AudioNode, now: number): void {
    const begin = now + layer.at;
    const end = begin + layer.length;
    const envelope = this.#context.createGain();
    // A gain is 1 by default, and the source may start a sample before the envelope: a click.
    envelope.gain.value = 0;
    envelope.gain.setValueAtTime(0, begin);
    envelope.gain.linearRampToValueAtTime(layer.level, begin + layer.attack);
    envelope.gain.exponentialRampToValueAtTime(layer.level / 1000, end);
    envelope.connect(out);
    const source = layer.filter ? this.#noiseSource(layer, begin, envelope) : this.#toneSource(layer, begin, envelope);
    source.stop(end);
  }

  #toneSource({ wave = "sine", from, to, length }: Layer, begin: number, out: AudioNode): OscillatorNode {
    const source = this.#context.createOscillator();
    source.type = wave;
    glide(source.frequency, from, to, begin, length);
    source.connect(out);
    source.start(begin);
    return source;
  }

  #noiseSource({ filter, from, to, length }: Layer, begin: number, out: AudioNode): AudioBufferSourceNode {
    const source = this.#context.createBufferSource();
    source.buffer = this.#noise;
    source.loop = true;
    const shaped = this.#context.createBiquadFilter();
    shaped.type = filter ?? "bandpass";
    glide(shaped.frequency, from, to, begin, length);
    source.connect(shaped).connect(out);
    // Another piece of the noise each time: no two cards sound the same.
    source.start(begin, Math.random() * this.#noise.duration);
    return source;
  }
}

function glide(pitch: AudioParam, from: number, to: number, begin: number, length: number): void {
  pitch.setValueAtTime(from, begin);
  pitch.exponentialRampToValueAtTime(to, begin + length);
}

function whiteNoise(context: BaseAudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return buffer;
}

/** Almost straight for one voice, flat at the ceiling. */
function limiterCurve(): Float32Array<ArrayBuffer> {
  const points = 4097;
  return Float32Array.from({ length: points }, (_, i) => {
    const input = REACH * ((2 * i) / (points - 1) - 1);
    return CEILING * Math.tanh(input / CEILING);
  });
}
