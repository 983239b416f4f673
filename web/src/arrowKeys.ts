/** `use:arrowKeys` on a group of buttons: the arrow keys move the focus between them. */
import type { ActionReturn } from "svelte/action";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function arrowKeys(group: HTMLElement): ActionReturn {
  const step = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    const buttons = [...group.querySelectorAll<HTMLElement>("button:not(:disabled)")];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (by === undefined || at < 0) return;
    event.preventDefault();
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  group.addEventListener("keydown", step);
  return { destroy: () => group.removeEventListener("keydown", step) };
}
