"""`Game`: the one object that describes a game to the rest of Theriac."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theriac.deck import Deck, parse_deck
from theriac.engine import contract
from theriac.engine.batch import Batch, Device
from theriac.engine.build import Engine, fill_slots
from theriac.engine.contract import GpuHints
from theriac.engine.open_fields import usual_features
from theriac.engine.records import record
from theriac.engine.rule import Linker, Speed, default_speed
from theriac.engine.shape import Shape
from theriac.engine.usual import Wins, is_usual, usual_rules
from theriac.faults import BadDeck, BadOption, Fault, listed, quote
from theriac.game.found import features_of, rules_in, shape_in
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

    def __deepcopy__(self, memo: object) -> Settings:
        return self  # nothing changes it

    @functools.cached_property
    def players(self) -> int:
        """How many seats there are."""
        return int(self.options.players)


#: Instead of a shape: the one that `state.py` has.
_IN_STATE: Any = None


@dataclass(frozen=True, kw_only=True)
class Game:
    """Everything that the rest of Theriac knows about a game.

    A game gives its name, its summary, its numbers of players and its text. What else it leaves out
    is found in its package, or has a default.
    """

    name: str
    summary: str
    #: The numbers of players.
    players: tuple[int, ...]
    text: type[Text]
    #: By default the name.
    title: str = ""
    #: The letters that begin the ids of its clauses. By default the first three of the name.
    letters: str = ""
    #: The game's package, with `deck.toml` and the rule pages. By default the package of `text`.
    module: str = ""
    #: The clauses that refuse a number of players, a deal, a deck; 0: none is named.
    players_clause: int = 0
    shuffle_clause: int = 0
    deck_clause: int = 0
    #: What the option `first` means in this game.
    first_help: str = "the seat that begins"
    options: tuple[Option, ...] = ()
    #: By default the `SHAPE` of `state.py`. Its `features` are the `FEATURES` beside `encode`.
    shape: Shape = _IN_STATE
    #: The game's functions, under the names of `engine.contract`. Those given here take precedence
    #: over those found in the modules of the package, and these over the usual ones.
    rules: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    #: Which score wins, for the usual `result` and `prospect`.
    wins: Wins | None = None
    #: Writes the deck (the game's own `Text`) into an OPTIONS record; raises `BadDeck`. By default
    #: into the field `deck`: `_fill_deck`.
    fill_options: Callable[[Any, Any], None] | None = None
    #: Checks the OPTIONS together with the deck: None, or what is wrong and the clause.
    check_options: Callable[[Any, Deck], tuple[str, int] | None] | None = None
    deck_file: str = "deck.toml"
    #: How much there is to learn before a first game, from 1 to 5: lists begin with the least.
    effort: int = 5
    #: Do all players win or lose together?
    together: bool = False
    #: May the players make gestures while the game's rule `silence` forbids them to talk?
    gestures_in_silence: bool = False
    #: The parameters with which search plays this game best, found by experiment: some fields of
    #: `engine.search.SearchConfig`. The others have their defaults; a bot may be given its own.
    search: Mapping[str, float] = field(default_factory=dict)
    #: The same for search guided by a network: some fields of `engine.guided_search.GuidedConfig`.
    guided: Mapping[str, float] = field(default_factory=dict)
    #: What makes the game faster on a GPU.
    gpu: GpuHints = field(default_factory=GpuHints)
    #: The strength levels for which this game has a bot of its own, with the spec of that bot.
    levels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find in the package what was not given."""
        self._default("title", self.name.capitalize())
        self._default("letters", self.name[:3].upper())
        self._default("module", self.text.__module__.rpartition(".")[0])
        own = {**rules_in(self.module, self.rules), **self.rules}
        shape = shape_in(self.module) if self.shape is _IN_STATE else self.shape
        self._check_option_fields(shape)
        rules = {**own, **usual_rules(own, shape, self.wins, self.together)}
        object.__setattr__(self, "rules", rules)
        features = self._features(shape)
        players = shape.players or max(self.players)
        object.__setattr__(self, "shape", replace(shape, players=players, features=features))

    def _default(self, name: str, value: str) -> None:
        if not getattr(self, name):
            object.__setattr__(self, name, value)

    def _check_option_fields(self, shape: Shape) -> None:
        """Raise `Fault` if the rules could not read an option."""
        for option in self.options:
            if option.name not in (shape.options.names or ()):
                raise Fault(
                    f"{self.module}: there is an option {option.name}, but OPTIONS in state.py has "
                    f"no field {option.name}: add it"
                )

    def _features(self, shape: Shape) -> int:
        """The size of an observation; raises `Fault` if it is not known."""
        encode = self.rules["encode"]
        if is_usual(encode):
            return usual_features(shape.fields)
        features = shape.features or features_of(encode)
        if not features:
            raise Fault(
                f"{self.module}: how many features does encode write? Put FEATURES: Final = ... "
                f"into its module"
            )
        return features

    def __reduce__(self) -> tuple[Any, ...]:
        """By name: the receiver has the game itself."""
        from theriac.game.discovery import all_games, find

        if all_games().get(self.name) is not self:
            raise Fault(f"{self.name} cannot be copied: it is not the installed game of that name")
        return find, (self.name,)

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
        return self._part("adventure")

    @functools.cached_property
    def screen(self) -> Any:
        """The module that draws the game in a terminal: its own, or one that has only words."""
        return self._part("screen") or importlib.import_module("theriac.game.plain_screen")

    def _part(self, name: str) -> Any:
        """A module of the game's package that not every game has; None without it."""
        if importlib.util.find_spec(f"{self.module}.{name}") is None:
            return None
        return importlib.import_module(f"{self.module}.{name}")

    def clause(self, number: int) -> str:
        """The id of a clause: POI-07; empty for 0, which is none."""
        return f"{self.letters}-{number:02}" if number else ""

    def _naming(self, why: str, clause: int) -> str:
        """A sentence with the clause that it follows from, if there is one."""
        return f"{why} ({self.clause(clause)})" if clause else why

    @property
    def derived(self) -> tuple[str, ...]:
        """The functions of the contract that the game leaves to the usual ones."""
        return tuple(sorted(name for name, rule in self.rules.items() if is_usual(rule)))

    def rule(self, name: str) -> Callable[..., Any]:
        """One of the game's rules, interpreted; the contract's default if the game has none.

        >>> from theriac.game import find
        >>> poison = find("poison")
        >>> poison.rule("time_limit")(poison.settings({"players": 3, "first": 0}).options)
        0
        """
        rule = self.rules.get(name) or vars(contract)[name]
        return self._linked(rule) if is_usual(rule) else rule

    def _linked(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        """A rule of the engine, interpreted, with this game's rules in its slots."""
        linked: Callable[..., Any] = Linker(fill_slots(self.rules, self.shape)).build(rule)
        return linked

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
        from theriac.game.batch_source import GameBatchSource

        if device not in ("cpu", "cuda"):
            raise BadOption(f"option device: {quote(device)} is not cpu or cuda")
        if device == "cuda" and threads is not None:
            raise BadOption("option threads: it is for the CPU only; leave it out for cuda")
        batch = GameBatchSource(self, settings, n, device, auto_reset, threads).make()
        batch.reset(seed)
        return batch

    def kernels(self) -> Kernels:
        """The kernels of the game on a GPU, built once."""
        return _kernels(self.module)

    def usual_settings(self, given: Mapping[str, Any]) -> Settings:
        """The settings of simulated games: if not given, the usual number of players, and seat 0
        first; raises `Fault`.

        >>> from theriac.game import find
        >>> find("poison").usual_settings({}).players
        4
        """
        return self.settings({"players": self.usual_players, "first": 0, **given})

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
            why = "option players is missing: give a number of players"
            raise BadOption(self._naming(why, self.players_clause))
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
            raise BadDeck(self._naming(f"option deck: {error}", self.deck_clause)) from None

    def _fill(self, text: Text, options: Any) -> None:
        try:
            if self.fill_options:
                self.fill_options(options, text)
            else:
                self._fill_deck(options, text)
                self._check_pack(text)
        except BadDeck as error:
            raise BadDeck(self._naming(str(error), self.deck_clause), error.card) from None

    def _fill_deck(self, options: Any, text: Text) -> None:
        """Write the deck into the field `deck`: a count of each card, or the set of them.

        A game without that field is played with its own cards only.
        """
        numbers = text.numbers()
        for card, n in text.deck.counts.items():
            if card not in numbers:
                raise BadDeck(f"card {quote(card)}: there is no such card in {self.name}", card)
            if "deck" not in (self.shape.options.names or ()):
                continue
            if self.shape.options["deck"].shape:
                options.deck[numbers[card]] = n
            elif n > 1:
                raise BadDeck(f"card {card}: {n} of them, but each card is there once", card)
            else:
                options.deck |= 1 << numbers[card]
        if "deck" not in (self.shape.options.names or ()) and text.deck != self.shipped:
            raise BadDeck(f"{self.name} is played with its own cards only: leave out the deck")

    def _check_pack(self, text: Text) -> None:
        """Raise `BadDeck` if a pile could have more cards than its buffer."""
        numbers = text.numbers()
        cards = [(numbers[card], n) for card, n in text.deck.counts.items() if card in numbers]
        limit = self.shape.pack
        most = max(
            sum(n for number, n in cards if first <= number <= last)
            for first, last in self.shape.piles
        )
        if most > limit and text.deck == self.shipped:
            raise BadDeck(
                f"the deck has {most} cards, but pack of SHAPE is {limit}: write pack={most}"
            )
        if most > limit:
            raise BadDeck(f"{most} cards are too many: {self.name} takes at most {limit}")

    def _check(self, text: Text, options: Any) -> None:
        fault = self.check_options(options, text.deck) if self.check_options else None
        if fault:
            why, clause = fault
            raise BadOption(self._naming(why, clause))
        if not len(text.deck):
            raise BadOption(self._naming("option deck: there are no cards in it", self.deck_clause))

    def check_deck(self, deck: Deck) -> tuple[list[BadDeck], list[str]]:
        """What makes a deck unplayable, and where it departs from the rulebook."""
        try:
            text = self.text(deck)
            self._fill(text, record(self.shape.options))
        except BadDeck as error:
            return [error], []
        remarks = text.remarks() or self.shipped.differences(deck)
        refusals = {players: self._refusal(deck, players) for players in self.players}
        if not all(refusals.values()):
            return [], remarks
        fewest = self.players[0]
        who = f"{fewest} players cannot" if len(refusals) == 1 else "no number of players can"
        where = "" if len(refusals) == 1 else f"for {fewest}, "
        return [BadDeck(f"{who} play with these cards: {where}{refusals[fewest]}")], remarks

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
    engine = Engine(game.module, game.rules, game.shape, speed)
    engine.origin = _engine, (module, speed)
    return engine


@functools.cache
def _kernels(module: str) -> Kernels:
    from theriac.engine.gpu.launch import Kernels

    game = _first_of(module)
    return Kernels(game.rules, game.shape, game.gpu)


def _first_of(module: str) -> Game:
    game: Game = importlib.import_module(module).GAMES[0]
    return game
