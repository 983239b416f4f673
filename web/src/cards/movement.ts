/** How cards move: from place to place, and within one. Not at all for those who wish so. */
import { quintOut } from "svelte/easing";
import { flip } from "svelte/animate";
import type { AnimationConfig, FlipParams } from "svelte/animate";
import { crossfade, fade } from "svelte/transition";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const TIME = 420;

const duration = () => (still.matches ? 0 : TIME);

/** `out:send={{ key: card.id }}` where it leaves, `in:receive={{ key: card.id }}` where it comes. */
export const [send, receive] = crossfade({
  duration,
  easing: quintOut,
  fallback: (node) => fade(node, { duration: still.matches ? 0 : TIME / 2 }),
});

/** `animate:shift` for the cards of one place. */
export function shift(node: Element, ends: { from: DOMRect; to: DOMRect }): AnimationConfig {
  const params: FlipParams = { duration: duration(), easing: quintOut };
  return flip(node, ends, params);
}
