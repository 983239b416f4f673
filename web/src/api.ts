/** The server's HTTP interface. */
import type {
  DeckCards,
  DeckCheck,
  DeckContents,
  ErrorBody,
  GameInfo,
  GameRecord,
  NewTable,
  Nickname,
  PlayerKey,
  Preview,
  Previews,
  Replay,
  TableOpened,
  TableSummary,
  TutorialPreviews,
  TutorialScript,
  TutorialVerdict,
} from "./wire";

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
export const lobby = () => get<TableSummary[]>("/api/tables");
export const open = (key: string, table: NewTable) => post<TableOpened>("/api/tables", table, key);
export const previews = (key: string, table: string, moves: string[]) =>
  post<Previews>(`${tablePath(table)}/preview`, { moves }, key);

export const replay = (table: string, number: number, seat: number | null) =>
  get<Replay>(`${tablePath(table)}/games/${number}/replay${seat === null ? "" : `?seat=${seat}`}`);
export const replayRecord = (record: GameRecord, seat: number | null) =>
  post<Replay>("/api/replay", { record, seat });

/** The previews, or none where the server refuses (too many requests) or cannot be reached. */
export async function orEmpty(answer: Promise<TutorialPreviews>): Promise<Record<string, Preview>> {
  try {
    return (await answer).previews;
  } catch (error) {
    if (error instanceof ApiError) return {};
    throw error;
  }
}
