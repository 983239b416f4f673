"""All bots there are, by name: those of this house, the levels, and those of installed packages.

>>> bot("greedy").name
'greedy'
>>> bot("greedy:slip=0.3").name
'greedy:slip=0.3'
>>> bot("gready")
Traceback (most recent call last):
theriac.faults.Fault: no bot is called gready: ...
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from theriac.bots.base import Bot, Question
from theriac.bots.levels import EVERY, LEVELS, bots_of
from theriac.bots.parameters import (
    Parameter,
    parameters_of,
    read_parameters,
    rename_parameters,
)
from theriac.faults import Fault, listed, quote
from theriac.game import Game, Settings

#: What makes a bot: called with (name, seed, **parameters).
Factory = Callable[..., Bot]

#: Where installed packages say which bots they bring.
GROUP = "theriac.bots"
PROCESS = "process"

#: The bots of this house, and where each is made. None is loaded before it is asked for.
HOUSE = {
    "random": "theriac.bots.simple:RandomBot",
    "greedy": "theriac.bots.simple:GreedyBot",
    "search": "theriac.bots.search:SearchBot",
    "neural": "theriac.bots.neural:NeuralBot",
    PROCESS: "theriac.bots.process:ProcessBot",
}

#: Parameters before a command, which may hold anything: limit=5:python mybot.py.
_BEFORE_COMMAND = re.compile(r"((?:\w+=[^,:\s]*,)*\w+=[^,:\s]*):(.*)", re.DOTALL)


def bot(spec: str, seed: int = 0) -> Bot:
    """The bot that is meant: greedy, search:ms=200, hard, process:COMMAND. Raises `Fault`."""
    name, _, rest = spec.partition(":")
    if name in LEVELS:
        read_parameters(name, rest, [])
        return LevelBot(name, seed)
    factory = _find(name)
    values: dict[str, Any] = {}
    if name == PROCESS:
        before = _BEFORE_COMMAND.fullmatch(rest)
        rest, values["command"] = before.groups() if before else ("", rest)
    values |= read_parameters(name, rest, parameters_of(factory))
    try:
        return factory(spec, seed, **values)
    except TypeError as error:
        raise Fault(f"bot {quote(spec)}: {error}") from None


def current_spec(spec: str) -> str:
    """A spec that was stored, with renamed parameters under their current names.

    >>> current_spec("search:ms=20,curiosity=1,few=4")
    'search:ms=20,exploration=1,playout_width=4'
    """
    name, colon, rest = spec.partition(":")
    if name not in HOUSE or name == PROCESS:
        return spec
    return f"{name}{colon}{rename_parameters(rest, parameters_of(_find(name)) or ())}"


class LevelBot(Bot):
    """Plays as the bot that a level means in the game it is asked about."""

    def __init__(self, name: str, seed: int = 0) -> None:
        super().__init__(name, seed)
        self._bots = {game: bot(spec, seed) for game, spec in bots_of(name).items()}

    def answer(self, question: Question) -> int:
        """What that bot answers."""
        return self._at(question.game.name).answer(question)

    def check(self, game: Game, settings: Settings) -> None:
        """Ask that bot."""
        self._at(game.name).check(game, settings)

    def end(self, view: Mapping[str, Any]) -> None:
        """Tell that bot."""
        self._at(view["game"]).end(view)

    def close(self) -> None:
        """Close the bots of all games."""
        for each in self._bots.values():
            each.close()

    def _at(self, game: str) -> Bot:
        return self._bots.get(game) or self._bots[EVERY]


@dataclass(frozen=True)
class Entry:
    """A bot that can be asked for: whence it comes, what it is, its parameters (None: any)."""

    name: str
    kind: str
    help: str
    parameters: Sequence[Parameter] | None = ()
    games: Mapping[str, str] | None = None


def names() -> list[str]:
    """The names of all bots and levels."""
    own = [*HOUSE, *LEVELS]
    return own + sorted(name for name in _installed() if name not in own)


def roster() -> list[Entry]:
    """All bots and levels. A bot of a package that cannot be loaded says so."""
    return [_describe(name) for name in names()]


def _describe(name: str) -> Entry:
    if name in LEVELS:
        games = bots_of(name)
        told = [spec if game == EVERY else f"{game}: {spec}" for game, spec in games.items()]
        return Entry(name, "level", ", ".join(told), games=games)
    kind = "house" if name in HOUSE else "installed"
    try:
        factory = _find(name)
    except Fault as fault:
        return Entry(name, kind, str(fault))
    summary = (factory.__doc__ or "").strip().partition("\n")[0]
    return Entry(name, kind, summary, parameters_of(factory))


def _find(name: str) -> Factory:
    """What makes the bot of that name; raises `Fault` with the names there are."""
    if name in HOUSE:
        module, _, made = HOUSE[name].partition(":")
        factory: Factory = getattr(importlib.import_module(module), made)
        return factory
    installed = _installed()
    if name in installed:
        return _load(installed[name])
    raise Fault(f"no bot is called {quote(name)}: there are {listed(names())}")


def _installed() -> dict[str, EntryPoint]:
    """The bots of installed packages."""
    return {point.name: point for point in entry_points(group=GROUP)}


def _load(point: EntryPoint) -> Factory:
    package = point.dist.name if point.dist else "unknown"
    try:
        factory: Factory = point.load()
    except (ImportError, AttributeError) as error:
        raise Fault(f"bot {point.name} of the package {package} does not load: {error}") from None
    return factory
