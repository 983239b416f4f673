"""What an arena has found, ready to be told: to a program, in the terminal, on a page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from theriac.arena.plan import Plan
from theriac.arena.sitting import Played
from theriac.arena.tally import Count, Estimate, Rating, counts, estimate_share, rate
from theriac.game import find


@dataclass(frozen=True)
class Line:
    """One bot: the games that count for it, what it won in them, and how it behaved in all."""

    name: str
    games: int
    wins: float
    mean_score: float
    share: Estimate
    fair: float | None
    forfeits: int
    median_seconds: float
    longest_seconds: float
    rating: Rating | None = None

    def told(self) -> dict[str, Any]:
        """For a program."""
        told: dict[str, Any] = {
            "name": self.name,
            "games": self.games,
            "wins": round(self.wins, 6),
            "mean_score": number(self.mean_score),
            "share": number(self.share.mean),
            "low": number(self.share.low),
            "high": number(self.share.high),
            "fair": number(self.fair),
            "forfeits": self.forfeits,
            "median_seconds": self.median_seconds,
            "longest_seconds": self.longest_seconds,
        }
        if self.rating:
            told["rating"] = number(self.rating.rating)
            told["rating_low"] = number(self.rating.low)
            told["rating_high"] = number(self.rating.high)
        return told


@dataclass(frozen=True)
class Results:
    """All of it: a line a bot, over all numbers of players and for each."""

    plan: Plan
    games: list[Played]
    counts: list[Count]
    lines: list[Line]
    by_players: dict[int, list[Line]]

    @property
    def together(self) -> bool:
        """Is it a game that all win or lose together?"""
        return find(self.plan.game).together

    def told(self) -> dict[str, Any]:
        """For a program."""
        return {
            "game": self.plan.game,
            "games": len(self.games),
            "deals": self.plan.deals,
            "seed": self.plan.seed,
            "limit": self.plan.limit,
            "bots": [line.told() for line in self.lines],
            "players": [
                {"players": players, "bots": [line.told() for line in lines]}
                for players, lines in self.by_players.items()
            ],
            "causes": {bot: dict(causes) for bot, causes in self.causes().items()},
            "reasons": [
                {"bot": bot, "reason": reason, "games": n} for bot, reason, n in self.reasons()
            ],
        }

    def reasons(self) -> list[tuple[str, str, int]]:
        """Why bots have forfeited, and how often."""
        found = Counter(pair for game in self.games for pair in game.forfeits.items())
        return [(bot, why, n) for (bot, why), n in sorted(found.items())]

    def causes(self) -> dict[str, Counter[str]]:
        """For each bot how often each cause has ended a lost game, where games have causes."""
        causes: dict[str, Counter[str]] = {bot: Counter() for bot in self.plan.bots}
        for game in self.games:
            if game.why and not sum(game.shares):
                causes[game.bots[0]][
                    game.why if game.bots[0] not in game.forfeits else "forfeit"
                ] += 1
        return causes if any(causes.values()) else {}


def find_results(plan: Plan, games: Sequence[Played]) -> Results:
    """Make numbers of the games."""
    together = find(plan.game).together
    counted = counts(games, together=together)
    ratings = {one.bot: one for one in rate(plan.bots, games, together=together)}
    rated = ratings if len(plan.bots) > 1 else {}
    lines = [_line(bot, games, counted, together, rated.get(bot)) for bot in plan.bots]
    by_players = {}
    for players in dict.fromkeys(setting.players for setting in plan.settings):
        some = [game for game in games if game.players == players]
        few = [count for count in counted if count.players == players]
        by_players[players] = [_line(bot, some, few, together) for bot in plan.bots]
    return Results(plan, list(games), counted, lines, by_players)


def _line(
    bot: str,
    games: Sequence[Played],
    counted: Sequence[Count],
    together: bool,
    rating: Rating | None = None,
) -> Line:
    mine = [count for count in counted if count.bot == bot]
    seats = [(game, seat) for game in games for seat, name in enumerate(game.bots) if name == bot]
    thought = sorted(game.median[seat] for game, seat in seats if game.moves[seat])
    return Line(
        name=bot,
        games=len(mine),
        wins=sum(count.share for count in mine),
        mean_score=sum(count.score for count in mine) / len(mine) if mine else math.nan,
        share=estimate_share((count.deal, count.share) for count in mine),
        fair=None if together or not mine else sum(1 / c.players for c in mine) / len(mine),
        forfeits=sum(bot in game.forfeits for game in games),
        median_seconds=thought[len(thought) // 2] if thought else 0.0,
        longest_seconds=max((game.longest[seat] for game, seat in seats), default=0.0),
        rating=rating,
    )


def number(value: float | None) -> float | None:
    """A number that JSON knows."""
    return None if value is None or math.isnan(value) else round(value, 6)
