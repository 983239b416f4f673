/** The sentences of reviews: they are loaded with the page, not with every table. */
import type { Language, Words } from "../words.svelte";

const files = import.meta.glob<Words>("./words/*.json", { import: "default" });

export async function loadReviewWords(language: Language): Promise<Words> {
  return (await files[`./words/${language}.json`]?.()) ?? {};
}
