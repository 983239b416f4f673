"""Cards and moves as text: what records, the wire and people write."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck
from theriac.faults import BadDeck, listed, quote


class MoveTexts(dict[int, str]):
    """The texts of moves by their numbers, each written when it is first needed."""

    def __init__(self, notation: Notation) -> None:
        super().__init__()
        self._notation = notation
        #: What `read` makes of these texts.
        self.numbers: dict[str, int] = {}

    def __missing__(self, move: int) -> str:
        text = self[move] = self._notation.write(move)
        self.numbers[text] = self._notation.read(text)
        return text


class Notation(ABC):
    """The notation of a game, for one deck.

    `cards` has the text of each card number ("" for a number that this deck does not use); `marks`
    are the marks that a card of this game can bear.
    """

    cards: tuple[str, ...]
    marks: ClassVar[tuple[str, ...]] = ()

    def __init__(self, deck: Deck) -> None:
        for mark in deck.marks:
            if not self.marks:
                raise BadDeck(f"mark {quote(mark)}: leave it out: cards of this game bear no marks")
            if mark not in self.marks:
                raise BadDeck(f"mark {quote(mark)}: use {listed(list(self.marks))}")
        self.deck = deck

    @abstractmethod
    def write(self, move: int) -> str:
        """The text of a move."""

    def write_public(self, move: int) -> str:
        """The text of a move for those who did not make it: without what lies face down."""
        return self.write(move)

    @abstractmethod
    def read(self, text: str) -> int:
        """The number of a move's text; negative for a text that names no move."""

    @functools.cached_property
    def move_texts(self) -> MoveTexts:
        """The texts of moves that were legal once: to look one up takes less time than `write`."""
        return MoveTexts(self)

    def number_of(self, text: str) -> int:
        """The same as `read`, which takes longer, for a text that may be in `move_texts`."""
        number = self.move_texts.numbers.get(text)
        return self.read(text) if number is None else number

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

    def is_pointable(self, text: str) -> bool:
        """Does this text name a card or a place? A gesture points at those; words would be talk."""
        return text in self.numbers()
