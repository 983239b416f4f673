/** `use:fill={round}` on a box with one child: the child is drawn as large as the box has room for.
 *
 * During a round it only gets smaller: a board that breathes with every card is no table.
 */
import type { ActionReturn } from "svelte/action";

const LEAST = 0.6;
const MOST = 3;
/** Each halves what is still open between too small and too large. */
const STEPS = 8;

export function fill(box: HTMLElement, _round: number): ActionReturn<number> {
  const child = box.firstElementChild as HTMLElement;
  let most = MOST;
  let frame = 0;
  const fits = (zoom: number): boolean => {
    child.style.zoom = String(zoom);
    return box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;
  };
  const fit = (): void => {
    if (fits(most)) return;
    let [small, large] = [LEAST, most];
    for (let i = 0; i < STEPS; i++) {
      const middle = (small + large) / 2;
      if (fits(middle)) small = middle;
      else large = middle;
    }
    most = small;
    child.style.zoom = String(small);
  };
  // In a frame of its own: what is observed must not change while it is told.
  const soon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(fit);
  };
  const anew = (): void => {
    most = MOST;
    soon();
  };
  const room = new ResizeObserver(anew);
  const content = new ResizeObserver(soon);
  room.observe(box);
  content.observe(child);
  return {
    update: anew,
    destroy: () => {
      cancelAnimationFrame(frame);
      room.disconnect();
      content.disconnect();
    },
  };
}
