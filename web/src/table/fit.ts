/** `use:fit`: a box shows what is in it smaller where it does not fit, by the custom property `--fit`, with which its style
 * multiplies sizes; at most down to the given part. Where that is not enough, it becomes `data-tight`: its style leaves out
 * what can be spared. What does not fit even so must be scrolled. */
import type { Action } from "svelte/action";

const LEAST = 0.8;
const STEP = 0.04;

export const fit: Action<HTMLElement, number | undefined> = (box, least = LEAST) => {
  const fits = (): boolean => box.scrollHeight <= box.clientHeight;
  const shrink = (): boolean => {
    for (let part = 1; part >= least - 1e-9; part -= STEP) {
      box.style.setProperty("--fit", part.toFixed(2));
      if (fits()) return true;
    }
    return false;
  };
  const show = (): void => {
    box.removeAttribute("data-tight");
    if (shrink()) return;
    box.setAttribute("data-tight", "");
    shrink();
  };
  show();
  const resized = new ResizeObserver(show);
  resized.observe(box);
  const changed = new MutationObserver(show);
  changed.observe(box, { childList: true, subtree: true, characterData: true });
  return {
    destroy() {
      resized.disconnect();
      changed.disconnect();
    },
  };
};
