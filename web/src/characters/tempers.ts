/** A temper shows in gestures: how the face of a bot takes what happens at the table. It says nothing about the
 * cards, and bots know nothing of it. */
import type { Character, Temper } from "./characters";
import { hash } from "./hash";

/** How something is for a seat. */
export type Mood = "glad" | "sorry" | "amused";

/** What a face does: the names of the animations in SeatBadge.svelte. */
export const GESTURES = ["hop", "nod", "shake", "droop", "swell", "lean", "turn", "shiver"] as const;
export type FaceGesture = (typeof GESTURES)[number];

const TEMPERS: Record<Temper, Record<Mood, FaceGesture[]>> = {
  merry: { glad: ["hop", "lean"], sorry: ["shake"], amused: ["hop", "shiver"] },
  patient: { glad: ["nod"], sorry: ["nod"], amused: [] },
  hasty: { glad: ["shiver", "hop"], sorry: ["shake", "shiver"], amused: ["hop"] },
  grim: { glad: ["nod"], sorry: ["droop"], amused: [] },
  sly: { glad: ["lean"], sorry: ["turn"], amused: ["lean"] },
  proud: { glad: ["swell"], sorry: ["turn"], amused: ["swell"] },
};

/** How a character takes something; null where it keeps still. `event` tells one time from the next. */
export function gestureOf({ id, temper }: Character, mood: Mood, event: number): FaceGesture | null {
  const ways = TEMPERS[temper][mood];
  return ways[hash(`${id} ${mood} ${event}`) % (ways.length || 1)] ?? null;
}

/** How a moment is for a seat: the one who made it has the good or the bad of it, and the others look on. */
export function moodOf(tone: "bad" | "good" | "wonder", isMover: boolean): Mood {
  if (isMover) return tone === "bad" ? "sorry" : "glad";
  return tone === "bad" ? "amused" : "sorry";
}
