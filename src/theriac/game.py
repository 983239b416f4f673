"""The `Game` descriptor: the one object that the rest of the house sees of a game.

>>> find("poison").title
"Reiner Knizia's Poison"
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck, parse_deck
from theriac.engine.batch import Batch, CpuBatch, Device
from theriac.engine.build import Engine, Shape, record
from theriac.engine.rule import Speed, default_speed
from theriac.faults import BadDeck, BadOption, Fault, listed, quote

if TYPE_CHECKING:
    from theriac.engine.gpu.launch import Kernels

Value = bool | int | str | list[str]


@dataclass(frozen=True)
class Option:
    """An option of a game: its name, the values it takes (the first is the default), its clause."""

    name: str
    values: tuple[Value, ...]
    clause: str
    help: str

    @property
    def default(self) -> Value:
        """What holds when the option is not given."""
        return self.values[0]

    @property
    def told(self) -> str:
        """The values in words."""
        return ", ".join(plain(value) for value in self.values)

    def values_told(self) -> dict[str, Any]:
        """The values for a program."""
        return {"values": list(self.values)}

    def read(self, text: str) -> Any:
        """The value that a text typed by a person means; the text itself if it is none."""
        for value in self.values:
            words = _YES_NO.get(value, ()) if isinstance(value, bool) else ()
            if text.lower() in (plain(value), *words):
                return value
        return int(text) if _is_number(text) else text

    def number(self, value: Any) -> int:
        """The value as a number for the rules; raises `BadOption`."""
        for i, known in enumerate(self.values):
            if type(value) is type(known) and value == known:
                return int(known) if isinstance(known, int) else i
        raise self._refused(value, listed([spell(v) for v in self.values]))

    def _refused(self, value: Any, right: str) -> BadOption:
        return BadOption(f"option {self.name}: {quote(value)} is not {right} ({self.clause})")


class Whole(Option):
    """An option that is a whole number from 0; `values` are some of them."""

    def __init__(self, name: str, usual: int, most: int, clause: str, help: str) -> None:  # noqa: A002
        super().__init__(name, (usual, 0, most), clause, help)

    @property
    def told(self) -> str:
        """From where to where."""
        return f"{self.values[0]} (from 0 to {self.values[2]})"

    def values_told(self) -> dict[str, Any]:
        """From where to where."""
        return {"least": 0, "most": self.values[2]}

    def number(self, value: Any) -> int:
        """The number itself."""
        most = self.values[2]
        assert isinstance(most, int)
        if type(value) is not int or not 0 <= value <= most:
            raise self._refused(value, f"a whole number from 0 to {most}")
        return value


class Flags(Option):
    """An option that is a list of names, each at most once; `values` are some such lists.

    For the rules it is a number with a bit for each name that is there.
    """

    def __init__(self, name: str, names: tuple[str, ...], clause: str, help: str) -> None:  # noqa: A002
        super().__init__(name, ([], *([one] for one in names), [*names]), clause, help)

    @property
    def names(self) -> list[str]:
        """All of them."""
        names = self.values[-1]
        assert isinstance(names, list)
        return names

    @property
    def told(self) -> str:
        """What may be in the list."""
        return f"none, or some of {', '.join(self.names)}"

    def values_told(self) -> dict[str, Any]:
        """What may be in the list."""
        return {"some_of": self.names}

    def read(self, text: str) -> Any:
        """Names with commas or plus signs between them."""
        words = text.lower().replace("+", ",").split(",")
        return [] if text.lower() in ("", "none") else [word.strip() for word in words]

    def number(self, value: Any) -> int:
        """A bit for each name."""
        known = isinstance(value, list) and all(name in self.names for name in value)
        if not known or len(set(value)) < len(value):
            raise self._refused(value, f"a list of {listed(self.names)}, each at most once")
        return sum(1 << self.names.index(name) for name in value)


_YES_NO = {True: ("yes", "on"), False: ("no", "off")}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def spell(value: Value) -> str:
    """A value as it is written in a record."""
    return json.dumps(value)


def plain(value: Value) -> str:
    """A value as a person types it."""
    if isinstance(value, list):
        return ",".join(value) or "none"
    return spell(value).strip('"')


class Text(ABC):
    """A game's cards, moves and positions as text, for one deck.

    `cards` holds the text of each card number ("" for a number this deck does not use); `marks` are
    those that a card of this game can bear.
    """

    cards: tuple[str, ...]
    marks: ClassVar[tuple[str, ...]] = ()
    #: The move of the clock, where a game has one: no player's, never listed, and accepted.
    clock: ClassVar[str | None] = None
    #: The clause that makes players silent, where a game has one.
    silence_clause: ClassVar[int | None] = None

    def seconds(self, options: Any) -> int | None:
        """How long a game with these OPTIONS may last by the clock; None for one without."""
        return None

    def __init__(self, deck: Deck) -> None:
        for mark in deck.marks:
            if mark not in self.marks:
                known = listed(list(self.marks)) or "none: the cards of this game bear no marks"
                raise BadDeck(f"mark {quote(mark)}: use {known}")
        self.deck = deck

    @abstractmethod
    def fill(self, options: Any) -> None:
        """Write the deck into an OPTIONS record; raises `BadDeck` if it cannot be played with."""

    @abstractmethod
    def write(self, move: int) -> str:
        """The text of a move."""

    def shown(self, move: int) -> str:
        """A move as those see it who did not make it: without what lies face down."""
        return self.write(move)

    def anyone(self, move: int) -> bool:
        """May a seat make this move that is not to act?"""
        return False

    def silent(self, v: Any) -> bool:
        """Must the players be silent in this VIEW?"""
        return False

    @abstractmethod
    def read(self, text: str) -> int:
        """The number of a move's text; below zero for a text that names no move."""

    @abstractmethod
    def catalogue(self) -> npt.NDArray[np.int64]:
        """Every move there can be with this deck, ascending."""

    @property
    def actions(self) -> int:
        """How many actions a mask counts: as many as moves, unless the game numbers its own."""
        return len(self.catalogue())

    @abstractmethod
    def table(self, v: Any) -> dict[str, Any]:
        """What lies open on the table, as the record format names it, from a VIEW."""

    def recall(self, v: Any) -> dict[str, Any]:
        """What else a careful player knows of a VIEW and a board may draw; empty in most games."""
        return {}

    @abstractmethod
    def hand(self, v: Any) -> list[str]:
        """The cards in the hand of the seat whose VIEW this is, sorted."""

    def sheet(self, before: Any, after: Any, move: int) -> dict[str, Any] | None:
        """What the score of the round is made of that this move ended, from an spectator's VIEWs
        around it; None in a game that keeps no such sheet. Its `round` is the number of the round.
        """
        return None

    @abstractmethod
    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused, in a few words for its player, from that player's VIEW."""

    def remarks(self) -> list[str]:
        """Where this deck departs from the rulebook, a sentence each."""
        return []

    def numbers(self) -> dict[str, int]:
        """The number of each card text."""
        return {text: number for number, text in enumerate(self.cards) if text}


@dataclass(frozen=True)
class Settings:
    """The options of one game to be played, checked."""

    given: Mapping[str, Any]
    options: Any
    text: Text

    @functools.cached_property
    def players(self) -> int:
        """How many seats there are."""
        return int(self.options.players)


@dataclass(frozen=True)
class Game:
    """All that the rest of the house knows of a game.

    `module` is the game's package, where `deck.toml` and the rule pages lie; `letters` begin the
    ids of its clauses; `players_clause`, `shuffle_clause` and `deck_clause` are named where a
    number of players, a deal or a deck is refused; `check` looks at options together; `together`
    is said of a game that all win or all lose; `search` says how to search best, by experiment, and
    `levels` which levels of strength are other bots here than elsewhere.
    """

    name: str
    title: str
    letters: str
    module: str
    summary: str
    players: tuple[int, ...]
    players_clause: int
    shuffle_clause: int
    deck_clause: int
    first_help: str
    options: tuple[Option, ...]
    shape: Shape
    rules: Mapping[str, Callable[..., Any]]
    text: type[Text]
    check: Callable[[Any, Deck], tuple[str, int] | None]
    deck_file: str = "deck.toml"
    together: bool = False
    search: Mapping[str, float] = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=dict)

    @functools.cached_property
    def folder(self) -> Path:
        """Where the game's data lies."""
        path = importlib.import_module(self.module).__file__
        assert path is not None
        return Path(path).parent

    @functools.cached_property
    def shipped(self) -> Deck:
        """The deck that comes with the project."""
        return parse_deck((self.folder / self.deck_file).read_text(encoding="utf-8"))[1]

    @property
    def usual_players(self) -> int:
        """How many play where nobody says: a middling number."""
        return self.players[(len(self.players) - 1) // 2]

    @functools.cached_property
    def adventure(self) -> Any:
        """The module that says what the parts of the game's adventure are; None without one."""
        if importlib.util.find_spec(f"{self.module}.adventure") is None:
            return None
        return importlib.import_module(f"{self.module}.adventure")

    def clause(self, number: int) -> str:
        """The id of a clause: POI-07."""
        return f"{self.letters}-{number:02}"

    def engine(self, speed: Speed | None = None) -> Engine:
        """The rules at one speed (by default as THERIAC_JIT says), built once."""
        return _engine(self.module, speed or default_speed())

    def batch(
        self,
        settings: Settings,
        n: int,
        *,
        device: Device = "cpu",
        seed: int = 0,
        auto_reset: bool = False,
        threads: int | None = None,
    ) -> Batch:
        """Many games at once on a device."""
        text = settings.text
        game = settings.options, text.catalogue(), text.actions, n
        if device == "cuda":
            from theriac.engine.gpu.batch import CudaBatch, need_gpu

            need_gpu()
            if threads is not None:
                raise BadOption("option threads: a GPU has its own; leave it out")
            return CudaBatch(_kernels(self.module), *game, seed=seed, auto_reset=auto_reset)
        if device != "cpu":
            raise BadOption(f"option device: {quote(device)} is not cpu or cuda")
        return CpuBatch(self.engine(), *game, seed=seed, auto_reset=auto_reset, threads=threads)

    def settings(self, given: Mapping[str, Any], first: int | None = None) -> Settings:
        """Check the options of a game to be played; `first` is used when they name none.

        >>> find("poison").settings({"players": 4, "first": 0}).players
        4
        >>> find("poison").settings({"players": 2, "first": 0})
        Traceback (most recent call last):
        theriac.faults.BadOption: option players: 2 is not 3, 4, 5 or 6 (POI-03)
        """
        known = {option.name: option for option in self.options}
        names = ["players", "first", "deck", *known]
        for name in given:
            if name not in names:
                raise BadOption(
                    f"option {quote(name)}: {self.name} has none of that name, only {listed(names)}"
                )
        options = record(self.shape.options)
        options.players = self._players(given)
        options.first = self._first(given, int(options.players), first)
        for name, option in known.items():
            options[name] = option.number(given.get(name, option.default))
        text = self._text(given["deck"]) if "deck" in given else _shipped_text(self.name)
        self._fill(text, options)
        self._check(text, options)
        return Settings(dict(given), options, text)

    def _players(self, given: Mapping[str, Any]) -> int:
        clause = self.clause(self.players_clause)
        if "players" not in given:
            raise BadOption(f"option players is missing: give a number of players ({clause})")
        choice = Option("players", self.players, clause, "")
        return choice.number(given["players"])

    def _first(self, given: Mapping[str, Any], players: int, otherwise: int | None) -> int:
        if "first" not in given:
            if otherwise is None:
                raise BadOption("option first is missing: without a seed, name the first seat")
            return otherwise
        first = given["first"]
        if type(first) is not int or not 0 <= first < players:
            raise BadOption(f"option first: {quote(first)} is not a seat from 0 to {players - 1}")
        return first

    def _text(self, cards: Any) -> Text:
        try:
            return self.text(Deck.read(cards, self.shipped))
        except BadDeck as error:
            raise BadDeck(f"option deck: {error} ({self.clause(self.deck_clause)})") from None

    def _fill(self, text: Text, options: Any) -> None:
        try:
            text.fill(options)
        except BadDeck as error:
            raise BadDeck(f"{error} ({self.clause(self.deck_clause)})", error.card) from None

    def _check(self, text: Text, options: Any) -> None:
        fault = self.check(options, text.deck)
        if fault:
            why, clause = fault
            raise BadOption(f"{why} ({self.clause(clause)})")

    def check_deck(self, deck: Deck) -> tuple[list[BadDeck], list[str]]:
        """What is wrong with a deck (it cannot be played), and where it departs from the box."""
        try:
            text = self.text(deck)
            self._fill(text, record(self.shape.options))
        except BadDeck as error:
            return [error], []
        refusals = {players: self._refusal(deck, players) for players in self.players}
        if all(refusals.values()):
            fewest = self.players[0]
            why = f"for {fewest}, {refusals[fewest]}"
            fault = BadDeck(f"no number of players can play with {len(deck)} cards: {why}")
            return [fault], text.remarks()
        return [], text.remarks()

    def playable_by(self, deck: Deck) -> list[int]:
        """How many players can play with a deck."""
        return [players for players in self.players if not self._refusal(deck, players)]

    def _refusal(self, deck: Deck, players: int) -> str:
        """Why so many cannot play with a deck; "" if they can."""
        try:
            self.settings({"players": players, "first": 0, "deck": deck.option(self.shipped)})
        except Fault as fault:
            return str(fault).removeprefix("option deck: ")
        return ""


@functools.cache
def games() -> dict[str, Game]:
    """All games found in the folders of `theriac.games`, by name."""
    import theriac.games as home

    found: dict[str, Game] = {}
    for folder in sorted(entry.name for entry in pkgutil.iter_modules(home.__path__)):
        for game in importlib.import_module(f"theriac.games.{folder}").GAMES:
            found[game.name] = game
    return found


def find(name: str) -> Game:
    """The game of that name; raises `Fault` with the names there are."""
    known = games()
    if name not in known:
        raise Fault(f"no game is called {quote(name)}: there are {listed(list(known))}")
    return known[name]


@functools.cache
def _engine(module: str, speed: Speed) -> Engine:
    """Games of one folder are of one shape and have one set of rules."""
    game = next(game for game in games().values() if game.module == module)
    return Engine(game.folder.name, game.rules, game.shape, speed)


@functools.cache
def _kernels(module: str) -> Kernels:
    from theriac.engine.gpu.launch import Kernels

    game = next(game for game in games().values() if game.module == module)
    return Kernels(game.rules, game.shape)


@functools.cache
def _shipped_text(name: str) -> Text:
    game = find(name)
    return game.text(game.shipped)
