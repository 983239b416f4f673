import { expect, test } from "vitest";
import { Camera } from "./camera.svelte";
import type { Place } from "./reading";

/** A window of the fort on a small phone. */
function window360(): Camera {
  const camera = new Camera();
  [camera.width, camera.height, camera.room] = [344, 250, { width: 344, height: 250 }];
  return camera;
}

/** A fort of this many rows and columns around the gate. */
const fort = (across: number, down: number): Place[] =>
  Array.from({ length: across * down }, (_, i) => ({ x: (i % across) - (across >> 1), y: Math.floor(i / across) - (down >> 1) }));

test("a small fort is shown whole, as large as the window allows", () => {
  const camera = window360();
  const places = fort(4, 4);
  camera.fit(places, [], { x: 1, y: 1 });
  expect(camera.near).toBe(false);
  expect(places.every((place) => camera.shows(place))).toBe(true);
});

test("of a large fort the part around the newest card is shown, with cards that can be read", () => {
  const camera = window360();
  const places = fort(15, 15);
  for (const centre of [{ x: 0, y: 0 }, { x: 7, y: 7 }, { x: -7, y: 3 }]) {
    camera.fit(places, [], centre);
    expect(camera.near).toBe(true);
    expect(3 * camera.unit).toBeGreaterThanOrEqual(56);
    expect(camera.shows(centre)).toBe(true);
  }
  expect(places.every((place) => camera.shows(place))).toBe(false);
});

test("before cards get too small to be read on a phone, only a part is shown", () => {
  const camera = window360();
  for (let across = 1; across <= 15; across += 1) {
    camera.fit(fort(across, across), fort(across + 2, across + 2), { x: 0, y: 0 });
    expect(3 * camera.unit).toBeGreaterThanOrEqual(56);
  }
});

test("a large screen shows a whole fort of many cards", () => {
  const camera = new Camera();
  [camera.width, camera.height, camera.room] = [900, 560, { width: 900, height: 560 }];
  camera.fit(fort(15, 15), [], { x: 7, y: 7 });
  expect(camera.near).toBe(false);
});

test("a map is for a fort of many cards that cannot all be seen", () => {
  const camera = window360();
  camera.fit(fort(15, 15), [], { x: 0, y: 0 });
  expect(camera.mapped).toBe(true);
  camera.whole = true;
  camera.fit(fort(15, 15), [], { x: 0, y: 0 });
  expect([camera.mapped, camera.near]).toEqual([true, false]);
  camera.fit(fort(8, 1), [], { x: 0, y: 0 });
  expect(camera.mapped).toBe(false);
});

test("the free places around the gate do not make it small", () => {
  const camera = new Camera();
  [camera.width, camera.height, camera.room] = [374, 146, { width: 374, height: 146 }];
  camera.fit([{ x: 0, y: 0 }], [{ x: -1, y: -1 }, { x: 1, y: -1 }, { x: -1, y: 1 }, { x: 1, y: 1 }], { x: 0, y: 0 });
  expect(3 * camera.unit).toBeGreaterThanOrEqual(70);
});

test("at the edge of a large fort the window shows nothing beyond it", () => {
  const camera = window360();
  camera.fit(fort(15, 15), [], { x: 7, y: 7 });
  const [right, bottom] = [2 * 7 + 3, 2 * 7 + 3].map((end) => end * camera.unit);
  expect(camera.x + (right ?? 0)).toBeCloseTo(camera.width - 6);
  expect(camera.y + (bottom ?? 0)).toBeCloseTo(camera.height - 6);
});

test("the player can see all of a large fort, and come closer again", () => {
  const camera = window360();
  const places = fort(15, 15);
  camera.whole = true;
  camera.fit(places, [], { x: 0, y: 0 });
  expect(places.every((place) => camera.shows(place))).toBe(true);
  camera.lookAt(-7, -7);
  expect(camera.alone).toBe(false);
  expect(camera.shows({ x: -7, y: -7 })).toBe(true);
  expect(3 * camera.unit).toBeGreaterThanOrEqual(56);
});
