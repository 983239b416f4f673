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

from .state import CARDS, MALFORMED, MOVES, PLACES, SIDE

_NAMES: Final = tuple(str(card + 1) for card in range(CARDS))
_OUTCOMES: Final = (None, "won", "lost")


class GameText(Text):
    """Cards are 1 … 4; a move is 3@b2, the card and its place (column a to e, row 1 to 5)."""

    #: The keys of `table` with one entry per seat.
    per_seat: ClassVar = ("hands",)

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        for card in deck.counts:
            if card not in _NAMES:
                raise BadDeck(f"card {quote(card)}: not a number from 1 to {CARDS}", card)
        self.cards = tuple(name if name in deck.counts else "" for name in _NAMES)

    # Moves

    def write(self, move: int) -> str:
        """3@b2."""
        place = move % PLACES
        return f"{_NAMES[move // PLACES]}@{'abcde'[place % SIDE]}{place // SIDE + 1}"

    def read(self, text: str) -> int:
        """The number of 3@b2; below zero for a text that names no move."""
        for move in self.catalogue().tolist():
            if self.write(move) == text:
                return int(move)
        return MALFORMED

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Every move that this deck allows, ascending."""
        return np.array([move for move in range(MOVES) if self.cards[move // PLACES]], np.int64)

    # Positions

    def table(self, v: Any) -> dict[str, Any]:
        """What lies open: these keys are in records and replays (`notation.md`)."""
        rows = v.grid.reshape(SIDE, SIDE).tolist()
        return {
            "grid": ["".join(str(value) if value else "." for value in row) for row in rows],
            "hands": v.sizes[: int(v.players)].tolist(),
            "left": int(v.left),
            "outcome": _OUTCOMES[int(v.outcome)],
        }

    def hand(self, v: Any) -> list[str]:
        """One's own cards, sorted."""
        return [_NAMES[card] for card in range(CARDS) for _ in range(int(v.hand[card]))]

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused, by the number of the clause."""
        card, _, place = text.partition("@")
        if clause == 10:
            return "the game is over"
        if clause == 6:
            return f"no card lies next to {place}"
        if clause == 7:
            return f"a neighbour of {place} differs from {card} by more than 1"
        if self.read(text) == MALFORMED:
            return "a move is a card and a place, such as 3@b2"
        return f"{place} is taken" if card in self.hand(v) else f"{card} is not in hand"
