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

from .state import CARDS, CHOICES, LAY, MALFORMED, MOST_CARDS

_NAMES: Final = tuple(str(card + 1) for card in range(CARDS))


class GameText(Text):
    """Cards are 1 … 7; 5 lays a card, 5=5 takes an equal one, 5=2+3 takes a pair."""

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
        """5=, 5=5 or 5=2+3."""
        value, least = move // CHOICES + 1, move % CHOICES
        if least == LAY:
            return f"{value}="  # digits alone would be a place in the list of moves
        return f"{value}={value}" if least == value else f"{value}={least}+{value - least}"

    def read(self, text: str) -> int:
        """The number of 5=2+3; below zero for a text that names no move."""
        for move in self.catalogue().tolist():
            if self.write(move) == text:
                return int(move)
        return MALFORMED

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Every move that this deck allows, ascending."""
        values = [card + 1 for card in range(CARDS) if self.cards[card]]
        return np.array(
            [
                CHOICES * (value - 1) + least
                for value in values
                for least in (LAY, *range(1, value // 2 + 1), value)
            ],
            np.int64,
        )

    # Positions

    def table(self, v: Any) -> dict[str, Any]:
        """What lies open: these keys are in records and replays (`notation.md`)."""
        return {
            "open": self._list(v.open),
            "hands": v.sizes[: int(v.players)].tolist(),
            "left": int(v.left),
        }

    def hand(self, v: Any) -> list[str]:
        """One's own cards, sorted."""
        return self._list(v.hand)

    def _list(self, counts: Any) -> list[str]:
        return [_NAMES[card] for card in range(CARDS) for _ in range(int(counts[card]))]

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused, by the number of the clause."""
        card = text.partition("=")[0]
        if clause == 9:
            return "the game is over"
        if clause == 8:
            return f"{card} can take something, so it must"
        if clause == 7:
            return "what it would take does not lie open"
        if self.read(text) == MALFORMED:
            return "a move is a card and what it takes, such as 5=, 5=5 or 5=2+3"
        return f"{card} is not in hand"
