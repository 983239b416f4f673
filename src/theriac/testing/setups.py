"""The games, numbers of players and options of the contract tests: every game that is found."""

from __future__ import annotations

import functools
import importlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

import theriac
from theriac.faults import Fault
from theriac.game import Game, Option, Settings
from theriac.match import Match

GAMES = list(theriac.all_games().values())
MANY = 100


@dataclass(frozen=True, repr=False)
class Setup:
    """A game and the options to play it with."""

    game: Game
    given: Mapping[str, Any] = field(hash=False)

    def __repr__(self) -> str:
        named = [f"{name}={value}" for name, value in self.given.items() if name != "deck"]
        return "-".join([self.game.name, *named])

    @functools.cached_property
    def settings(self) -> Settings:
        return self.game.settings(self.given, 0)

    def match(self, seed: int, **more: Any) -> Match:
        return Match(self.game, self.given, seed=seed.to_bytes(32, "big"), **more)

    def with_deck(self, random: Random) -> Setup:
        """The same with a random part of the shipped deck, if some part is playable."""
        cards = self.game.shipped.cards()
        for size in random.sample(range(1, len(cards)), len(cards) - 1):
            smaller = Setup(self.game, {**self.given, "deck": random.sample(cards, size)})
            if smaller.accepted():
                return smaller
        return self

    def accepted(self) -> bool:
        try:
            self.game.settings(self.given, 0)
        except Fault:
            return False
        return True


def is_built_in(game: Game) -> bool:
    """Does the game come with Theriac itself?"""
    return game.module.startswith("theriac.games.")


def names(items: list[Any]) -> list[str]:
    """The ids of parametrised tests."""
    return [str(item) for item in items]


def all_choices(options: tuple[Option, ...]) -> list[dict[str, Any]]:
    """Every combination of option values, without the defaults."""
    values = [[(option.name, value) for value in option.values] for option in options]
    defaults = {option.name: option.default for option in options}
    return [
        {name: value for name, value in choice if value != defaults[name]}
        for choice in itertools.product(*values)
    ]


def some_choices(game: Game, players: int, seen: set[str]) -> Iterator[dict[str, Any]]:
    """The defaults, the largest choice, and for each new value the smallest choice that has it."""

    def accepted(choice: dict[str, Any]) -> bool:
        return Setup(game, {"players": players, **choice}).accepted()

    choices = sorted(all_choices(game.options), key=len)
    ends = [next(filter(accepted, each), None) for each in (choices, reversed(choices))]
    for choice in choices:
        values = {f"{name}={value}" for name, value in choice.items()}
        if choice in ends or (not seen >= values and accepted(choice)):
            seen |= values
            yield choice


def setups_of(game: Game) -> list[Setup]:
    """Every number of players with a sensible set of options.

    In a game with very many combinations, a value that was tried with fewer players is not tried
    again on its own.
    """
    many = len(all_choices(game.options)) > MANY
    seen: set[str] = set()
    found = []
    for players in game.players:
        seen = seen if many else set()
        found += [
            Setup(game, {"players": players, **choice})
            for choice in some_choices(game, players, seen)
        ]
    return found


def only(condition: Callable[[Any], Any]) -> pytest.MarkDecorator:
    """A test that is run only for the games, setups or cases for which this holds."""
    return pytest.mark.only.with_args(condition)


SETUPS = [setup for game in GAMES for setup in setups_of(game)]


def own(game: Game, name: str, default: Any) -> Any:
    """What `tests/cases.py` in the folder of a game has under a name, or the default."""
    if not (game.folder / "tests" / "cases.py").exists():
        return default
    return getattr(importlib.import_module(f"{game.module}.tests.cases"), name, default)


def cases(game: Game, kind: str) -> list[dict[str, Any]]:
    """The game's own cases; none if it has no such file."""
    return [case for case in own(game, kind, []) if case["game"] == game.name]


def short_options(game: Game) -> dict[str, Any]:
    """Options of a whole game that is soon over, for tests that play many of them."""
    short: dict[str, Any] = own(game, "SHORT", {}).get(game.name, {})
    return {"players": game.usual_players, **short}


def reduced(game: Game) -> list[Setup]:
    """The game's small decks, all of whose shuffles can be enumerated."""
    return [Setup(game, case["options"]) for case in cases(game, "REDUCED")]
