"""The results of a lab: for each variant of a game its length, choices, lead changes and seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from theriac.arena.arena_game import GameResult
from theriac.arena.results import json_estimate
from theriac.arena.schedule import Schedule, TableSetup
from theriac.arena.statistics import Estimate, estimate_mean, estimate_share
from theriac.arena.study import GameStudy
from theriac.game import find


@dataclass(frozen=True)
class Metric:
    """A number that each game has, with a title for people. It is None if the game lacks it."""

    title: str
    of: Callable[[GameResult, GameStudy], float | None]


METRICS = {
    "moves": Metric("moves per game", lambda game, study: study.moves),
    "rounds": Metric("rounds", lambda game, study: game.rounds),
    "choices": Metric(
        "decisions with a choice",
        lambda game, study: study.choices / study.moves if study.moves else None,
    ),
    "branching": Metric(
        "legal moves per decision",
        lambda game, study: study.legal / study.moves if study.moves else None,
    ),
    "lead_changes": Metric("lead changes", lambda game, study: study.lead_changes),
    "swing": Metric(
        "swing of a decision",
        lambda game, study: sum(study.swings) / len(study.swings) if study.swings else None,
    ),
    "score": Metric("score", lambda game, study: sum(game.scores) / game.players),
}


@dataclass(frozen=True)
class Variant:
    """One variant of the game: its setup, its games, and the metrics over them."""

    setup: TableSetup
    games: list[GameResult]
    means: dict[str, Estimate]
    seats: list[Estimate]
    won: Estimate | None
    why: Counter[str]

    def to_json(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {
            "label": self.setup.label,
            "players": self.setup.players,
            "games": len(self.games),
            "forfeits": sum(bool(game.forfeits) for game in self.games),
            **{name: json_estimate(mean) for name, mean in self.means.items()},
            "seats": [json_estimate(share) for share in self.seats],
            "won": json_estimate(self.won) if self.won else None,
            "why": dict(self.why),
        }

    def values(self, metric: str) -> list[float]:
        """A metric in each game that has it."""
        return metric_values(self.games, metric)

    def scores(self) -> list[float]:
        """The score of every seat in every game."""
        return [float(score) for game in self.games for score in game.scores]


def metric_values(games: Sequence[GameResult], metric: str) -> list[float]:
    """A metric in each game that has it."""
    of = METRICS[metric].of
    found = [of(game, game.study) for game in games if game.study]
    return [value for value in found if value is not None]


def summarize_variants(schedule: Schedule, games: Sequence[GameResult]) -> list[Variant]:
    """Compute the results of a lab."""
    together = find(schedule.game).together
    return [
        _variant(setup, [game for game in games if game.key[0] == i], together)
        for i, setup in enumerate(schedule.setups)
    ]


def _variant(setup: TableSetup, games: list[GameResult], together: bool) -> Variant:
    places = range(0 if together else setup.players)
    return Variant(
        setup=setup,
        games=games,
        means={metric: estimate_mean(metric_values(games, metric)) for metric in METRICS},
        seats=[
            estimate_share(
                (game.key[1], game.shares[(game.first + place) % game.players]) for game in games
            )
            for place in places
        ],
        won=estimate_share((g.key[1], sum(g.shares)) for g in games) if together else None,
        why=Counter(game.why for game in games if game.why),
    )
