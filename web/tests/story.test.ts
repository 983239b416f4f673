import { expect, test } from "vitest";
import { roundScores, scoresOf, story, type RoundScore } from "../src/table/story";
import type { View } from "../src/wire";
import type { Say } from "../src/words.svelte";

const view = (round: number, scores: (number | null)[], over = false): View =>
  ({ round, scores, over, winners: over ? [0] : [] }) as unknown as View;
const say = ((key: string, facts: Record<string, unknown>) => [key, ...Object.values(facts)].join(" ")) as Say;

function play(views: View[], rounds: RoundScore[] = []): RoundScore[] {
  return views.reduce((found, after, i) => roundScores(found, views[i - 1] ?? null, after), rounds);
}

const game = [view(1, [0, 0]), view(2, [3, 1]), view(3, [4, 9]), view(3, [6, 14], true)];

test("a page that looks at the end of a game twice tells the same story", () => {
  const rounds = play(game);
  const again = roundScores(rounds, game[2] ?? null, game[3] as View);
  expect(again).toEqual(rounds);
  expect(story(again, game[3] as View, 1, ["Ana", "Bo"], say)).toEqual(["story.own 8 14 2", "story.other Ana 3 1", "story.close 8 Bo Ana"]);
});

test("a page that was opened at the end tells the story from the positions of the game", () => {
  expect(scoresOf(game)).toEqual(play(game));
});

test("the rounds of the game before are forgotten", () => {
  const next = play([game[3] as View, view(1, [0, 0]), view(1, [0, 0])], play(game));
  expect(next).toEqual([]);
});

test("points that were secret until the end are no part of the story", () => {
  const secret = [view(1, [null, 0]), view(2, [null, 5]), view(2, [30, 9], true)];
  expect(story(play(secret), secret[2] as View, 1, ["Ana", "Bo"], say)).toEqual(["story.own 5 9 1", "story.close 21 Bo Ana"]);
});

test("the one who came closest is named", () => {
  const end = view(1, [7, 2, 5], true);
  expect(story([], end, null, ["Ana", "Bo", "Cy"], say)).toEqual(["story.close 2 Cy Ana"]);
});

test("the winner reads you, not their own name", () => {
  const end = view(1, [7, 2, 5], true);
  expect(story([], end, 0, ["Ana", "Bo", "Cy"], say)).toEqual(["story.close_own 2 Cy"]);
});

test("all points from one round are called all points", () => {
  const once = [view(1, [0, 0]), view(2, [0, 4]), view(2, [9, 4], true)];
  expect(story(play(once), once[2] as View, 1, ["Ana", "Bo"], say)[0]).toBe("story.all 4 1");
});
