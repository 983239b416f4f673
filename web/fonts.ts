/** Reduces the page's fonts to what it uses: the letters of its languages, the weights and the features. What a
 * font lacks, such as a nickname in another script, is shown in the system's own. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
// @ts-expect-error: the package has no types.
import subset from "subset-font";
import type { Plugin } from "vite";

/** Basic Latin, the accents of Western Europe, punctuation, arrows, the minus sign. */
const RANGES: [number, number][] = [
  [0x20, 0x7e], [0xa0, 0xff], [0x152, 0x153], [0x178, 0x178], [0x2010, 0x2026], [0x202f, 0x203a], [0x20ac, 0x20ac],
  [0x2190, 0x2193], [0x2212, 0x2212],
];
export const LETTERS = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)),
).join("");

/** Kerning, accents, and figures of equal width. */
const FEATURES = ["kern", "ccmp", "locl", "tnum", "lnum"];

/** Titles and numbers have one weight, text has what lies between regular and bold. */
const FONTS = {
  fraunces: { wght: 670 },
  inter: { wght: { min: 400, max: 700 } },
};

/** Writes the fonts that `app.css` names into `node_modules/.fonts/`. */
export function reducedFonts(): Plugin {
  return {
    name: "reduced-fonts",
    async buildStart() {
      const folder = new URL("node_modules/.fonts/", import.meta.url);
      await mkdir(folder, { recursive: true });
      for (const [name, variationAxes] of Object.entries(FONTS)) {
        const path = `node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`;
        const whole = await readFile(new URL(path, import.meta.url));
        const options = { targetFormat: "woff2", variationAxes, keepFeatures: FEATURES, noHinting: true };
        await writeFile(new URL(`${name}.woff2`, folder), await subset(whole, LETTERS, options) as Buffer);
      }
    },
  };
}
