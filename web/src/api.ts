/** What is asked of the server without a line. */
import type {
  DeckChecked,
  DeckTold,
  GameRecord,
  GameReplayed,
  GameTold,
  Preview,
  TableTold,
  TableWish,
  Tried,
  Tutorial,
} from "./wire";

/** The server said no, and why; or it could not be reached (status 0). */
export class Wrong extends Error {
  constructor(
    readonly status: number,
    why: string,
    readonly clause: string | null = null,
  ) {
    super(why);
  }
}

async function ask(path: string, key: string | null, method = "GET", body?: unknown): Promise<Response> {
  const headers: Record<string, string> = {};
  if (key) headers["Authorization"] = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    answer = await fetch(path, init);
  } catch {
    throw new Wrong(0, "the server cannot be reached");
  }
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => ({}))) as { why?: string; clause?: string };
  throw new Wrong(answer.status, told.why ?? answer.statusText, told.clause ?? null);
}

const json = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>;
const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`;
const tutorialOf = (game: string) => `/api/games/${encodeURIComponent(game)}/tutorial`;

export const games = () => json<GameTold[]>(ask("/api/games", null));
export const rules = async (game: string, language: string) =>
  (await ask(`/api/games/${encodeURIComponent(game)}/rules?language=${language}`, null)).text();
export const tutorial = (game: string) => json<Tutorial>(ask(tutorialOf(game), null));
export const tryTutorial = (game: string, step: number, move: string) =>
  json<Tried>(ask(`${tutorialOf(game)}/try`, null, "POST", { step, move }));
export const tutorialPreviews = (game: string, step: number, moves: string[]) =>
  json<{ previews: Record<string, Preview> }>(ask(`${tutorialOf(game)}/preview`, null, "POST", { step, moves }));
const deckOf = (game: string) => `/api/games/${encodeURIComponent(game)}/deck`;
export const deck = (game: string) => json<DeckTold>(ask(deckOf(game), null));
export const checkDeck = (game: string, cards: Record<string, unknown>, marks: Record<string, string[]>) =>
  json<DeckChecked>(ask(`${deckOf(game)}/check`, null, "POST", { cards, marks }));
export const readDeck = (game: string, text: string) =>
  json<DeckChecked>(ask(deckOf(game), null, "POST", { deck: text }));
export const admit = (name: string) =>
  json<{ name: string; key: string }>(ask("/api/players", null, "POST", { name }));
export const rename = (key: string, name: string) =>
  json<{ name: string }>(ask("/api/me", key, "PUT", { name }));
export const ownTables = (key: string) => json<TableTold[]>(ask("/api/me/tables", key));
export const lobby = () => json<TableTold[]>(ask("/api/tables", null));
export const open = (key: string, wish: TableWish) =>
  json<{ table: string; path: string }>(ask("/api/tables", key, "POST", wish));
export const previews = (key: string, table: string, moves: string[]) =>
  json<{ previews: Record<string, Preview> }>(ask(`${at(table)}/preview`, key, "POST", { moves }));
export const replay = (table: string, number: number, seat: number | null) =>
  json<GameReplayed>(
    ask(`${at(table)}/games/${number}/replay${seat === null ? "" : `?seat=${seat}`}`, null),
  );
export const replayRecord = (record: GameRecord, seat: number | null) =>
  json<GameReplayed>(ask("/api/replay", null, "POST", { record, seat }));
