/** Finds what each game brings to the page: its board, cover and words.
 *
 * The boards in the folders of this project (src/theriac/games/FOLDER/board/NAME.game.ts) are compiled with
 * the page. An installed package has its board as a module, which the server sends. A game without either
 * is shown in words.
 */
import type { Component } from "svelte";
import * as api from "./api";
import type { Board } from "./board";
import type { GameInfo } from "./wire";
import { hasSentence, sayWith, type Language, type Words } from "./words.svelte";

type Loader<T> = () => Promise<T>;

const boards = import.meta.glob<Board>("../../src/theriac/games/*/board/*.game.ts", {
  import: "default",
});
const covers = import.meta.glob<Component>("../../src/theriac/games/*/board/*.cover.svelte", {
  import: "default",
});
const words = import.meta.glob<Words>("../../src/theriac/games/*/board/words/*.json", {
  import: "default",
});
const tutorialWords = import.meta.glob<Words>("../../src/theriac/games/*/tutorial/words/*.json", {
  import: "default",
});

function find<T>(files: Record<string, Loader<T>>, ending: string): [string, Loader<T>] | null {
  return Object.entries(files).find(([path]) => path.endsWith(ending)) ?? null;
}

/** The folder of a compiled board; null where the page has none for this game. */
function folderOf(game: string): string | null {
  const found = find(boards, `/board/${game}.game.ts`);
  return found && found[0].slice(0, found[0].lastIndexOf("/board/"));
}

let games: Promise<GameInfo[]> | null = null;

/** What the server says about a game, asked for once; null if it does not know it or cannot be reached. */
export async function gameInfo(game: string): Promise<GameInfo | null> {
  games ??= api.games();
  try {
    return (await games).find((one) => one.name === game) ?? null;
  } catch (error) {
    games = null;
    if (error instanceof api.ApiError) return null;
    throw error;
  }
}

export async function loadBoard(game: string): Promise<Board> {
  const found = find(boards, `/board/${game}.game.ts`);
  if (found) return found[1]();
  const [{ loadModule, plainBoard }, info] = await Promise.all([import("./boardModule"), gameInfo(game)]);
  return info?.files.module ? loadModule(info, info.files.module) : plainBoard(info);
}

/** The sentences of a game's board; at least its title and summary. */
export async function loadWords(game: string, language: Language): Promise<Words> {
  const folder = folderOf(game);
  if (folder !== null) return compiledWords(words, `${folder}/board/words`, language);
  const info = await gameInfo(game);
  const { title, summary, files } = info ?? { title: game, summary: "", files: { words: {} } };
  return { title, summary, ...(await sentWords(files.words, language)) };
}

/** What the games are called in a language, by their names. */
export async function gameTitles(games: readonly GameInfo[], language: Language): Promise<Record<string, string>> {
  const titles = games.map(async ({ name, title }) => {
    const own = await loadWords(name, language);
    return [name, hasSentence(own, name, "title") ? sayWith(own, name)("title") : title] as const;
  });
  return Object.fromEntries(await Promise.all(titles));
}

/** The sentences of a game's tutorial. Games that share a folder share them. */
export async function loadTutorialWords(game: string, language: Language): Promise<Words> {
  const folder = folderOf(game);
  if (folder !== null) return compiledWords(tutorialWords, `${folder}/tutorial/words`, language);
  return sentWords((await gameInfo(game))?.files.tutorial_words ?? {}, language);
}

export async function loadCover(game: string): Promise<Component | null> {
  const found = find(covers, `/board/${game}.cover.svelte`);
  return found && (await found[1]());
}

/** The words of a language, or English where there are none. */
async function compiledWords(files: Record<string, Loader<Words>>, folder: string, language: Language): Promise<Words> {
  const load = files[`${folder}/${language}.json`] ?? files[`${folder}/en.json`];
  return load ? load() : {};
}

/** The words of a language that the server sends, and English for what is missing in it. */
async function sentWords(addresses: Record<string, string>, language: Language): Promise<Words> {
  const wanted = [...new Set(["en", language])].flatMap((one) => addresses[one] ?? []);
  const read = await Promise.all(wanted.map((address) => api.words(address)));
  return Object.assign({}, ...read) as Words;
}
