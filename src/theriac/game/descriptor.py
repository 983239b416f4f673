"""`Game`: the one object that describes a game to the rest of Theriac."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theriac.deck import Deck, parse_deck
from theriac.engine import contract
from theriac.engine.batch import Batch, CpuBatch, Device
from theriac.engine.build import Engine
from theriac.engine.contract import GpuHints
from theriac.engine.records import record
from theriac.engine.rule import Speed, default_speed
from theriac.engine.shape import Shape
from theriac.faults import BadDeck, BadOption, Fault, listed, quote
from theriac.game.options import Option
from theriac.game.presentation import Text

if TYPE_CHECKING:
    from theriac.engine.gpu.launch import Kernels


@dataclass(frozen=True)
class Settings:
    """The checked options of one game."""

    #: The options as they were given.
    given: Mapping[str, Any]
    #: The options as the OPTIONS record that the rules read.
    options: Any
    #: The notation and presentation for the deck.
    text: Text

    @functools.cached_property
    def players(self) -> int:
        """How many seats there are."""
        return int(self.options.players)


@dataclass(frozen=True)
class Game:
    """Everything that the rest of Theriac knows about a game."""

    name: str
    title: str
    #: The letters that begin the ids of its clauses.
    letters: str
    #: The game's package, with `deck.toml` and the rule pages.
    module: str
    summary: str
    #: The numbers of players.
    players: tuple[int, ...]
    #: The clauses that refuse a number of players, a deal, a deck.
    players_clause: int
    shuffle_clause: int
    deck_clause: int
    #: What the option `first` means in this game.
    first_help: str
    options: tuple[Option, ...]
    shape: Shape
    #: The game's functions, under the names of `engine.contract`.
    rules: Mapping[str, Callable[..., Any]]
    text: type[Text]
    #: Writes the deck (the game's own `Text`) into an OPTIONS record; raises `BadDeck`.
    fill_options: Callable[[Any, Any], None]
    #: Checks the OPTIONS together with the deck: None, or what is wrong and the clause.
    check_options: Callable[[Any, Deck], tuple[str, int] | None]
    deck_file: str = "deck.toml"
    #: Do all players win or lose together?
    together: bool = False
    #: The search parameters that play this game best, found by experiment.
    search: Mapping[str, float] = field(default_factory=dict)
    #: What makes the game faster on a GPU.
    gpu: GpuHints = field(default_factory=GpuHints)
    #: The strength levels for which this game has a bot of its own, with the spec of that bot.
    levels: Mapping[str, str] = field(default_factory=dict)

    @functools.cached_property
    def folder(self) -> Path:
        """The folder of the game's package."""
        path = importlib.import_module(self.module).__file__
        assert path is not None
        return Path(path).parent

    @functools.cached_property
    def shipped(self) -> Deck:
        """The deck that comes with the project."""
        return parse_deck((self.folder / self.deck_file).read_text(encoding="utf-8"))[1]

    @functools.cached_property
    def shipped_text(self) -> Text:
        """The notation and presentation of the shipped deck."""
        return self.text(self.shipped)

    @property
    def usual_players(self) -> int:
        """The number of players where none is given: the middle of the range."""
        return self.players[(len(self.players) - 1) // 2]

    @functools.cached_property
    def adventure(self) -> Any:
        """The module that describes the parts of the game's adventure; None without one."""
        if importlib.util.find_spec(f"{self.module}.adventure") is None:
            return None
        return importlib.import_module(f"{self.module}.adventure")

    def clause(self, number: int) -> str:
        """The id of a clause: POI-07."""
        return f"{self.letters}-{number:02}"

    def rule(self, name: str) -> Callable[..., Any]:
        """One of the game's rules, interpreted; the contract's default if the game has none.

        >>> from theriac.game import find
        >>> poison = find("poison")
        >>> poison.rule("time_limit")(poison.settings({"players": 3, "first": 0}).options)
        0
        """
        return self.rules.get(name) or vars(contract)[name]

    def engine(self, speed: Speed | None = None) -> Engine:
        """The rules at one speed (the default depends on THERIAC_JIT), built once."""
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
                raise BadOption("option threads: it is for the CPU only; leave it out for cuda")
            return CudaBatch(_kernels(self.module), *game, seed=seed, auto_reset=auto_reset)
        if device != "cpu":
            raise BadOption(f"option device: {quote(device)} is not cpu or cuda")
        return CpuBatch(self.engine(), *game, seed=seed, auto_reset=auto_reset, threads=threads)

    def settings(self, given: Mapping[str, Any], first: int | None = None) -> Settings:
        """Check the options of a game; `first` is the first seat if they name none; raises `Fault`.

        >>> from theriac.game import find
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
                    f"option {quote(name)}: {self.name} has no option of that name; "
                    f"use {listed(names)}"
                )
        options = record(self.shape.options)
        options.players = self._players(given)
        options.first = self._first(given, int(options.players), first)
        for name, option in known.items():
            options[name] = option.number(given.get(name, option.default))
        text = self._text(given["deck"]) if "deck" in given else self.shipped_text
        self._fill(text, options)
        self._check(text, options)
        return Settings(dict(given), options, text)

    def _players(self, given: Mapping[str, Any]) -> int:
        clause = self.clause(self.players_clause)
        if "players" not in given:
            raise BadOption(f"option players is missing: give a number of players ({clause})")
        return Option("players", self.players, clause, "").number(given["players"])

    def _first(self, given: Mapping[str, Any], players: int, default: int | None) -> int:
        if "first" not in given:
            if default is None:
                raise BadOption("option first is missing: without a seed, name the first seat")
            return default
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
            self.fill_options(options, text)
        except BadDeck as error:
            raise BadDeck(f"{error} ({self.clause(self.deck_clause)})", error.card) from None

    def _check(self, text: Text, options: Any) -> None:
        fault = self.check_options(options, text.deck)
        if fault:
            why, clause = fault
            raise BadOption(f"{why} ({self.clause(clause)})")

    def check_deck(self, deck: Deck) -> tuple[list[BadDeck], list[str]]:
        """What makes a deck unplayable, and where it departs from the box."""
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
        """The numbers of players that can play with a deck."""
        return [players for players in self.players if not self._refusal(deck, players)]

    def _refusal(self, deck: Deck, players: int) -> str:
        """Why this number of players cannot play with a deck; "" if it can."""
        try:
            self.settings({"players": players, "first": 0, "deck": deck.option(self.shipped)})
        except Fault as fault:
            return str(fault).removeprefix("option deck: ")
        return ""


@functools.cache
def _engine(module: str, speed: Speed) -> Engine:
    """Games of one folder share their shape and rules, and so one engine per speed."""
    game = _first_of(module)
    return Engine(game.folder.name, game.rules, game.shape, speed)


@functools.cache
def _kernels(module: str) -> Kernels:
    from theriac.engine.gpu.launch import Kernels

    game = _first_of(module)
    return Kernels(game.rules, game.shape, game.gpu)


def _first_of(module: str) -> Game:
    game: Game = importlib.import_module(module).GAMES[0]
    return game
