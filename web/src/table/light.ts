/** `use:light={[names, view]}`: lights the places and cards that a tutorial speaks of. The view is given so that it
 * runs again when the table has changed. */
import { tick } from "svelte";
import type { ActionReturn } from "svelte/action";

type Given = [readonly string[], unknown];

export function light(stage: HTMLElement, given: Given): ActionReturn<Given> {
  const show = async ([names]: Given): Promise<void> => {
    await tick();
    for (const element of stage.querySelectorAll("[data-lit]")) element.removeAttribute("data-lit");
    for (const name of names) {
      const selector = ["action", "status", "table"].includes(name) ? `[data-part="${name}"]` : `[data-place="${CSS.escape(name)}"]`;
      stage.querySelector(selector)?.setAttribute("data-lit", "");
    }
  };
  void show(given);
  return { update: (next) => void show(next) };
}
