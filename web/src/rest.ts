/** What moves without end (flames, glints, bubbles) rests when nothing happens: a table that is left open should not warm
 * the phone that it lies on. */

/** How long nothing must have happened, in milliseconds. */
const PATIENCE = 60_000;
const SIGNS_OF_LIFE = ["pointermove", "pointerdown", "keydown", "wheel", "focusin"];

let resting: Animation[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

const isEndless = (one: Animation): boolean => one.playState === "running" && one.effect?.getTiming().iterations === Infinity;

function rest(): void {
  resting = document.getAnimations().filter(isEndless);
  for (const one of resting) one.pause();
}

/** Something happens: what rests moves again. */
export function wake(): void {
  for (const one of resting) one.play();
  resting = [];
  clearTimeout(timer);
  timer = setTimeout(rest, PATIENCE);
}

/** Rest when the player does nothing for a while. What others do calls `wake`. */
export function restWhenIdle(): void {
  for (const kind of SIGNS_OF_LIFE) addEventListener(kind, wake, { passive: true, capture: true });
  wake();
}
