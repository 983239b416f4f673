/** People get a colour and a heraldic sign, both from a hash of the name. */
import { hash } from "./hash";
import { parseShape, type Shape } from "./shapes";

export const COLOURS = ["#b5384a", "#c26a2a", "#a88420", "#4d8a3f", "#23807c", "#2f66b0", "#6a4bb0", "#a0458f"];

/** `f` is the field of the shield, `c` the sign. */
const SHIELD =
  "#0003 M13 12h38v22q0 14-19 21-19-7-19-21z|#fff5e0 M12 10h40v23q0 15-20 22-20-7-20-22z|" +
  "f M14.5 12.5h35V33q0 13-17.5 19.3Q14.5 46 14.5 33z|#ffffff20 M14.5 12.5H32v39.8Q14.5 46 14.5 33z";

export const SIGNS: Record<string, string> = {
  tower: "c M22 17h4v3h4v-3h4v3h4v-3h4v8l-3 2v15H25V27l-3-2z|f M29.5 42v-6a2.5 2.5 0 0 1 5 0v6zM30.8 27h2.4v5h-2.4z",
  crown: "c M20 37l-2-16 7.5 7L32 18l6.5 10 7.5-7-2 16zM20.5 39h23v3.5h-23z|f o32 33 1.8o26 34 1.2o38 34 1.2",
  star: "c M32 16l4.2 9.6 10.4 1-7.9 6.9 2.3 10.2-9-5.3-9 5.3 2.3-10.2-7.9-6.9 10.4-1z",
  moon: "c M38 16.5a14 14 0 1 0 6.5 20A12 12 0 0 1 38 16.5z|c o42 27 2.2",
  key: "c/3.6 o32 22 5.2|c M30.2 27h3.6v17h-3.6zM33 36h6v3h-6zM33 41h5v3h-5z",
  lily:
    "c M32 15q6 8 2.5 17h-5Q26 23 32 15zM24 34.5h16v3H24zM30 38h4l1 4-3 4-3-4z|" +
    "=c M28.5 33q-1.5-10-8-9-5 2-2.5 7 3-3 5 2z",
  sword: "c M30 15.5l2-2.5 2 2.5V34h-4zM23 34h18v3.2H23zM30.5 37h3v6h-3zo32 45 2.6",
  rose: "c o32 21.5 5.5o24.4 27 5.5o39.6 27 5.5o27.3 36 5.5o36.7 36 5.5|f o32 29.5 5|c o32 29.5 3",
  fish: "c M16.5 30q9-11 20-4.5L46 20q-2 10 0 20l-9.5-5.5Q25.5 41 16.5 30z|f o23.5 28.7 1.6|f/1.5 M30 25q3 5 0 10",
  sun:
    "c o32 30 7.5|" +
    "c/3 M32 14.5v5M32 40.5v5M16.5 30h5M42.5 30h5M21 19l3.6 3.6M39.4 37.4L43 41M43 19l-3.6 3.6M24.6 37.4L21 41",
  bell:
    "c M32 15a2.5 2.5 0 0 1 2 4c6 1.5 7 8 7 12l3.5 7h-25L23 31c0-4 1-10.5 7-12a2.5 2.5 0 0 1 2-4z|" +
    "c M28.5 39.5h7a3.5 3.5 0 0 1-7 0z",
  anchor:
    "c/2.8 o32 18.5 3|c M30.4 21.5h3.2V42h-3.2zM25 25h14v3H25z|c/3.2 M20.5 33q1 11 11.5 11t11.5-11|" +
    "=c M17.5 36l3.3-6.5 4.3 5z",
};

/** The colour and the sign of a person. */
export function signOf(name: string): { colour: string; sign: string } {
  const h = hash(name);
  const signs = Object.keys(SIGNS);
  return { colour: COLOURS[h % COLOURS.length] as string, sign: signs[(h >>> 8) % signs.length] as string };
}

/** The shapes of a person's picture, from back to front. */
export function shieldOf(name: string): Shape[] {
  const { colour, sign } = signOf(name);
  const palette = { f: colour, c: "#fff5e0" };
  return `${SHIELD}|${SIGNS[sign]}`.split("|").flatMap((text) => parseShape(text, palette));
}
