/** `use:keepFocus` on the stage: when the focused card or button goes away, the focus moves to the card at its
 * place in the hand, or to the action; it never falls to the body. */
import type { ActionReturn } from "svelte/action";

export function keepFocus(stage: HTMLElement): ActionReturn {
  let index = 0;
  const cards = (): HTMLElement[] => [...stage.querySelectorAll<HTMLElement>('[data-part="hand"] button')];
  const onFocus = (event: FocusEvent): void => {
    const at = cards().indexOf(event.target as HTMLElement);
    if (at >= 0) index = at;
  };
  const heal = (): void => {
    if (document.activeElement !== document.body || !hadFocus) return;
    const hand = cards();
    const next = hand[Math.min(index, hand.length - 1)] ?? stage.querySelector<HTMLElement>('[data-part="action"] button, [data-part="hand"]');
    next?.focus({ preventScroll: true });
  };
  let hadFocus = false;
  const onFocusIn = (): void => {
    hadFocus = true;
  };
  const observer = new MutationObserver(heal);
  observer.observe(stage, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "hidden"] });
  stage.addEventListener("focusin", onFocus);
  stage.addEventListener("focusin", onFocusIn);
  return {
    destroy: () => {
      observer.disconnect();
      stage.removeEventListener("focusin", onFocus);
      stage.removeEventListener("focusin", onFocusIn);
    },
  };
}
