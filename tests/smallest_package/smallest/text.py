"""The smallest game as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from smallest.state import CARDS, MALFORMED
from theriac.deck import Deck
from theriac.faults import BadDeck
from theriac.game import Text


class SmallestText(Text):
    """A card is C1 … C6; a move is the card played."""

    per_seat = ("hands",)
    seat_keys = ("leader",)

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        if len(deck) < 2:
            raise BadDeck("at least 2 cards are needed, one for each player")
        self.cards = tuple(f"C{card + 1}" for card in range(CARDS))

    def write(self, move: int) -> str:
        """C3."""
        return self.cards[move]

    def read(self, text: str) -> int:
        """The number of a card."""
        return self.numbers().get(text, MALFORMED)

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Each card."""
        return np.arange(CARDS)

    def table(self, v: Any) -> dict[str, Any]:
        """The card led, who leads the round, and the sizes of the hands."""
        return {
            "led": self.cards[v.led] if v.in_trick else None,
            "leader": int(v.leader),
            "hands": v.sizes.tolist(),
        }

    def hand(self, v: Any) -> list[str]:
        """One's own cards."""
        return [name for card, name in enumerate(self.cards) if (int(v.hand) >> card) & 1]

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused."""
        return "the game is over" if clause == 5 else "a move is a card of your hand, such as C3"
