/** The story of a game in a few lines, from the points that each round brought. */
import type { View } from "../wire";
import type { Say } from "../words.svelte";

/** The points of a seat round by round: the difference between the last views of two rounds. */
export interface RoundScore {
  round: number;
  scores: (number | null)[];
}

/** Note the points at the end of each round, and at the end of the game. Rounds of a game before are forgotten. */
export function roundScores(rounds: RoundScore[], before: View | null, after: View): RoundScore[] {
  if (!before) return rounds;
  const earlier = rounds.filter((one) => one.round < before.round);
  if (before.round === after.round && !after.over) return earlier;
  return [...earlier, { round: before.round, scores: after.scores }];
}

/** The points of all rounds, from the positions of a whole game: for a page that did not see them being played. */
export function scoresOf(views: View[]): RoundScore[] {
  return views.reduce<RoundScore[]>((rounds, after, i) => roundScores(rounds, views[i - 1] ?? null, after), []);
}

export function story(rounds: RoundScore[], view: View, seat: number | null, names: string[], say: Say): string[] {
  const lines: string[] = [];
  const gains = rounds.map((one, i) => ({
    round: one.round,
    gained: names.map((_, who) => (one.scores[who] ?? 0) - (rounds[i - 1]?.scores[who] ?? 0)),
  }));
  if (seat !== null && gains.length > 1) {
    const best = gains.reduce((most, one) => ((one.gained[seat] ?? 0) > (most.gained[seat] ?? 0) ? one : most));
    const total = view.scores[seat] ?? 0;
    const part = best.gained[seat] ?? 0;
    if (part > 0 && part === total) lines.push(say("story.all", { n: total, round: best.round }));
    else if (total > 0 && part > 0) lines.push(say("story.own", { part, n: total, round: best.round }));
  }
  const all = gains.flatMap((one) => one.gained.map((gain, who) => ({ round: one.round, who, gain })));
  // Where points are secret until the end, nobody saw which round brought them.
  const seen = (who: number): boolean => rounds.every((one) => one.scores[who] != null);
  const swing = all.filter(({ who }) => who !== seat && seen(who)).sort((a, b) => b.gain - a.gain)[0];
  if (swing && swing.gain > 0 && gains.length > 1) {
    lines.push(say("story.other", { name: names[swing.who] ?? "", n: swing.gain, round: swing.round }));
  }
  if (view.winners.length === 1 && names.length > 1) {
    const winner = view.winners[0] ?? 0;
    const gapTo = (who: number) => Math.abs((view.scores[who] ?? 0) - (view.scores[winner] ?? 0));
    const next = names.map((_, who) => who).filter((who) => who !== winner).reduce((near, who) => (gapTo(who) < gapTo(near) ? who : near));
    const facts = { n: gapTo(next), next: names[next] ?? "" };
    if (facts.n > 0) lines.push(winner === seat ? say("story.close_own", facts) : say("story.close", { ...facts, winner: names[winner] ?? "" }));
  }
  return lines;
}
