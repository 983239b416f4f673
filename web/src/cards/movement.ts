/** How cards move between places and within one. With reduced motion they do not. */
import { quintOut } from "svelte/easing";
import { flip } from "svelte/animate";
import type { AnimationConfig, FlipParams } from "svelte/animate";
import { crossfade, fade } from "svelte/transition";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const DURATION = 420;

const duration = () => (reducedMotion.matches ? 0 : DURATION);

/** `out:send={{ key: card.id }}` where a card leaves, `in:receive={{ key: card.id }}` where it arrives. */
export const [send, receive] = crossfade({
  duration,
  easing: quintOut,
  fallback: (node) => fade(node, { duration: reducedMotion.matches ? 0 : DURATION / 2 }),
});

/** `animate:shift` for the cards of one place. */
export function shift(node: Element, ends: { from: DOMRect; to: DOMRect }): AnimationConfig {
  const params: FlipParams = { duration: duration(), easing: quintOut };
  return flip(node, ends, params);
}
