"""Which games an arena or a lab plays: its table setups, line-ups and deals.

All line-ups of a table setup play the same deals (duplicate play), so every bot has the same luck.

>>> line_ups(("a", "b", "c"), 3)
[('a', 'b', 'c'), ('c', 'a', 'b'), ('b', 'c', 'a')]
>>> line_ups(("a", "b"), 3)[:4]
[('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a'), ('b', 'a', 'a')]
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from theriac import __version__
from theriac.faults import Fault, quote

#: The numbers of the table setup, the deal and the line-up.
GameKey = tuple[int, int, int]


class StudyConfig(msgspec.Struct, frozen=True):
    """How a lab studies a finished game: the number of its decisions, and of playouts for each."""

    decisions: int
    playouts: int


class LuckConfig(msgspec.Struct, frozen=True):
    """How the luck of a game is measured: the number of playouts from each state compared."""

    playouts: int


class Exclusion(msgspec.Struct, frozen=True):
    """A bot that had to be stopped: it is not asked from this move on."""

    move: int
    reason: str


class GameSpec(msgspec.Struct, frozen=True):
    """One game to play: its deal, and which bot has which seat.

    `seeds` has a seed for each bot, which depends on the deal and the bot alone.
    """

    key: GameKey
    game: str
    options: dict[str, Any]
    seed: bytes
    bots: tuple[str, ...]
    seeds: dict[str, int]
    study: StudyConfig | None = None
    luck: LuckConfig | None = None
    excluded: dict[str, Exclusion] = {}


class TableSetup(msgspec.Struct, frozen=True):
    """One kind of table: a label for people, the options of its games, and the line-ups."""

    label: str
    options: dict[str, Any]
    line_ups: list[tuple[str, ...]]

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self.options["players"])


class Schedule(msgspec.Struct, frozen=True):
    """Everything that determines which games are played. Stored as `arena.json`."""

    kind: str
    game: str
    bots: tuple[str, ...]
    setups: list[TableSetup] = msgspec.field(name="settings")  # its key in stored schedules
    deals: int
    seed: int
    limit: float
    study: StudyConfig | None = None
    luck: LuckConfig | None = None
    theriac: str = __version__

    @property
    def game_count(self) -> int:
        """The number of games."""
        return self.deals * sum(len(setup.line_ups) for setup in self.setups)

    def games(self) -> Iterator[GameSpec]:
        """Every game, deal by deal."""
        for deal in range(self.deals):
            for number, setup in enumerate(self.setups):
                yield from self._games_of(number, setup, deal)

    def _games_of(self, number: int, setup: TableSetup, deal: int) -> Iterator[GameSpec]:
        # The variants of a lab share their seeds; the table setups of an arena do not.
        options = {} if self.study else setup.options
        seed = derive("deal", self.seed, self.game, options, setup.players, deal)
        for i, bots in enumerate(setup.line_ups):
            seeds = {bot: bot_seed(self.seed, seed, bot) for bot in bots}
            key = (number, deal, i)
            yield GameSpec(key, self.game, setup.options, seed, bots, seeds, self.study, self.luck)


def derive(purpose: str, *parts: Any) -> bytes:
    """32 bytes that depend on all arguments, by SHA-256."""
    text = json.dumps(["theriac arena 1", purpose, *parts], sort_keys=True)
    return hashlib.sha256(text.encode()).digest()


def bot_seed(arena_seed: int, deal: bytes, bot: str) -> int:
    """The seed of a bot for one deal, the same in every line-up."""
    return int.from_bytes(derive("bot", arena_seed, deal.hex(), bot)[:8], "big")


def options_id(options: Mapping[str, Any]) -> str:
    """A short id that differs for different options."""
    return derive("options", dict(options)).hex()[:12]


def line_ups(bots: Sequence[str], players: int, *, together: bool = False) -> list[tuple[str, ...]]:
    """Which bot has which seat, so that every bot has every seat equally often.

    In a game that all win or lose together, each bot has all seats. With as many bots as seats, the
    line-ups are all rotations. Otherwise they are all pairs of bots: one has a single seat, each in
    turn, and the other has the rest.
    """
    if together or len(bots) == 1:
        return [(bot,) * players for bot in bots]
    if len(bots) == players:
        return [
            tuple(bots[(seat - turn) % players] for seat in range(players))
            for turn in range(players)
        ]
    pairings = (
        tuple(single if other == seat else rest for other in range(players))
        for pair in itertools.combinations(bots, 2)
        for single, rest in (pair, pair[::-1])
        for seat in range(players)
    )
    return list(dict.fromkeys(pairings))  # with two seats, each pairing would come twice


def deals_for(games: int, setups: Sequence[TableSetup]) -> int:
    """The number of deals that makes at least this many games."""
    return -(-games // sum(len(setup.line_ups) for setup in setups))


def check_distinct(bots: Sequence[str]) -> None:
    """Raise `Fault` if a bot is named twice: results are listed by name."""
    repeated = [bot for i, bot in enumerate(bots) if bot in bots[:i]]
    if repeated:
        raise Fault(f"bot {quote(repeated[0])} is named twice: name each bot once")
