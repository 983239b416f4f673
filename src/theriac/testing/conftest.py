"""The games, sets of options, small decks and playthroughs for which each test here is run.

A test gets them by the names of its arguments: `game`, `setup`, `small`, `case` or `path`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from theriac.faults import Fault
from theriac.game import Game, find
from theriac.testing.playthroughs import home
from theriac.testing.profiles import load_profile
from theriac.testing.setups import GAMES, SETUPS, cases, reduced

load_profile()

#: Instead of a value where there is none.
NOT_FOR_THESE = pytest.param(
    None, marks=pytest.mark.skip(reason="this test is for games or options of another kind")
)


@functools.cache
def parameters(argument: str, name: str) -> list[Any]:
    """The values that an argument takes for a game."""
    game = find(name)
    find_all: dict[str, Callable[[], list[Any]]] = {
        "game": lambda: [game],
        "setup": lambda: [setup for setup in SETUPS if setup.game is game],
        "small": lambda: reduced(game),
        "case": lambda: cases(game, "COUNTS"),
        "path": lambda: sorted(home(game).glob(f"{name}-*.json")),
    }
    return find_all[argument]()


def named(value: Any, number: int) -> str:
    """A value in the id of a test."""
    if isinstance(value, dict):
        return f"{value['game']}-{number}"
    if isinstance(value, Game):
        return value.name
    return value.stem if isinstance(value, Path) else str(value)


def chosen(config: pytest.Config) -> list[str]:
    """The names of the games to test: those of `--game`, or all."""
    names: list[str] = config.getoption("--game")
    try:
        return [find(name).name for name in names] or [game.name for game in GAMES]
    except Fault as fault:
        raise pytest.UsageError(f"--game: {fault}") from None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for every value of its argument."""
    for argument in ("game", "setup", "small", "case", "path"):
        if argument in metafunc.fixturenames:
            found = [
                (named(value, number), value)
                for name in chosen(metafunc.config)
                for number, value in enumerate(parameters(argument, name))
            ]
            for mark in metafunc.definition.iter_markers("only"):
                found = [(name, value) for name, value in found if mark.args[0](value)]
            metafunc.parametrize(
                argument,
                [value for _, value in found] or [NOT_FOR_THESE],
                ids=[name for name, _ in found] or ["none"],
            )
