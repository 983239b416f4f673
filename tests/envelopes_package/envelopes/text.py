"""Envelopes as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from envelopes.state import CARDS, MALFORMED, NONE, SEATS
from theriac.deck import Deck
from theriac.faults import BadDeck
from theriac.game import Text


class EnvelopesText(Text):
    """A card is C1 … C7; a move is the card put into the envelope."""

    per_seat = ("hands", "chosen", "opened")
    seat_keys = ("first",)

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        if len(deck) < SEATS:
            raise BadDeck("at least 3 cards are needed, one for each player")
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

    def write_public(self, move: int) -> str:
        """Others see that a card was chosen, but not which."""
        return "~"

    def events(self, before: Any, after: Any, names: Sequence[str]) -> list[str]:
        """What was in the envelopes, if this move opened them."""
        if after.times_opened == before.times_opened:
            return []
        cards = [self.cards[card] for card in after.opened]
        pairs = [f"{name} {card}" for name, card in zip(names, cards, strict=True)]
        return [f"opened: {', '.join(pairs)}"]

    def table(self, v: Any) -> dict[str, Any]:
        """Who has chosen, and what was opened last."""
        return {
            "first": int(v.first),
            "hands": v.sizes.tolist(),
            "chosen": [bool(chosen) for chosen in v.chosen],
            "opened": [None if card == NONE else self.cards[card] for card in v.opened],
        }

    def hand(self, v: Any) -> list[str]:
        """One's own cards, including the one in the envelope."""
        return [name for card, name in enumerate(self.cards) if (int(v.hand) >> card) & 1]

    def recall(self, v: Any) -> dict[str, Any]:
        """The card that one has put into the envelope and waits with."""
        waits = v.seat >= 0 and v.chosen[v.seat]
        return {"choice": self.cards[v.choice] if waits else None}

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused."""
        return "the game is over" if clause == 6 else "a move is a card of your hand, such as C3"
