/** The languages of the page. The sentences are in words/*.json and in each board's words/*.json. */
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

/** A sentence, or one for each plural form of the language (chosen by `n`). */
export type Sentence = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Words = Record<string, Sentence>;
export type Facts = Record<string, string | number>;
/** The sentence of a key, with its {placeholders} replaced by facts. */
export type Say = (key: string, facts?: Facts) => string;

const others = import.meta.glob<Words>("./words/*.json", { import: "default" });
const STORAGE_KEY = "theriac.language";

let language = $state<Language>("en");
let words = $state.raw<Words>(en);

export function currentLanguage(): Language {
  return language;
}

/** Replace the placeholders of a sentence. A missing sentence is shown as its key: tests find those. */
export function format(words: Words, key: string, facts: Facts, language: Language): string {
  const found = words[key];
  if (found === undefined) return key;
  let sentence: string;
  if (typeof found === "string") sentence = found;
  else {
    const form = new Intl.PluralRules(language).select(Number(facts["n"] ?? 0));
    sentence = found[form] ?? found.other ?? key;
  }
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
}

/** Names in a row, as the language lists them: "Ana, Bo, and Cy". */
export function listed(names: string[], wanted: Language = language): string {
  return new Intl.ListFormat(wanted).format(names);
}

/** A sentence of the shell. */
export const say: Say = (key, facts = {}) => format(words, key, facts, language);

/** Sentences of a board: its own first, then the shell's. Where games share a folder and its words,
 * NAME.KEY is the sentence of one game. */
export function sayWith(own: Words, game: string): Say {
  return (key, facts = {}) => {
    if (`${game}.${key}` in own) return format(own, `${game}.${key}`, facts, language);
    return key in own ? format(own, key, facts, language) : say(key, facts);
  };
}

/** Does the board have its own sentence for this key? */
export function hasSentence(own: Words, game: string, key: string): boolean {
  return `${game}.${key}` in own || key in own;
}

export async function setLanguage(wanted: Language): Promise<void> {
  const load = others[`./words/${wanted}.json`];
  words = wanted === "en" || !load ? en : await load();
  language = wanted;
  document.documentElement.lang = wanted;
  localStorage.setItem(STORAGE_KEY, wanted);
}

/** The language chosen before, or the first of the browser's languages that the page has. */
export function preferredLanguage(): Language {
  const tags = [localStorage.getItem(STORAGE_KEY), ...navigator.languages];
  const codes = tags.map((tag) => tag?.slice(0, 2).toLowerCase());
  return codes.flatMap((code) => LANGUAGES.find((language) => language === code) ?? [])[0] ?? "en";
}
