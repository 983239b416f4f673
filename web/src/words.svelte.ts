/** The languages of the page. Sentences stand in words/*.json and in each board's words/*.json. */
import en from "./words/en.json";

export const LANGUAGES = ["en", "pt", "fr", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
/** What a language calls itself. */
export const OWN_NAMES: Record<Language, string> = {
  en: "English",
  pt: "Português",
  fr: "Français",
  ja: "日本語",
};

/** A sentence, or one for each plural form that the language has (chosen by `n`). */
export type Sentence = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Words = Record<string, Sentence>;
export type Facts = Record<string, string | number>;
/** The sentence of a key, with facts filled in where it has {names}. */
export type Say = (key: string, facts?: Facts) => string;

const others = import.meta.glob<Words>("./words/*.json", { import: "default" });
const KEPT = "theriac.language";

let language = $state<Language>("en");
let words = $state.raw<Words>(en);

export function currentLanguage(): Language {
  return language;
}

/** Fill a sentence in. A missing one is its key: the tests find those. */
export function fill(words: Words, key: string, facts: Facts, tongue: Language): string {
  const found = words[key];
  if (found === undefined) return key;
  let sentence: string;
  if (typeof found === "string") sentence = found;
  else {
    const form = new Intl.PluralRules(tongue).select(Number(facts["n"] ?? 0));
    sentence = found[form] ?? found.other ?? key;
  }
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
}

/** A sentence of the shell. */
export const say: Say = (key, facts = {}) => fill(words, key, facts, language);

/** Sentences of a board: its own first, then the shell's. Where games share a folder and its words, a
 * game's own sentence stands under NAME.KEY. */
export function sayWith(own: Words, game: string): Say {
  return (key, facts = {}) => {
    if (`${game}.${key}` in own) return fill(own, `${game}.${key}`, facts, language);
    return key in own ? fill(own, key, facts, language) : say(key, facts);
  };
}

/** Has the board a sentence of its own for this key? */
export function known(own: Words, game: string, key: string): boolean {
  return `${game}.${key}` in own || key in own;
}

export async function speak(wanted: Language): Promise<void> {
  const load = others[`./words/${wanted}.json`];
  words = wanted === "en" || !load ? en : await load();
  language = wanted;
  document.documentElement.lang = wanted;
  localStorage.setItem(KEPT, wanted);
}

/** The language chosen before, or the first of the browser's that the page has. */
export function preferred(): Language {
  const known = (tag: string | null) => LANGUAGES.find((one) => one === tag?.slice(0, 2).toLowerCase());
  const kept = known(localStorage.getItem(KEPT));
  if (kept) return kept;
  for (const tag of navigator.languages) {
    const found = known(tag);
    if (found) return found;
  }
  return "en";
}
