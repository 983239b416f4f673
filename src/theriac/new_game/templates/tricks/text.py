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

from .state import CARDS, MALFORMED, RANKS

SUIT_LETTERS: Final = "RGBY"
SUIT_NAMES: Final = ("red", "green", "blue", "yellow")
_NAMES: Final = tuple(f"{suit}{rank + 1}" for suit in SUIT_LETTERS for rank in range(RANKS))


class GameText(Text):
    """Cards are R1 … Y6; a move is a card."""

    #: The keys of `table` with one entry per seat, and those whose number is a seat.
    per_seat: ClassVar = ("hands", "won")
    seat_keys: ClassVar = ("dealer", "leader")

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        for card, n in deck.counts.items():
            if card not in _NAMES:
                raise BadDeck(f"card {quote(card)}: not R, G, B or Y and 1 to {RANKS}", card)
            if n > 1:
                raise BadDeck(f"card {card}: {n} of them, but each card is there once", card)
        self.cards = tuple(name if name in deck.counts else "" for name in _NAMES)

    # Moves

    def write(self, move: int) -> str:
        """R5."""
        return _NAMES[move]

    def read(self, text: str) -> int:
        """The number of R5; below zero for a text that names no move."""
        return self.cards.index(text) if text and text in self.cards else MALFORMED

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Every move that this deck allows, ascending."""
        return np.array([card for card in range(CARDS) if self.cards[card]], np.int64)

    # Positions

    def table(self, v: Any) -> dict[str, Any]:
        """What lies open: these keys are in records and replays (`notation.md`)."""
        players = int(v.players)
        return {
            "trick": [_NAMES[card] for card in v.trick[: int(v.in_trick)].tolist()],
            "leader": int(v.leader),
            "won": v.won[:players].tolist(),
            "hands": v.sizes[:players].tolist(),
            "dealer": int(v.dealer),
        }

    def hand(self, v: Any) -> list[str]:
        """One's own cards, sorted."""
        return sorted(_NAMES[card] for card in range(CARDS) if (int(v.hand) >> card) & 1)

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused, by the number of the clause."""
        if clause == 11:
            return "the game is over"
        if clause == 8:
            led = SUIT_NAMES[int(v.trick[0]) // RANKS]
            return f"{led} was led, and you have some: follow suit"
        if self.read(text) == MALFORMED:
            return "a move is a card, such as R5"
        return f"{text} is not in hand"
