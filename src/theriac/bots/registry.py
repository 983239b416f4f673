"""All bots by name: the built-in ones, the levels, and those of installed packages.

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

import numpy as np
import numpy.typing as npt

from theriac.bots.base import Bot, Question
from theriac.bots.levels import ALL_GAMES, LEVELS, bots_of
from theriac.bots.parameters import (
    Parameter,
    parameters_of,
    read_parameters,
    rename_parameters,
)
from theriac.bots.style import Style
from theriac.faults import Fault, listed, quote
from theriac.game import Game, Settings

#: Makes a bot; called with (name, seed, **parameters).
Factory = Callable[..., Bot]

#: The entry point group in which installed packages declare their bots.
ENTRY_POINT_GROUP = "theriac.bots"
PROCESS = "process"

#: The built-in bots and their factories, which are imported when they are needed.
BUILT_IN = {
    "random": "theriac.bots.simple:RandomBot",
    "greedy": "theriac.bots.simple:GreedyBot",
    "search": "theriac.bots.search:SearchBot",
    "guided": "theriac.bots.guided:GuidedBot",
    "neural": "theriac.bots.neural:NeuralBot",
    PROCESS: "theriac.bots.process:ProcessBot",
    "openspiel": "theriac.adapters.openspiel_bots:OpenSpielBot",
}

#: Parameters before a command, which may contain any characters: limit=5:python mybot.py.
_BEFORE_COMMAND = re.compile(r"((?:\w+=[^,:\s]*,)*\w+=[^,:\s]*):(.*)", re.DOTALL)


def bot(spec: str, seed: int = 0) -> Bot:
    """Make the bot of a spec: greedy, search:ms=200, hard, process:COMMAND. Raises `Fault`."""
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
    if name not in BUILT_IN or name == PROCESS:
        return spec
    return f"{name}{colon}{rename_parameters(rest, parameters_of(_find(name)) or ())}"


class LevelBot(Bot):
    """Plays as the bot that the level means in the game of the question.

    Where that bot does not suit the settings, such as a network with a deck that it was not trained
    for, it plays as the bot of games that choose none.
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        super().__init__(name, seed)
        self._bots = {game: bot(spec, seed) for game, spec in bots_of(name).items()}
        self._last: tuple[Settings, Bot] | None = None

    def answer(self, question: Question) -> int:
        """The answer of that bot."""
        return self._bot_for(question.game, question.settings).answer(question)

    def policy(self, question: Question) -> npt.NDArray[np.float64] | None:
        """That of the bot behind the level."""
        return self._bot_for(question.game, question.settings).policy(question)

    def style(self, game: Game, settings: Settings) -> Style:
        """That of the bot behind the level."""
        return self._bot_for(game, settings).style(game, settings)

    def check(self, game: Game, settings: Settings) -> None:
        """Check that bot."""
        self._bot_for(game, settings).check(game, settings)

    def end(self, view: Mapping[str, Any]) -> None:
        """Forward it to the bot that has played."""
        if self._last:
            self._last[1].end(view)

    def close(self) -> None:
        """Close the bots of all games."""
        for each in self._bots.values():
            each.close()

    def _bot_for(self, game: Game, settings: Settings) -> Bot:
        """Chosen once per game."""
        if self._last is None or self._last[0] is not settings:
            own = self._bots.get(game.name)
            fits = own is not None and own.suits(game, settings)
            self._last = settings, own if own and fits else self._bots[ALL_GAMES]
        return self._last[1]


@dataclass(frozen=True)
class BotInfo:
    """A bot for a list: its kind (level, house or installed) and its parameters (None: any).

    `games` maps games to the bot of a level.
    """

    name: str
    kind: str
    help: str
    parameters: Sequence[Parameter] | None = ()
    games: Mapping[str, str] | None = None


def bot_names() -> list[str]:
    """The names of all bots and levels."""
    own = [*BUILT_IN, *LEVELS]
    return own + sorted(name for name in _installed() if name not in own)


def list_bots() -> list[BotInfo]:
    """All bots and levels. If a bot of a package cannot be loaded, its help says why."""
    return [_describe(name) for name in bot_names()]


def _describe(name: str) -> BotInfo:
    if name in LEVELS:
        games = bots_of(name)
        specs = [spec if game == ALL_GAMES else f"{game}: {spec}" for game, spec in games.items()]
        return BotInfo(name, "level", ", ".join(specs), games=games)
    kind = "house" if name in BUILT_IN else "installed"
    try:
        factory = _find(name)
    except Fault as fault:
        return BotInfo(name, kind, str(fault))
    summary = (factory.__doc__ or "").strip().partition("\n")[0]
    return BotInfo(name, kind, summary, parameters_of(factory))


def _find(name: str) -> Factory:
    """The factory of a bot; raises `Fault`, which lists the known names."""
    if name in BUILT_IN:
        module, _, made = BUILT_IN[name].partition(":")
        try:
            factory: Factory = getattr(importlib.import_module(module), made)
        except ImportError as error:  # a package that it needs is not installed
            raise Fault(f"bot {name}: {error}") from None
        return factory
    installed = _installed()
    if name in installed:
        return _load(installed[name])
    raise Fault(f"no bot is called {quote(name)}: there are {listed(bot_names(), 'and')}")


def _installed() -> dict[str, EntryPoint]:
    """The entry points of installed packages, by the name of the bot."""
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def _load(point: EntryPoint) -> Factory:
    package = point.dist.name if point.dist else "unknown"
    try:
        factory: Factory = point.load()
    except (ImportError, AttributeError) as error:
        raise Fault(
            f"bot {point.name} of the package {package} cannot be loaded: {error}"
        ) from None
    return factory
