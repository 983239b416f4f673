"""What a lab has found: for each variant of a game how long it is, and what decides it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from theriac.arena.plan import Plan, Setting
from theriac.arena.results import number
from theriac.arena.sitting import Played
from theriac.arena.study import Studied
from theriac.arena.tally import Estimate, estimate, estimate_share
from theriac.game import find

#: What is measured in each game, by name, with words for it.
MEASURES: dict[str, tuple[str, Callable[[Played, Studied], float | None]]] = {
    "moves": ("moves in a game", lambda game, studied: studied.moves),
    "rounds": ("rounds", lambda game, studied: game.rounds),
    "choices": (
        "decisions with a choice",
        lambda game, studied: studied.choices / studied.moves if studied.moves else None,
    ),
    "branching": (
        "legal moves a decision",
        lambda game, studied: studied.legal / studied.moves if studied.moves else None,
    ),
    "lead_changes": ("lead changes", lambda game, studied: studied.lead_changes),
    "swing": (
        "what a decision matters",
        lambda game, studied: sum(studied.swings) / len(studied.swings) if studied.swings else None,
    ),
    "score": ("score", lambda game, studied: sum(game.scores) / game.players),
}


@dataclass(frozen=True)
class Variant:
    """One way to set up the game, and its games."""

    setting: Setting
    games: list[Played]
    means: dict[str, Estimate]
    seats: list[Estimate]
    won: Estimate | None
    why: Counter[str]

    def told(self) -> dict[str, Any]:
        """For a program."""
        return {
            "label": self.setting.label,
            "players": self.setting.players,
            "games": len(self.games),
            "forfeits": sum(bool(game.forfeits) for game in self.games),
            **{name: _told(mean) for name, mean in self.means.items()},
            "seats": [_told(share) for share in self.seats],
            "won": _told(self.won) if self.won else None,
            "why": dict(self.why),
        }

    def values(self, name: str) -> list[float]:
        """One measure in each game."""
        return measure(self.games, name)

    def scores(self) -> list[float]:
        """The score of every seat in every game."""
        return [float(score) for game in self.games for score in game.scores]


def _told(mean: Estimate) -> dict[str, float | None]:
    return {"mean": number(mean.mean), "low": number(mean.low), "high": number(mean.high)}


def measure(games: Sequence[Played], name: str) -> list[float]:
    """One measure in each game that has it."""
    work = MEASURES[name][1]
    found = [work(game, game.study) for game in games if game.study]
    return [value for value in found if value is not None]


def find_variants(plan: Plan, games: Sequence[Played]) -> list[Variant]:
    """Make numbers of the games, variant by variant."""
    together = find(plan.game).together
    return [
        _variant(setting, [game for game in games if game.key[0] == i], together)
        for i, setting in enumerate(plan.settings)
    ]


def _variant(setting: Setting, games: list[Played], together: bool) -> Variant:
    places = range(0 if together else setting.players)
    return Variant(
        setting=setting,
        games=games,
        means={name: estimate(measure(games, name)) for name in MEASURES},
        seats=[
            estimate_share(
                (game.key[1], game.shares[(game.first + place) % game.players]) for game in games
            )
            for place in places
        ],
        won=estimate_share((g.key[1], sum(g.shares)) for g in games) if together else None,
        why=Counter(game.why for game in games if game.why),
    )
