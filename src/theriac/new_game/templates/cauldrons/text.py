"""Game Title: cards, moves and positions as text, and why a move is refused.

To fill in: how your cards and moves are written, and what lies open on the table.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck
from theriac.faults import BadDeck, quote
from theriac.game import Text

from .state import CARDS, MALFORMED, MOST_CARDS, MOVES, PILES

_NAMES: Final = tuple(str(card + 1) for card in range(CARDS))


class GameText(Text):
    """Cards are 1 … 7; a move is 5@2, the card and the pile."""

    #: The keys of `table` with one entry per seat.
    per_seat: ClassVar = ("hands",)

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        for card in deck.counts:
            if card not in _NAMES:
                raise BadDeck(f"card {quote(card)}: not a number from 1 to {CARDS}", card)
        if len(deck) > MOST_CARDS:
            raise BadDeck(f"{len(deck)} cards: use at most {MOST_CARDS}")
        self.cards = tuple(name if name in deck.counts else "" for name in _NAMES)

    # Moves

    def write(self, move: int) -> str:
        """5@2."""
        return f"{_NAMES[move // PILES]}@{move % PILES + 1}"

    def read(self, text: str) -> int:
        """The number of 5@2; below zero for a text that names no move."""
        for move in self.catalogue().tolist():
            if self.write(move) == text:
                return int(move)
        return MALFORMED

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Every move that this deck allows, ascending."""
        return np.array([move for move in range(MOVES) if self.cards[move // PILES]], np.int64)

    # Positions

    def table(self, v: Any) -> dict[str, Any]:
        """What lies open: these keys are in records and replays (`notation.md`)."""
        return {
            "sums": v.sums.tolist(),
            "heights": v.heights.tolist(),
            "hands": v.sizes[: int(v.players)].tolist(),
        }

    def hand(self, v: Any) -> list[str]:
        """One's own cards, sorted."""
        return [_NAMES[card] for card in range(CARDS) for _ in range(int(v.hand[card]))]

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused, by the number of the clause."""
        if clause == 7:
            return "the game is over"
        if self.read(text) == MALFORMED:
            return "a move is a card and a pile, such as 5@2"
        return f"{text.partition('@')[0]} is not in hand"
