/** The part of the fort that is visible: moved by dragging, wheel, pinching, keys and buttons. */
import type { ActionReturn } from "svelte/action";
import type { Place } from "./reading";

/** The places to show. */
export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A card is three units wide and shares the outer two with its neighbours. In pixels: how small and
 * how large a unit gets, by itself and at most. */
const LEAST = 9;
const MOST = 64;
const LEAST_BY_ITSELF = 15;
const MOST_BY_ITSELF = 34;
/** A pointer that has moved this far drags, and no longer clicks. */
const SLACK = 6;
const STEP = 48;
const ZOOM = 1.25;

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

export class Camera {
  unit = $state(24);
  /** Where the upper left end of the place 0,0 is. */
  x = $state(0);
  y = $state(0);
  width = $state(0);
  height = $state(0);
  /** Until somebody moves it, the camera follows the fort by itself. */
  alone = $state(true);
  /** Was the last touch one of a finger? Then there is no hovering. */
  finger = false;

  /** Show all of it, or if that would be too small, the surroundings of a place. */
  fit(bounds: Bounds, around: Place): void {
    const across = 2 * (bounds.right - bounds.left) + 4;
    const down = 2 * (bounds.bottom - bounds.top) + 4;
    const fitting = Math.min(this.width / across, this.height / down);
    this.unit = between(LEAST_BY_ITSELF, fitting, MOST_BY_ITSELF);
    this.x = this.along(this.width, bounds.left, bounds.right, around.x);
    this.y = this.along(this.height, bounds.top, bounds.bottom, around.y);
  }

  private along(size: number, first: number, last: number, around: number): number {
    const from = 2 * first * this.unit;
    const to = (2 * last + 3) * this.unit;
    if (to - from <= size) return (size - from - to) / 2;
    return between(size - to, size / 2 - (2 * around + 1.5) * this.unit, -from);
  }

  pan(dx: number, dy: number): void {
    this.alone = false;
    this.x += dx;
    this.y += dy;
  }

  /** Larger or smaller; what is at `x`, `y` stays there. */
  zoom(by: number, x = this.width / 2, y = this.height / 2): void {
    const unit = between(LEAST, this.unit * by, MOST);
    const factor = unit / this.unit;
    this.alone = false;
    this.x = x - (x - this.x) * factor;
    this.y = y - (y - this.y) * factor;
    this.unit = unit;
  }
  larger = (): void => this.zoom(ZOOM);
  smaller = (): void => this.zoom(1 / ZOOM);

  /** Move just enough to show a place. */
  reveal({ x, y }: Place): void {
    const into = (from: number, room: number) => {
      const to = from + 3 * this.unit;
      return from < 0 ? -from : Math.min(0, room - to);
    };
    this.x += into(this.x + 2 * x * this.unit, this.width);
    this.y += into(this.y + 2 * y * this.unit, this.height);
  }

  key(key: string, bare: boolean): boolean {
    const ways: Record<string, [number, number]> = {
      ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP],
    };
    const way = ways[key];
    if (way && bare) this.pan(...way);
    else if (key === "+" || key === "=") this.larger();
    else if (key === "-") this.smaller();
    else if (key === "0") this.alone = true;
    else return false;
    return true;
  }
}

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
  /** What was dragged was not clicked. A click by keyboard has no detail. */
  const click = (event: MouseEvent) => {
    if (!dragged || event.detail === 0) return;
    event.stopPropagation();
    event.preventDefault();
    dragged = false;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const at = here(event);
    camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), at.x, at.y);
  };
  const keydown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (camera.key(event.key, event.target === node)) event.preventDefault();
  };
  const size = new ResizeObserver(() => {
    camera.width = node.clientWidth;
    camera.height = node.clientHeight;
  });
  size.observe(node);
  node.addEventListener("pointerdown", down);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerup", up);
  node.addEventListener("pointercancel", up);
  node.addEventListener("click", click, { capture: true });
  node.addEventListener("wheel", wheel, { passive: false });
  node.addEventListener("keydown", keydown);
  // The listeners go with the node.
  return { destroy: () => size.disconnect() };
}
