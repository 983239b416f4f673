"""Cards and moves as text: what records, the wire and people write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck
from theriac.faults import BadDeck, listed, quote


class Notation(ABC):
    """The notation of a game, for one deck.

    `cards` has the text of each card number ("" for a number that this deck does not use); `marks`
    are the marks that a card of this game can bear.
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

    def anyone(self, move: int) -> bool:
        """May a seat make this move that is not to act?"""
        return False

    def silent(self, v: Any) -> bool:
        """Must the players be silent in this VIEW?"""
        return False

    @abstractmethod
    def write(self, move: int) -> str:
        """The text of a move."""

    def shown(self, move: int) -> str:
        """The text of a move for those who did not make it: without what lies face down."""
        return self.write(move)

    @abstractmethod
    def read(self, text: str) -> int:
        """The number of a move's text; negative for a text that names no move."""

    @abstractmethod
    def catalogue(self) -> npt.NDArray[np.int64]:
        """Every move that is possible with this deck, ascending."""

    @property
    def actions(self) -> int:
        """The length of an action mask: one action per move, unless the game numbers its own."""
        return len(self.catalogue())

    def remarks(self) -> list[str]:
        """Where this deck departs from the rulebook, one sentence each."""
        return []

    def numbers(self) -> dict[str, int]:
        """The number of each card text."""
        return {text: number for number, text in enumerate(self.cards) if text}
