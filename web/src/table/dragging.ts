/** `use:draggable` on a card: drag it to an element with `data-drop`, by mouse, pen or finger. A short press is
 * still a click. */
import type { ActionReturn } from "svelte/action";

interface Dragging {
  /** The card has left the hand. */
  lift: () => void;
  /** It was let go over a place; its name is the value of data-drop. */
  drop: (place: string) => void;
}

/** How far the pointer moves before a press becomes a drag, in pixels. */
const THRESHOLD = 8;

export function draggable(element: HTMLElement, given: Dragging | null): ActionReturn<Dragging | null> {
  let options = given;
  let start: { x: number; y: number; pointer: number } | null = null;
  let over: Element | null = null;
  let dragged = false;

  const placeUnder = (x: number, y: number): Element | null =>
    document.elementsFromPoint(x, y).find((one) => one.hasAttribute("data-drop")) ?? null;
  const mark = (place: Element | null): void => {
    over?.removeAttribute("data-drop-here");
    over = place;
    over?.setAttribute("data-drop-here", "");
  };
  const down = (event: PointerEvent): void => {
    if (!options || event.button !== 0) return;
    start = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
    dragged = false;
    element.setPointerCapture(event.pointerId); // a quick pointer may leave the card with its first move
  };
  const move = (event: PointerEvent): void => {
    if (!start || event.pointerId !== start.pointer) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (!dragged && Math.hypot(dx, dy) < THRESHOLD) return;
    if (!dragged) {
      dragged = true;
      element.dataset["dragged"] = "";
      options?.lift();
    }
    element.style.translate = `${dx}px ${dy}px`;
    mark(placeUnder(event.clientX, event.clientY));
  };
  const finish = (event: PointerEvent): void => {
    if (!start || event.pointerId !== start.pointer) return;
    const place = event.type === "pointerup" && dragged ? placeUnder(event.clientX, event.clientY) : null;
    start = null;
    mark(null);
    delete element.dataset["dragged"];
    if (dragged && place) {
      options?.drop(place.getAttribute("data-drop") ?? "");
      // It stays where it was let go until the next view moves it from there, or the refusal sends it home.
      setTimeout(() => (element.style.translate = ""), 150);
    } else element.style.translate = "";
  };
  /** A drag is no click. */
  const click = (event: MouseEvent): void => {
    if (!dragged) return;
    dragged = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const listeners: [string, (event: never) => void][] = [
    ["pointerdown", down], ["pointermove", move], ["pointerup", finish], ["pointercancel", finish],
  ];
  for (const [name, listener] of listeners) element.addEventListener(name, listener as EventListener);
  element.addEventListener("click", click, true);
  return {
    update: (next) => (options = next),
    destroy: () => {
      for (const [name, listener] of listeners) element.removeEventListener(name, listener as EventListener);
      element.removeEventListener("click", click, true);
    },
  };
}
