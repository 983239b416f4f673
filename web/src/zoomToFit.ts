/** `use:zoomToFit={round}` on a box with one child: zooms the child to the largest size that fits.
 *
 * During a round it only gets smaller, so that the board does not change size with every card.
 */
import type { ActionReturn } from "svelte/action";

const MIN_ZOOM = 0.6;
const MAX_ZOOM = 3;
/** Steps of the binary search. */
const STEPS = 8;

export function zoomToFit(box: HTMLElement, _round: number): ActionReturn<number> {
  const child = box.firstElementChild as HTMLElement;
  let largest = MAX_ZOOM;
  let frame = 0;
  const fits = (zoom: number): boolean => {
    child.style.zoom = String(zoom);
    return box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;
  };
  const shrink = (): void => {
    if (fits(largest)) return;
    let [low, high] = [MIN_ZOOM, largest];
    for (let i = 0; i < STEPS; i++) {
      const middle = (low + high) / 2;
      if (fits(middle)) low = middle;
      else high = middle;
    }
    largest = low;
    child.style.zoom = String(low);
  };
  // In a frame of its own: a ResizeObserver must not resize what it observes while it reports.
  const shrinkSoon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(shrink);
  };
  const restart = (): void => {
    largest = MAX_ZOOM;
    shrinkSoon();
  };
  const boxObserver = new ResizeObserver(restart);
  const childObserver = new ResizeObserver(shrinkSoon);
  boxObserver.observe(box);
  childObserver.observe(child);
  return {
    update: restart,
    destroy: () => {
      cancelAnimationFrame(frame);
      boxObserver.disconnect();
      childObserver.disconnect();
    },
  };
}
