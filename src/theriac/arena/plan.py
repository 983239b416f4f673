"""Which games an arena or a lab plays: its tables, its line-ups, its deals.

All line-ups of a table play the very same deals: the luck of the deal is the same for every bot.

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

Key = tuple[int, int, int]


class Study(msgspec.Struct, frozen=True):
    """What a lab looks at after each game: so many of its decisions, with so many playouts."""

    decisions: int
    playouts: int


class Bar(msgspec.Struct, frozen=True):
    """A bot that had to be stopped: from which move on it is not asked, and why."""

    move: int
    why: str


class Seating(msgspec.Struct, frozen=True):
    """One game to be played: its deal, and which bot has which seat.

    The key is the number of the table, of the deal and of the line-up. `seeds` has a seed for each
    bot, which depends on the deal and the bot alone.
    """

    key: Key
    game: str
    options: dict[str, Any]
    seed: bytes
    bots: tuple[str, ...]
    seeds: dict[str, int]
    study: Study | None = None
    barred: dict[str, Bar] = {}


class Setting(msgspec.Struct, frozen=True):
    """One kind of table: the options of its games, the line-ups, and a label for people."""

    label: str
    options: dict[str, Any]
    line_ups: list[tuple[str, ...]]

    @property
    def players(self) -> int:
        """How many seats there are."""
        return int(self.options["players"])


class Plan(msgspec.Struct, frozen=True):
    """All that decides which games are played and how they end."""

    kind: str
    game: str
    bots: tuple[str, ...]
    settings: list[Setting]
    deals: int
    seed: int
    limit: float
    study: Study | None = None
    theriac: str = __version__

    @property
    def games(self) -> int:
        """How many games there are in all."""
        return self.deals * sum(len(setting.line_ups) for setting in self.settings)

    def seatings(self) -> Iterator[Seating]:
        """Every game, deal by deal."""
        for deal in range(self.deals):
            for number, setting in enumerate(self.settings):
                yield from self._seatings(number, setting, deal)

    def _seatings(self, number: int, setting: Setting, deal: int) -> Iterator[Seating]:
        # The variants of a lab share their seeds; tables of an arena have their own.
        options = {} if self.study else setting.options
        seed = derive("deal", self.seed, self.game, options, setting.players, deal)
        for i, bots in enumerate(setting.line_ups):
            seeds = {bot: bot_seed(self.seed, seed, bot) for bot in bots}
            key = (number, deal, i)
            yield Seating(key, self.game, setting.options, seed, bots, seeds, self.study)


def derive(purpose: str, *parts: Any) -> bytes:
    """32 bytes that depend on all of these, by SHA-256."""
    text = json.dumps(["theriac arena 1", purpose, *parts], sort_keys=True)
    return hashlib.sha256(text.encode()).digest()


def bot_seed(arena_seed: int, deal: bytes, bot: str) -> int:
    """The seed of a bot for one deal, the same in every line-up."""
    return int.from_bytes(derive("bot", arena_seed, deal.hex(), bot)[:8], "big")


def name_options(options: Mapping[str, Any]) -> str:
    """A short name that differs for different options."""
    return derive("options", dict(options)).hex()[:12]


def line_ups(bots: Sequence[str], players: int, *, together: bool = False) -> list[tuple[str, ...]]:
    """Who sits where, so that every bot has every seat equally often.

    In a game won or lost together each bot has all seats. With as many bots as seats, these are all
    rotations. Otherwise each two bots meet: one alone on each seat in turn, the other on the rest.
    """
    if together or len(bots) == 1:
        return [(bot,) * players for bot in bots]
    if len(bots) == players:
        return [
            tuple(bots[(seat - turn) % players] for seat in range(players))
            for turn in range(players)
        ]
    meetings = (
        tuple(alone if other == seat else crowd for other in range(players))
        for pair in itertools.combinations(bots, 2)
        for alone, crowd in (pair, pair[::-1])
        for seat in range(players)
    )
    return list(dict.fromkeys(meetings))  # of two seats, each way once


def whole_deals(games: int, settings: Sequence[Setting]) -> int:
    """How many deals it takes to play at least so many games."""
    return -(-games // sum(len(setting.line_ups) for setting in settings))


def check_bots(bots: Sequence[str]) -> None:
    """Each bot at most once, since results are told by name; raises `Fault`."""
    twins = [bot for i, bot in enumerate(bots) if bot in bots[:i]]
    if twins:
        raise Fault(f"bot {quote(twins[0])} is named twice: name each bot once")
