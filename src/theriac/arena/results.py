"""The results of an arena, computed from its games: for JSON, the terminal and the report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from theriac.arena.arena_game import GameResult
from theriac.arena.differences import Comparison, Difference, compare_all
from theriac.arena.ratings import Rating, rate_bots
from theriac.arena.reduction import FEWEST_DEALS, deal_means, games_saved, without_luck
from theriac.arena.schedule import Schedule
from theriac.arena.statistics import Estimate, Outcome, estimate_mean, estimate_share, outcomes
from theriac.game import find


@dataclass(frozen=True)
class BotResult:
    """One bot: its wins in the games that count for it, and its times and forfeits in all games."""

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
    #: The win share with luck taken out, and by what factor fewer games would do.
    reduced: Estimate | None = None
    saved: float | None = None

    def to_json(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = {
            "name": self.name,
            "games": self.games,
            "wins": round(self.wins, 6),
            "mean_score": json_number(self.mean_score),
            "share": json_number(self.share.mean),
            "low": json_number(self.share.low),
            "high": json_number(self.share.high),
            "fair": json_number(self.fair),
            "forfeits": self.forfeits,
            "median_seconds": self.median_seconds,
            "longest_seconds": self.longest_seconds,
        }
        if self.reduced:
            fields["reduced"] = json_estimate(self.reduced) | {"saved": json_number(self.saved)}
        if self.rating:
            fields["rating"] = json_number(self.rating.rating)
            fields["rating_low"] = json_number(self.rating.low)
            fields["rating_high"] = json_number(self.rating.high)
        return fields


@dataclass(frozen=True)
class ArenaResults:
    """The results of each bot, over all numbers of players and for each of them."""

    schedule: Schedule
    games: list[GameResult]
    outcomes: list[Outcome]
    bots: list[BotResult]
    by_players: dict[int, list[BotResult]]
    comparisons: list[Comparison]
    #: The bots as they were given, by their names in these results.
    specs: dict[str, str]

    @property
    def deals(self) -> int:
        """The number of deals with a result."""
        return len({game.key[1] for game in self.games})

    @property
    def luck_cost(self) -> float | None:
        """What it cost to measure luck, for each second that bots thought; None if it was not."""
        measured = [game for game in self.games if game.luck]
        thought = sum(sum(game.seconds) for game in measured)
        return (
            sum(game.luck.seconds for game in measured if game.luck) / thought if thought else None
        )

    @property
    def together(self) -> bool:
        """Is it a game that all win or lose together?"""
        return find(self.schedule.game).together

    def to_json(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {
            "game": self.schedule.game,
            "games": len(self.games),
            "deals": self.deals,
            "seed": self.schedule.seed,
            "limit": self.schedule.limit,
            "bots": [bot.to_json() for bot in self.bots],
            "players": [
                {"players": players, "bots": [bot.to_json() for bot in bots]}
                for players, bots in self.by_players.items()
            ],
            "differences": [_json_comparison(each) for each in self.comparisons],
            "luck_cost": json_number(self.luck_cost),
            "causes": {bot: dict(causes) for bot, causes in self.loss_causes().items()},
            "reasons": [
                {"bot": bot, "reason": reason, "games": count}
                for bot, reason, count in self.forfeit_reasons()
            ],
        }

    def forfeit_reasons(self) -> list[tuple[str, str, int]]:
        """Why bots have forfeited, and how often."""
        found = Counter(pair for game in self.games for pair in game.forfeits.items())
        return [(bot, reason, count) for (bot, reason), count in sorted(found.items())]

    def loss_causes(self) -> dict[str, Counter[str]]:
        """For each bot the clauses that ended its lost games; empty if the game names none."""
        causes: dict[str, Counter[str]] = {bot: Counter() for bot in self.schedule.bots}
        for game in self.games:
            if game.why and not sum(game.shares):
                bot = game.bots[0]
                causes[bot]["forfeit" if bot in game.forfeits else game.why] += 1
        return causes if any(causes.values()) else {}


def summarize(
    schedule: Schedule,
    games: Sequence[GameResult],
    *,
    names: Sequence[str] = (),
    watched: bool = False,
) -> ArenaResults:
    """Compute the results of an arena. `names` are names for its bots, in their order.

    `watched`: the run was to stop as soon as it was decided who is better.
    """
    specs = dict(zip(names or schedule.bots, schedule.bots, strict=True))
    schedule, games = with_names(schedule, games, {spec: name for name, spec in specs.items()})
    together = find(schedule.game).together
    counted = outcomes(games, together=together)
    ratings: dict[str, Rating] = {}
    if len(schedule.bots) > 1:
        rated = rate_bots(schedule.bots, games, together=together)
        ratings = {rating.bot: rating for rating in rated}
    bots = [_bot_result(bot, games, counted, together, ratings.get(bot)) for bot in schedule.bots]
    by_players = {}
    for players in dict.fromkeys(setup.players for setup in schedule.setups):
        some_games = [game for game in games if game.players == players]
        some = [outcome for outcome in counted if outcome.players == players]
        by_players[players] = [
            _bot_result(bot, some_games, some, together) for bot in schedule.bots
        ]
    comparisons = compare_all(schedule.bots, games, together=together, watched=watched)
    return ArenaResults(schedule, games, counted, bots, by_players, comparisons, specs)


def with_names(
    schedule: Schedule, games: Sequence[GameResult], names: Mapping[str, str]
) -> tuple[Schedule, list[GameResult]]:
    """The same schedule and results with other names for the bots."""

    def named(bots: Iterable[str]) -> tuple[str, ...]:
        return tuple(names[bot] for bot in bots)

    setups = [
        msgspec.structs.replace(setup, line_ups=[named(bots) for bots in setup.line_ups])
        for setup in schedule.setups
    ]
    renamed = [
        msgspec.structs.replace(
            game,
            bots=list(named(game.bots)),
            forfeits={names[bot]: reason for bot, reason in game.forfeits.items()},
        )
        for game in games
    ]
    return msgspec.structs.replace(schedule, bots=named(schedule.bots), setups=setups), renamed


def _bot_result(
    bot: str,
    games: Sequence[GameResult],
    counted: Sequence[Outcome],
    together: bool,
    rating: Rating | None = None,
) -> BotResult:
    own = [outcome for outcome in counted if outcome.bot == bot]
    seats = [(game, seat) for game in games for seat, name in enumerate(game.bots) if name == bot]
    reduced, saved = _reduce(own)
    medians = sorted(game.median[seat] for game, seat in seats if game.moves[seat])
    return BotResult(
        name=bot,
        games=len(own),
        wins=sum(outcome.share for outcome in own),
        mean_score=sum(outcome.score for outcome in own) / len(own) if own else math.nan,
        share=estimate_share((outcome.deal, outcome.share) for outcome in own),
        fair=None if together or not own else sum(1 / o.players for o in own) / len(own),
        forfeits=sum(bot in game.forfeits for game in games),
        median_seconds=medians[len(medians) // 2] if medians else 0.0,
        longest_seconds=max((game.longest[seat] for game, seat in seats), default=0.0),
        rating=rating,
        reduced=reduced,
        saved=saved,
    )


def _reduce(own: Sequence[Outcome]) -> tuple[Estimate | None, float | None]:
    """The win share with luck taken out, and by what factor fewer games would do."""
    rows = [(one.deal, one.share, one.luck) for one in own if one.luck]
    values, luck = deal_means(rows)
    if len(rows) < len(own) or len(values) < FEWEST_DEALS:
        return None, None
    reduced = without_luck(values, luck)
    found = estimate_mean(reduced.tolist())
    within = Estimate(found.mean, max(0.0, found.low), min(1.0, found.high))
    return within, games_saved(values, reduced)


def json_estimate(estimate: Estimate) -> dict[str, float | None]:
    """A mean and its interval."""
    return {
        "mean": json_number(estimate.mean),
        "low": json_number(estimate.low),
        "high": json_number(estimate.high),
    }


def _json_comparison(comparison: Comparison) -> dict[str, Any]:
    def of(difference: Difference) -> dict[str, Any]:
        return json_estimate(difference.mean) | {
            "deals": difference.deals,
            "p_value": json_number(difference.p_value),
            "decided": bool(difference.decided),
            "always_valid": difference.always_valid,
        }

    plain, reduced = comparison.plain, comparison.reduced
    found = {"bot": plain.bot, "other": plain.other, **of(plain)}
    if reduced:
        found["reduced"] = of(reduced) | {"saved": json_number(comparison.saved)}
    return found


def json_number(value: float | None) -> float | None:
    """A rounded number; None where JSON has no number for it."""
    return None if value is None or not math.isfinite(value) else round(float(value), 6)
