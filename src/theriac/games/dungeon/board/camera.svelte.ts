/** The part of the fort that is visible. By itself the camera shows all of it, or, where the cards would be too small
 * for that, the part around the newest card: then a map beside it shows the whole (FortMap.svelte). It can be moved by dragging,
 * wheel and pinching, and comes back when the fort changes. */
import type { ActionReturn } from "svelte/action";
import type { Place } from "./reading";

/** A card is three units wide and shares the outer two with its neighbours. In pixels: a unit as the cards are
 * drawn, before the camera makes them larger or smaller. */
export const UNIT = 32;
/** How small and how large a unit gets, by itself and at most. */
const LEAST = 6;
const MOST = 110;
const MOST_BY_ITSELF = 84;
/** A pointer that has moved this far drags, and no longer clicks. */
const SLACK = 6;
/** Where a unit is smaller than this, a finger cannot tell two places apart: its first tap comes closer, to this. */
const FINGER = 12;
const CLOSE = 20;
/** Where all of the fort would need smaller units than these, the camera shows a part: on a large screen, and on a phone,
 * where a card then is 57 pixels wide. */
const LEGIBLE = 11;
const LEGIBLE_ON_PHONE = 19;
const NEAR = 19;
/** A window that is narrower or lower than this is one of a phone, in pixels. */
const PHONE_WIDTH = 480;
const PHONE_HEIGHT = 270;
/** So few cards need no map, even where they are not all in sight. */
const FEW = 8;
/** Room between the fort and the edge, in pixels. */
const MARGIN = 6;
/** What is drawn of a free place ends this far inside it, in units. */
const RIM = 0.75;

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

export class Camera {
  unit = $state(24);
  /** Where the upper left end of the place 0,0 is. */
  x = $state(0);
  y = $state(0);
  width = $state(0);
  height = $state(0);
  /** The room that the window has together with its map. */
  room = $state.raw({ width: 0, height: 0 });
  /** Until somebody moves it, the camera follows the fort by itself. */
  alone = $state(true);
  /** Does it show all of the fort, however small? The player has asked for that. */
  whole = $state(false);
  /** Does it show only a part, by itself? */
  near = $state(false);
  /** Is that part so small that there is a map of the whole? */
  mapped = $state(false);
  /** Was the last touch one of a finger? Then there is no hovering. */
  finger = false;

  /** Show all of these cards and free places, as large as the window allows; or, where that is too small, those around
   * `centre`. */
  fit(cards: Place[], places: Place[], centre: Place): void {
    const { left, right, top, bottom } = seenOf(cards, places);
    const unit = (width: number, height: number) =>
      Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top));
    const { width, height } = this.room;
    const small = unit(width, height) < (width < PHONE_WIDTH || height < PHONE_HEIGHT ? LEGIBLE_ON_PHONE : LEGIBLE);
    this.near = small && !this.whole;
    this.mapped = small && cards.length > FEW;
    this.unit = this.near ? NEAR : between(LEAST, unit(this.width, this.height), MOST_BY_ITSELF);
    this.x = start(this.width, left * this.unit, right * this.unit, (2 * centre.x + 1.5) * this.unit);
    this.y = start(this.height, top * this.unit, bottom * this.unit, (2 * centre.y + 1.5) * this.unit);
  }

  /** Move this place into the middle; what is too small to be read comes closer. */
  lookAt(x: number, y: number): void {
    this.alone = false;
    this.unit = Math.max(this.unit, NEAR);
    this.x = this.width / 2 - (2 * x + 1.5) * this.unit;
    this.y = this.height / 2 - (2 * y + 1.5) * this.unit;
  }

  /** Is all that is drawn of this place in sight? */
  shows({ x, y }: Place): boolean {
    const [left, top] = [this.x + (2 * x + RIM) * this.unit, this.y + (2 * y + RIM) * this.unit];
    const side = (3 - 2 * RIM) * this.unit;
    return left >= 0 && top >= 0 && left + side <= this.width && top + side <= this.height;
  }

  pan(dx: number, dy: number): void {
    this.alone = false;
    this.x += dx;
    this.y += dy;
  }

  /** Larger or smaller; what is at `x`, `y` stays there. */
  zoom(by: number, x: number, y: number): void {
    const unit = between(LEAST, this.unit * by, MOST);
    const factor = unit / this.unit;
    this.alone = false;
    this.x = x - (x - this.x) * factor;
    this.y = y - (y - this.y) * factor;
    this.unit = unit;
  }
}

/** Where 0 lies in a window of this size: all of it in the middle, or, where that is too large, the centre, as far
 * as nothing beyond the ends comes into sight. */
function start(size: number, from: number, to: number, centre: number): number {
  if (to - from + 2 * MARGIN <= size) return (size - from - to) / 2;
  return between(size - MARGIN - to, size / 2 - centre, MARGIN - from);
}

type Bounds = { left: number; right: number; top: number; bottom: number };

/** The ends of what is drawn of these cards and free places, in units. */
function seenOf(cards: Place[], places: Place[]): Bounds {
  const [laid, free] = [boundsOf(cards), boundsOf(places)];
  return {
    left: Math.min(laid.left, free.left + RIM),
    right: Math.max(laid.right, free.right - RIM),
    top: Math.min(laid.top, free.top + RIM),
    bottom: Math.max(laid.bottom, free.bottom - RIM),
  };
}

/** The ends of all these places, in units. */
export function boundsOf(places: Place[]): Bounds {
  const [left, right] = ends(places.map(({ x }) => x));
  const [top, bottom] = ends(places.map(({ y }) => y));
  return { left, right, top, bottom };
}

/** From the first unit of the first place to the last unit of the last one. */
const ends = (values: number[]): [number, number] => [2 * Math.min(0, ...values), 2 * Math.max(0, ...values) + 3];

/** `use:steer={camera}` on the window through which one looks. */
export function steer(node: HTMLElement, camera: Camera): ActionReturn {
  const pointers = new Map<number, { x: number; y: number }>();
  let dragged = false;
  const here = (event: MouseEvent) => {
    const box = node.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent) => {
    camera.finger = event.pointerType === "touch";
    if (pointers.size === 0) dragged = false;
    if (event.button !== 0 || (event.target as Element).closest("[data-still]")) return;
    pointers.set(event.pointerId, here(event));
  };
  const move = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    if (event.buttons === 0) return void pointers.delete(event.pointerId); // let go outside
    const now = here(event);
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (!dragged && Math.hypot(dx, dy) < SLACK) return;
    if (!dragged) node.setPointerCapture(event.pointerId);
    dragged = true;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    if (!other) return camera.pan(dx, dy);
    const distance = Math.hypot(before.x - other.x, before.y - other.y);
    if (distance > 0) camera.zoom(Math.hypot(now.x - other.x, now.y - other.y) / distance, other.x, other.y);
  };
  const up = (event: PointerEvent) => pointers.delete(event.pointerId);
  /** What was dragged was not clicked, nor was what only came closer. A click by keyboard has no detail. */
  const click = (event: MouseEvent) => {
    const small = camera.finger && camera.unit < FINGER;
    if ((!dragged && !small) || event.detail === 0 || (event.target as Element).closest("[data-still]")) return;
    event.stopPropagation();
    event.preventDefault();
    if (!dragged) {
      const { x, y } = here(event);
      camera.zoom(CLOSE / camera.unit, x, y);
    }
    dragged = false;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const at = here(event);
    camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), at.x, at.y);
  };
  const around = node.parentElement ?? node;
  const size = new ResizeObserver(() => {
    camera.width = node.clientWidth;
    camera.height = node.clientHeight;
    camera.room = { width: around.clientWidth, height: around.clientHeight };
  });
  size.observe(node);
  size.observe(around);
  node.addEventListener("pointerdown", down);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerup", up);
  node.addEventListener("pointercancel", up);
  node.addEventListener("click", click, { capture: true });
  node.addEventListener("wheel", wheel, { passive: false });
  // The listeners go with the node.
  return { destroy: () => size.disconnect() };
}
