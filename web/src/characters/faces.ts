/** The faces of the characters, from parts. A face is a list of shapes (`shapes.ts`) and names of parts,
 * from back to front. */
import type { Character, Temper } from "./characters";
import type { Level } from "../wire";
import { parseShape, type Palette, type Shape } from "./shapes";

/** What all palettes have: ink (k), white, gold, shade (d), light, steel (m), blush. */
const PAINTS: Palette = {
  k: "#241c2b",
  w: "#fffaf0",
  g: "#f0bd4f",
  d: "#1a0f2630",
  l: "#ffffff48",
  m: "#b9c3d0",
  b: "#e8484838",
};

const EARS = "=s o19 33.5 3.2|";
const NOSE = "S M32.4 31.5l-2.6 6q2 1.4 4 0z";

/** `s` is the skin, `S` its shade, `h` the hair, `r` the clothes. */
const PARTS: Record<string, string> = {
  body:
    "S M26 42h12v8a6 6 0 0 1-12 0z|r M7 64c0-11 8-15 19-16q6 5 12 0c11 1 19 5 19 16z|" +
    "d M38 48c11 1 19 5 19 16H45c1-7-1-12-7-16z",
  round:
    `${EARS}S M19 31c0-9 5-15 13-15s13 6 13 15c0 9-6 16-13 16s-13-7-13-16z|` +
    `s M19 31c0-9 5-15 12-15s10.5 6 10.5 15-4.5 15.5-10 16c-7-.3-12.5-7-12.5-16z|${NOSE}|=b o23.5 37.5 3`,
  long:
    `${EARS}S M20 30c0-9 4-14 12-14s12 5 12 14c0 10-6 19-12 19s-12-9-12-19z|` +
    `s M20 30c0-9 4-14 11-14s10 5 10 14c0 10-4 18-9.5 19-6-.5-11.5-9.5-11.5-19z|${NOSE}`,
  broad:
    `${EARS}S M19 29c0-8 5-13 13-13s13 5 13 13v8c0 7-6 11-13 11s-13-4-13-11z|` +
    `s M19 29c0-8 5-13 12-13s10.5 5 10.5 13v8c0 6-4 11-10 11-7 0-12.5-4-12.5-11z|${NOSE}|=b o23.5 38 3`,
  ruff:
    "d M11 55q21-16 42 0q-21 14-42 0z|w o14 54 5o21 57 5.5o28 59 5.5o36 59 5.5o43 57 5.5o50 54 5|" +
    "d/1 M15 51l2 6M23 52l1 8M41 52l-1 8M49 51l-2 6M32 53v9",
  armour:
    "m M6 64c0-10 7-15 15-16l11 6 11-6c8 1 15 6 15 16z|d M32 54l11-6c8 1 15 6 15 16H32z|" +
    "k/1 M15 64q0-6 3-9M49 64q0-6-3-9|m M21 45h22l2 6q-13 8-26 0z|d M32 45h11l2 6q-6 4-13 4z",
};

/** Eyes, brows and mouth. */
const TEMPERS: Record<Temper, string> = {
  patient: "=k/1.8 M23.3 31.5q2.7 2.8 5.4 0|=h/1.8 M22.5 27.5q3.2-1.6 6.4 0|k/1.7 M28 41q4 2.8 8 0",
  merry:
    "=k/2 M23.3 32.5q2.7-4 5.4 0|=h/1.8 M22.5 27q3.5-2.6 6.5-.5|#7a2233 M26 39.5h12q-.7 6-6 6t-6-6z|" +
    "w M26.5 39.5h11l-.6 2q-5 .8-9.8 0z",
  hasty: "w o26 32 3.3o38 32 3.3|k o27 32 1.8o39 32 1.8|=h/1.8 M22 26.5q3.5-2.6 6.8-1|#7a2233 o32 42.3 2.2",
  grim: "=k o26.3 32.3 1.9|=h/2.6 M22 27.3l7.2 2.9|k/1.8 M28 42.6q4-2.8 8 0",
  sly:
    "=w M22.5 32h7q-.5 3.2-3.5 3.2t-3.5-3.2z|k o27 32.7 1.8o38 32.7 1.8|=k/1.5 M22 31.8h7.6|" +
    "h/2 M22.3 28.5l6.5.7M35.5 27q3.2-2.6 6.3-.2|k/1.8 M28 41.5q5.5 1.5 8.5-2.2",
  proud:
    "=k o26 32.3 1.9|=k/1.6 M22.5 31.6q3-3 6.8-.2|=h/1.9 M22 27.5q3.5-3.4 7.2-1.4|" +
    "#a8384c M28 41.2q2-1.8 4-.7q2-1.1 4 .7q-4 3.6-8 0z",
};

type Drawing = [skin: string, shade: string, hair: string, clothes: string, shapes: string];
/** By the id of the character. */
export type Drawings = Record<string, Drawing>;

/** Each level has a file of its own, loaded with the first of its characters: a table shows few of them. */
const LOADERS: Record<Level, () => Promise<{ DRAWINGS: Drawings }>> = {
  beginner: () => import("./drawings/beginner"),
  easy: () => import("./drawings/easy"),
  medium: () => import("./drawings/medium"),
  hard: () => import("./drawings/hard"),
  expert: () => import("./drawings/expert"),
  master: () => import("./drawings/master"),
};

/** The shapes of a character's face, from back to front. */
export async function faceOf({ id, level, temper }: Character): Promise<Shape[]> {
  const { DRAWINGS } = await LOADERS[level]();
  const [s, S, h, r, shapes] = DRAWINGS[id] as Drawing;
  const parts: Record<string, string> = { ...PARTS, face: TEMPERS[temper] };
  const texts = shapes.split("|").flatMap((one) => (parts[one] ?? one).split("|"));
  return texts.flatMap((text) => parseShape(text, { ...PAINTS, s, S, h, r } as Palette));
}
