/** The server's HTTP interface. */
import type {
  DeckCards,
  DeckCheck,
  DeckContents,
  ErrorBody,
  FinishedGame,
  GameInfo,
  GameRecord,
  History,
  NewTable,
  Nickname,
  PlayerKey,
  Preview,
  Previews,
  Replay,
  Reply,
  ReviewProgress,
  TableOpened,
  TableSummary,
  TutorialPreviews,
  TutorialScript,
  TutorialVerdict,
} from "./wire";
import type { Words } from "./words.svelte";

/** The server refused a request, or could not be reached (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    why: string,
    readonly clause: string | null = null,
  ) {
    super(why);
  }
}

async function request(path: string, key: string | null, method = "GET", body?: unknown): Promise<Response> {
  const headers: Record<string, string> = {};
  if (key) headers["Authorization"] = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    response = await fetch(path, init);
  } catch {
    throw new ApiError(0, "the server cannot be reached");
  }
  if (response.ok) return response;
  const error = (await response.json().catch(() => ({}))) as Partial<ErrorBody>;
  throw new ApiError(response.status, error.why ?? response.statusText, error.clause ?? null);
}

const json = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>;
const get = <T>(path: string, key: string | null = null) => json<T>(request(path, key));
const post = <T>(path: string, body: unknown, key: string | null = null) =>
  json<T>(request(path, key, "POST", body));

const gamePath = (game: string) => `/api/games/${encodeURIComponent(game)}`;
const tablePath = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

export const games = () => get<GameInfo[]>("/api/games");
export const rules = async (game: string, language: string) =>
  (await request(`${gamePath(game)}/rules?language=${language}`, null)).text();

/** A file of sentences; none where it cannot be read. */
export async function words(address: string): Promise<Words> {
  try {
    return await get<Words>(address);
  } catch (error) {
    console.error(`${address}: ${String(error)}`);
    return {};
  }
}

export const tutorial = (game: string) => get<TutorialScript>(`${gamePath(game)}/tutorial`);
export const tryTutorialMove = (game: string, step: number, move: string) =>
  post<TutorialVerdict>(`${gamePath(game)}/tutorial/try`, { step, move });
export const tutorialPreviews = (game: string, step: number, moves: string[]) =>
  post<TutorialPreviews>(`${gamePath(game)}/tutorial/preview`, { step, moves });

export const deck = (game: string) => get<DeckContents>(`${gamePath(game)}/deck`);
export const checkDeck = (game: string, deck: DeckCards) => post<DeckCheck>(`${gamePath(game)}/deck/check`, deck);
export const readDeckFile = (game: string, text: string) =>
  post<DeckCheck>(`${gamePath(game)}/deck`, { deck: text });

export const newPlayer = (name: string) => post<PlayerKey>("/api/players", { name });
export const rename = (key: string, name: string) => json<Nickname>(request("/api/me", key, "PUT", { name }));

export const ownTables = (key: string) => get<TableSummary[]>("/api/me/tables", key);
/** The finished games of the player, newest first; of one game, or of all (""). */
export const ownGames = (key: string, skip: number, game: string) =>
  get<FinishedGame[]>(`/api/me/games?skip=${skip}${game ? `&game=${encodeURIComponent(game)}` : ""}`, key);
/** The most tables in a page of the lobby. */
export const LOBBY_PAGE = 50;
export const lobby = (skip: number) => get<TableSummary[]>(`/api/tables?skip=${skip}`);
export const open = (key: string, table: NewTable) => post<TableOpened>("/api/tables", table, key);
/** Close a table for good; only the player who opened it may. */
export const close = (key: string, table: string) => post<Reply>(tablePath(table), { do: "close", id: `close-${Date.now()}` }, key);
export const events = (key: string | null, table: string, after: number) =>
  get<History>(`${tablePath(table)}/events?after=${after}`, key);
/** The events of the last game, with the positions that they led to. */
export const positions = (key: string | null, table: string, after: number) =>
  get<History>(`${tablePath(table)}/events?after=${after}&views=true`, key);
export const previews = (key: string, table: string, moves: string[]) =>
  post<Previews>(`${tablePath(table)}/preview`, { moves }, key);

export const record = (table: string, number: number) => get<GameRecord>(`${tablePath(table)}/games/${number}`);
export const replay = (table: string, number: number, seat: number | null) =>
  get<Replay>(`${tablePath(table)}/games/${number}/replay${seat === null ? "" : `?seat=${seat}`}`);
export const replayRecord = (record: GameRecord, seat: number | null) =>
  post<Replay>("/api/replay", { record, seat });

/** Ask for the review of a finished game; then follow it, step by step. */
export const beginReview = (key: string, table: string, number: number) =>
  post<ReviewProgress>(`${tablePath(table)}/games/${number}/review`, {}, key);
export const review = (table: string, number: number, after: number) =>
  get<ReviewProgress>(`${tablePath(table)}/games/${number}/review?after=${after}`);
export const beginRecordReview = (key: string, record: GameRecord) => post<ReviewProgress>("/api/review", { record }, key);
export const recordReview = (id: string, after: number) =>
  get<ReviewProgress>(`/api/reviews/${encodeURIComponent(id)}?after=${after}`);

/** The previews, or none where the server refuses (too many requests) or cannot be reached. */
export async function orEmpty(answer: Promise<TutorialPreviews>): Promise<Record<string, Preview>> {
  try {
    return (await answer).previews;
  } catch (error) {
    if (error instanceof ApiError) return {};
    throw error;
  }
}

/** Replace the key by a new one. */
export const renewKey = (key: string) => post<PlayerKey>("/api/me/key", {}, key);
/** Everything that the server stores about the player. */
export const exportMe = async (key: string) => (await request("/api/me/export", key)).blob();
export const deleteMe = (key: string) => request("/api/me", key, "DELETE", {});
/** Report something to the operator of the server. */
export const report = (key: string, table: string, why: string, seat: number | null) =>
  request(`${tablePath(table)}/report`, key, "POST", { why, ...(seat !== null && { seat }) });
