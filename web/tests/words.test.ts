/** Every sentence in every language, and no letters in components. */
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { parse } from "svelte/compiler";
import { expect, test } from "vitest";
import { LANGUAGES, listed, type Sentence, type Words } from "../src/words.svelte";

const shell = import.meta.glob<Words>("../src/words/*.json", { import: "default", eager: true });
const reviews = import.meta.glob<Words>("../src/review/words/*.json", { import: "default", eager: true });
const boards = import.meta.glob<Words>("../../src/theriac/games/*/board/words/*.json", {
  import: "default",
  eager: true,
});
const tutorials = import.meta.glob<Words>("../../src/theriac/games/*/tutorial/words/*.json", {
  import: "default",
  eager: true,
});
const toPath = (path: string) => decodeURIComponent(new URL(path, import.meta.url).pathname);
const components = [
  ...Object.keys(import.meta.glob("../src/**/*.svelte")),
  ...Object.keys(import.meta.glob("../../src/theriac/games/*/board/**/*.svelte")),
].map(toPath);
const scripts = [
  ...Object.keys(import.meta.glob("../src/**/*.ts")),
  ...Object.keys(import.meta.glob("../../src/theriac/games/*/board/*.ts")),
].filter((path) => !path.endsWith(".test.ts")).map(toPath);
const games = Object.keys(import.meta.glob("../../src/theriac/games/*/board/*.game.ts"));
const covers = Object.keys(import.meta.glob("../../src/theriac/games/*/board/*.cover.svelte"));

/** The words of one place, by language. */
function places(): Map<string, Record<string, Words>> {
  const found = new Map<string, Record<string, Words>>();
  for (const [path, words] of Object.entries({ ...shell, ...reviews, ...boards, ...tutorials })) {
    const place = dirname(path);
    found.set(place, { ...found.get(place), [basename(path, ".json")]: words });
  }
  return found;
}

const facts = (sentence: Sentence): Set<string> => {
  const forms = typeof sentence === "string" ? [sentence] : Object.values(sentence);
  return new Set(forms.flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "")));
};

for (const [place, languages] of places()) {
  test(`${place}: the same sentences in every language, with the same facts`, () => {
    expect(Object.keys(languages).sort()).toEqual([...LANGUAGES].sort());
    const english = languages["en"] as Words;
    for (const language of LANGUAGES) {
      const words = languages[language] as Words;
      expect(Object.keys(words).sort(), language).toEqual(Object.keys(english).sort());
      for (const [key, sentence] of Object.entries(words)) {
        expect(facts(sentence), `${language} ${key}`).toEqual(facts(english[key] as Sentence));
        if (typeof sentence === "string") expect(sentence.trim(), `${language} ${key}`).not.toBe("");
        else {
          const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
          expect(Object.keys(sentence).sort(), `${language} ${key}`).toEqual([...forms].sort());
        }
      }
    }
  });
}

const forms = (words: Words): [string, string][] =>
  Object.entries(words).flatMap(([key, sentence]) =>
    (typeof sentence === "string" ? [sentence] : Object.values(sentence)).map((form): [string, string] => [key, form]));

/** What no sentence of a language has, and why. */
const UNWANTED: Record<string, [RegExp, string][]> = {
  all: [[/\p{L}'|'\p{L}/u, "write the apostrophe ’"]],
  fr: [
    [/ [:;?!»]|« /u, "write a no-break space beside : ; ? ! « »"],
    [/\u00a0[;?!]|[\u00a0\u202f]{2}/u, "write one narrow no-break space before ; ? !"],
  ],
  pt: [
    [/(?<!\p{L})(ecrã|ficheiro|ligaç(ão|ões)|telemóve(l|is)|equipas?|partilhar|utilizador(es)?|registo|connosco)(?!\p{L})/iu, "use the Brazilian word"],
    [/(?<!\p{L})selad[oa]s?(?!\p{L})/iu, "a seal is a lacre: write lacrado"],
  ],
  ja: [
    [/[?!｡､]|卓/u, "write ？ ！ 。 、 and テーブル"],
    [/[？！。、：] /u, "write no space after 。 、 ： and a full-width one after ？ ！"],
  ],
};

for (const [place, languages] of places()) {
  test.each(LANGUAGES)(`${place}: %s as it is written and spoken`, (language) => {
    for (const [key, form] of forms(languages[language] as Words)) {
      for (const [unwanted, why] of [...(UNWANTED["all"] ?? []), ...(UNWANTED[language] ?? [])]) {
        expect(form, `${key}: ${why}`).not.toMatch(unwanted);
      }
    }
  });
}

test.each(Object.keys(tutorials))("%s names no coordinates", (path) => {
  for (const [key, form] of forms(tutorials[path] as Words)) expect(form, key).not.toMatch(/\d,-?\d/);
});

test.each(games)("%s: a cover, a title, a summary", (path) => {
  const name = basename(path, ".game.ts");
  expect(covers).toContain(`${dirname(path)}/${name}.cover.svelte`);
  const words = boards[`${dirname(path)}/words/en.json`] as Words;
  for (const key of ["title", "summary"]) {
    expect([`${name}.${key}`, key].some((one) => one in words), key).toBe(true);
  }
});

test.each(games)("%s: a sentence of one game replaces one that all games of its folder have", (path) => {
  const prefix = `${basename(path, ".game.ts")}.`;
  const words = boards[`${dirname(path)}/words/en.json`] as Words;
  const known = { ...(shell["../src/words/en.json"] as Words), ...words };
  for (const key of Object.keys(words).filter((one) => one.startsWith(prefix))) {
    expect(Object.keys(known)).toContain(key.slice(prefix.length));
  }
});

test("names are listed as each language does it", () => {
  const names = LANGUAGES.map((language) => listed(["Ana", "Bo"], language));
  expect(names).toEqual(["Ana and Bo", "Ana e Bo", "Ana et Bo", "Ana、Bo"]);
});

interface Node {
  type?: string;
  data?: string;
  name?: string;
  value?: unknown;
  [key: string]: unknown;
}

const SPOKEN = new Set(["aria-label", "title", "alt", "placeholder", "aria-valuetext", "aria-description"]);
const LETTERS = /\p{L}/u;

/** Texts with letters that stand in a component itself. */
function written(source: string): string[] {
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look);
    if (typeof node !== "object" || node === null) return;
    const one = node as Node;
    if (one.type === "Text" && LETTERS.test(one.data ?? "")) found.push(one.data ?? "");
    if (one.type === "StyleDirective") return;
    if (one.type === "Attribute" && !SPOKEN.has(one.name ?? "")) return;
    for (const [key, value] of Object.entries(one)) if (key !== "parent") look(value);
  };
  look(parse(source, { modern: true }).fragment);
  return found.map((text) => text.trim());
}

test.each(components)("%s has no sentence of its own", (path) => {
  expect(written(readFileSync(path, "utf8"))).toEqual([]);
});

test.each(components)("%s has no inline style, which the server's policy forbids", (path) => {
  expect(readFileSync(path, "utf8")).not.toMatch(/\sstyle=/);
});

test("every key that the code names is a sentence", () => {
  const english = shell["../src/words/en.json"] as Words;
  for (const path of [...components, ...scripts]) {
    const folder = path.includes("/board/") ? Object.entries(boards).find(([place]) =>
      place.endsWith("en.json") && path.includes(dirname(dirname(place)).slice(6))) : undefined;
    const ofReviews = path.includes("/src/review/") ? reviews["../src/review/words/en.json"] : undefined;
    const known = Object.keys({ ...english, ...folder?.[1], ...ofReviews });
    const source = readFileSync(path, "utf8");
    for (const [, key = ""] of source.matchAll(/\bsay\w*\(\s*"([^"]+)"/gi)) {
      if (["summary", "deck.help"].includes(key)) continue; // a board's
      expect(known, `${path} says ${key}`).toContain(key);
    }
    for (const [, prefix = ""] of source.matchAll(/\bsay\w*\(\s*`([\w.]+\.)\$\{/gi)) {
      if (["key.", "refused."].includes(prefix)) continue; // a board's
      expect(known.some((key) => key.startsWith(prefix)), `${path} says ${prefix}…`).toBe(true);
    }
  }
});
