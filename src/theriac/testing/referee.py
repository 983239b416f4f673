"""What independent referees share: refusals, shuffles, and the shape of the replay output.

An independent referee is a slow, plain second copy of the rules of a game, for tests only, in
`tests/referee.py` of the folder of the game. Rules are otherwise written once; this is the one
exception: it is written from the clauses and the rulebook alone, without looking at the engine, so
that a test that compares the two is an independent check. It imports nothing from Theriac but this
module. When the two differ, read the clause: either may be wrong.
"""

from __future__ import annotations

import pickle
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Any, Self

#: shuffle(k, cards) gives the k-th shuffle (k from 0) of cards, first drawn first.
Shuffle = Callable[[int, list[str]], list[str]]


class Refused(Exception):
    """A move that is not legal; nothing has changed."""

    def __init__(self, clause: str) -> None:
        super().__init__(clause)
        self.clause = clause


class BadOption(ValueError):
    """An option that is unknown, of the wrong type, or not allowed (clause, where one says so)."""

    def __init__(self, why: str, clause: str | None = None) -> None:
        super().__init__(why if clause is None else f"{why} ({clause})")
        self.clause = clause


class BadDeal(ValueError):
    """A deal that is not a permutation of the cards its shuffle covers."""


class NoShuffle(ValueError):
    """A shuffle with neither a deal nor a shuffle function."""


def read_options(
    options: dict[str, Any], defaults: dict[str, Any], players: range, players_clause: str
) -> dict[str, Any]:
    """The options with the defaults filled in; each must have exactly its default's type."""
    for name in options:
        if name not in ("players", "first") and name not in defaults:
            raise BadOption(f"unknown option {name}")
    for name in ("players", "first"):
        if name not in options:
            raise BadOption(f"option {name} is missing")
        if type(options[name]) is not int:
            raise BadOption(f"option {name} must be a whole number")
    if options["players"] not in players:
        raise BadOption("wrong number of players", players_clause)
    if options["first"] not in range(options["players"]):
        raise BadOption("option first is not a seat")
    for name, default in defaults.items():
        if name in options and type(options[name]) is not type(default):
            raise BadOption(f"option {name} has the wrong type")
    return {**defaults, **options}


class Game(ABC):
    """One game in progress. A subclass keeps its own table; this keeps shuffles and output."""

    name: str

    def __init__(
        self,
        options: dict[str, Any],
        deals: list[list[str]],
        shuffle: Shuffle | None = None,
        deck: list[str] | None = None,
    ) -> None:
        self.options = self.check_options(options)
        self.deck = self.shipped_deck() if deck is None else list(deck)
        self.deals = [list(deal) for deal in deals]
        self.shuffle = shuffle
        self.pile: list[str] = []  # the undealt cards, the next one first
        self.draws: list[int] = []  # for each shuffle so far, how many of its cards are dealt
        self.players: int = self.options["players"]
        self.over = False
        self.to_act: int | None = None
        self.round = 0
        self.winners: list[int] = []
        self.begin()

    def __deepcopy__(self, memo: object) -> Self:
        """Through pickle, which is many times faster: tests copy a referee for every move."""
        twin = object.__new__(type(self))
        own = {name: value for name, value in vars(self).items() if name != "shuffle"}
        vars(twin).update(pickle.loads(pickle.dumps(own, -1)), shuffle=self.shuffle)
        return twin

    # --- what a game says -------------------------------------------------------------------

    @abstractmethod
    def check_options(self, options: dict[str, Any]) -> dict[str, Any]: ...

    @abstractmethod
    def shipped_deck(self) -> list[str]: ...

    @abstractmethod
    def begin(self) -> None:
        """Deal the first round."""

    @abstractmethod
    def moves(self) -> list[str]:
        """The legal moves of a game that is not over, in any order, repeats allowed."""

    @abstractmethod
    def refusal(self, text: str) -> str | None:
        """The clause that refuses this text, or None if nothing does (written without moves())."""

    @abstractmethod
    def apply(self, text: str) -> None:
        """Carry out a legal move."""

    @abstractmethod
    def scores(self) -> list[int]: ...

    @abstractmethod
    def table(self) -> dict[str, Any]: ...

    @abstractmethod
    def hand(self, seat: int) -> list[str]: ...

    # --- what a test asks -------------------------------------------------------------------

    def legal(self) -> list[str]:
        return [] if self.over else sorted(set(self.moves()))

    def play(self, text: str) -> None:
        if text not in self.legal():
            clause = self.refusal(text)
            assert clause is not None, f"no clause refuses {text!r}, yet it is not listed"
            raise Refused(clause)
        self.apply(text)

    def state(self) -> dict[str, Any]:
        return {
            "game": self.name,
            "over": self.over,
            "to_act": self.to_act,
            "round": self.round,
            "scores": self.scores(),
            "winners": list(self.winners),
            "legal": self.legal(),
            "table": self.table(),
        }

    def seat_state(self, seat: int) -> dict[str, Any]:
        """What --seat prints. In both games every number in `table` is open to all, so no null."""
        if seat not in range(self.players):
            raise ValueError(f"no seat {seat}")
        view = self.state()
        view["hand"] = sorted(self.hand(seat))  # a game shows its own order
        if self.to_act != seat:
            view["legal"] = []
        return view

    # --- shuffles ---------------------------------------------------------------------------

    def new_pile(self) -> None:
        """The next shuffle, of the whole deck (POI-21, SHO-25)."""
        k = len(self.draws)
        if k < len(self.deals):
            order = list(self.deals[k])
        elif self.shuffle is not None:
            order = list(self.shuffle(k, list(self.deck)))
        else:
            raise NoShuffle(f"shuffle {k} has neither a deal nor a shuffle function")
        missing = Counter(self.deck) - Counter(order)
        extra = Counter(order) - Counter(self.deck)
        if missing or extra:
            raise BadDeal(f"deal {k}: missing {sorted(missing)}, extra {sorted(extra)}")
        self.pile = order
        self.draws.append(0)

    def draw(self) -> str:
        self.draws[-1] += 1
        return self.pile.pop(0)

    def finish_game(self, winners: list[int]) -> None:
        self.over = True
        self.to_act = None
        self.winners = sorted(winners)


def seeded(seed: int) -> Shuffle:
    """Some shuffle for every k, the same every time."""

    def shuffle(k: int, cards: list[str]) -> list[str]:
        random.Random(f"{seed}/{k}").shuffle(cards)
        return cards

    return shuffle


def in_given_order(k: int, cards: list[str]) -> list[str]:
    """No shuffle at all."""
    return cards
