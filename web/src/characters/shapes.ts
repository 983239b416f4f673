/** Pictures as short texts: one shape is `[side]paint[/width] path`, in a square of 64 by 64.
 *
 * - side: nothing, `=` for the shape and its mirror image, `>` for the mirror image alone.
 * - paint: a letter of the palette, or a colour such as `#d33`.
 * - width: the shape is a line of this width; without it, it is filled.
 * - path: an SVG path, where `oX Y R` is a whole circle. */

export interface Shape {
  path: string;
  paint: string;
  /** 0 where the shape is filled. */
  width: number;
  mirrored: boolean;
}

export type Palette = Record<string, string>;

const circle = (_: string, x: string, y: string, r: string) =>
  `M${Number(x) - Number(r)} ${y}a${r} ${r} 0 1 0 ${2 * Number(r)} 0a${r} ${r} 0 1 0-${2 * Number(r)} 0z`;

export function parseShape(text: string, palette: Palette): Shape[] {
  const [, side, paint = "", width = 0, path = ""] = /^([=>]?)([^/ ]+)(?:\/(\S+))? (.*)$/.exec(text) ?? [];
  const shape = {
    path: path.replace(/o(\S+) (\S+) ([\d.]+)/g, circle),
    paint: palette[paint] ?? paint,
    width: Number(width),
  };
  const mirrored = side === "=" ? [false, true] : [side === ">"];
  return mirrored.map((one) => ({ ...shape, mirrored: one }));
}
