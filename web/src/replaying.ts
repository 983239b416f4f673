/** What the pages that look back at a game have in common: its positions, names and sentences. */
import type { Board } from "./board";
import type { Character } from "./characters/characters";
import { castOf } from "./characters/characters";
import { seatName } from "./seatName";
import type { RoundEnd } from "./table/playback.svelte";
import type { GameRecord, Replay, ReplayStep, TableInfo, View } from "./wire";
import type { Say } from "./words.svelte";

/** Move `sheet` and `recalled` into the view, where they are at a table. */
function withWholeView({ sheet, recalled, ...step }: ReplayStep): ReplayStep {
  return { ...step, view: { ...step.view, ...(sheet && { sheet }), ...(recalled && { recalled }) } };
}
export const wholeReplay = (found: Replay): Replay => ({ ...found, steps: found.steps.map(withWholeView) });

/** Who played the bots of a recorded game. */
export const castOfRecord = (record: GameRecord, table: string): (Character | null)[] =>
  castOf(table, (record.x_bots ?? []).map((bot, i) => ({ bot: record.x_names?.[i] ? null : bot })));

/** What to call each seat of a recorded game. */
export function namesOfRecord(record: GameRecord, cast: (Character | null)[], say: Say): string[] {
  return Array.from({ length: Number(record.options["players"] ?? 0) }, (_, i) => {
    const bot = record.x_bots?.[i] ?? null;
    const name = record.x_names?.[i] ?? "";
    if (name) return name;
    return bot ? seatName({ name, bot }, i, cast[i] ?? null, say) : say("replay.seat", { n: i + 1 });
  });
}

/** The table of a recorded game, as the stage needs it. */
export function tableOfRecord(record: GameRecord, table: string, names: string[]): TableInfo {
  return {
    table, game: record.game, options: record.options, stage: "over",
    seats: names.map((name, i) => ({ name, bot: record.x_bots?.[i] ?? null, stand_in: null, taken: true, ready: true })),
    commitment: "", clock: null, listed: false, delay: 0, adventure: false, hints: true, stand_in: "medium", games: 0, undo: null,
    ...(record.x_deal_of && { deal_of: record.x_deal_of }),
  };
}

/** What happened at each step. */
export function sentencesOf({ steps }: Replay, board: Board, names: string[], say: Say): string[] {
  return steps.map(({ move, seat: who, view: after }, i) => {
    if (move === undefined) return say("replay.start");
    if (who == null) return say("event.clock");
    const what = board.outcome({ move, before: steps[i - 1]?.view ?? null, after, names, seat: who }, say);
    return say("event.moved", { name: names[who] ?? "", what });
  });
}

/** The round that each move belongs to: the last one of a round leads to a view of the next. */
export const roundsOfMoves = (views: View[]): number[] => views.map((_, i) => views[Math.max(i - 1, 0)]?.round ?? 0);

/** The table as the last move of a round left it, before the next deal, and the views for the sheet. */
export interface RoundEndShown extends RoundEnd {
  view: View;
  hands: string[][] | null;
}

/** What the move that led to a step left, as a seat sees it, if it ended a round that has a sheet. */
export function roundEndAt(steps: ReplayStep[], at: number, board: Board, names: string[], viewer: number | null): RoundEndShown | null {
  const [step, previous] = [steps[at], steps[at - 1]];
  if (!step?.view.sheet || !previous || step.move === undefined) return null;
  const { view: before } = previous;
  const { move, view: after, seat = null } = step;
  if (before.round === after.round && (before.over || !after.over)) return null;
  const { card } = board.parts(move);
  return {
    before,
    after,
    view: board.steps?.({ move, seat, before, after, names, viewer }).at(-1) ?? before,
    hands: previous.hands?.map((cards, i) => (i === seat ? cards.filter((_, k) => k !== cards.indexOf(card ?? "")) : cards)) ?? null,
  };
}

/** The table after a step. A game ends with the table as its last move left it, not with one that was cleared. */
export function tableAt(steps: ReplayStep[], at: number, board: Board, names: string[], viewer: number | null): { view: View; hands: string[][] | null } | null {
  const step = steps[at];
  if (!step) return null;
  const left = step.view.over ? roundEndAt(steps, at, board, names, viewer) : null;
  if (!left) return { view: step.view, hands: step.hands ?? null };
  const { over, scores, winners } = step.view;
  return { view: { ...left.view, over, scores, winners }, hands: left.hands };
}

/** A file that the player chose; null where it is no record. */
export async function readRecord(file: File): Promise<GameRecord | null> {
  try {
    return JSON.parse(await file.text()) as GameRecord;
  } catch {
    return null;
  }
}

/** The record that was opened last, from page to page. */
let opened: GameRecord | null = null;
export const keepRecord = (record: GameRecord | null): void => void (opened = record);
export const keptRecord = (): GameRecord | null => opened;
