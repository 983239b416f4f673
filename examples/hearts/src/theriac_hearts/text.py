"""Hearts: cards, moves and positions as text."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck
from theriac.faults import BadDeck, quote
from theriac.game import Text
from theriac_hearts.sheet import score_round
from theriac_hearts.state import (
    CARDS,
    MALFORMED,
    MOVES,
    NONE,
    PASSED,
    PASSES,
    PASSING,
    RANKS,
    SEATS,
)

SUIT_LETTERS: Final = "CDSH"
SUIT_NAMES: Final = ("clubs", "diamonds", "spades", "hearts")
RANK_NAMES: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DIRECTIONS: Final = ("none", "left", "across", "right")
#: What is asked of the seat to act, by its number (PASSING, PLAYING).
ASKED: Final = ("pass", "card")

_NAMES: Final = tuple(suit + rank for suit in SUIT_LETTERS for rank in RANK_NAMES)
_NUMBERS: Final = {name: number for number, name in enumerate(_NAMES)}
_MOVE = re.compile(r"(~?)([A-Za-z][A-Za-z0-9]+)", re.ASCII)


def cards_in(cards: Any) -> list[int]:
    """The cards of a set, ascending."""
    return [card for card in range(CARDS) if (int(cards) >> card) & 1]


def cards_to_pass(v: Any) -> int:
    """HEA-06: how many more cards the seat that looks has to choose."""
    if v.phase != PASSING:
        return 0
    return min(PASSED - int(v.chosen[v.seat]), int(v.sizes[v.seat]))


class HeartsText(Text):
    """Cards are C2 … H10, SQ, HA; a move is SQ to play it, ~SQ to pass it on."""

    same_for_all = ("scores", "table")

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        for card, n in deck.counts.items():
            if card not in _NUMBERS:
                raise BadDeck(f"card {quote(card)}: not a suit and a rank, such as H10 or SQ", card)
            if n > 1:
                raise BadDeck(f"card {card}: {n} of them, but each card is there once", card)
        self.cards = tuple(name if name in deck.counts else "" for name in _NAMES)

    def remarks(self) -> list[str]:
        """Where the deck departs from HEA-01."""
        missing = CARDS - len(self.deck)
        if not missing:
            return []
        return [f"{CARDS - missing} cards instead of {CARDS} (HEA-01)"]

    # Moves

    def write(self, move: int) -> str:
        """SQ, or ~SQ for a card passed on."""
        return _NAMES[move] if move < PASSES else f"~{_NAMES[move - PASSES]}"

    def write_public(self, move: int) -> str:
        """~ for a card passed on, which only its giver and its receiver know (HEA-09)."""
        return "~" if move >= PASSES else self.write(move)

    def read(self, text: str) -> int:
        """The number of a move's text."""
        card = _NUMBERS.get(text.removeprefix("~"))
        if card is None or not self.cards[card]:
            return MALFORMED
        return card + PASSES if text.startswith("~") else card

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Each card played, and each passed on."""
        return np.array([move for move in range(MOVES) if self.cards[move % CARDS]], np.int64)

    # Positions

    def table(self, v: Any) -> dict[str, Any]:
        """The keys of the record format."""
        return {
            "asked": ASKED[v.phase],
            "passing": DIRECTIONS[v.direction],
            "chosen": v.chosen.tolist(),
            "leader": None if v.leader == NONE else int(v.leader),
            "trick": self._trick(v.leader, v.trick, int(v.in_trick)),
            "last_trick": self._trick(v.last_leader, v.last_trick, SEATS),
            "broken": bool(v.broken),
            "tricks": v.won.tolist(),
            "points": v.points.tolist(),
            "hands": v.sizes.tolist(),
            "dealer": int(v.dealer),
        }

    def _trick(self, leader: Any, cards: Any, size: int) -> list[dict[str, Any]]:
        """The cards of a trick in the order played; none of a trick that nobody led."""
        if leader == NONE:
            return []
        return [{"seat": (int(leader) + i) % SEATS, "card": _NAMES[cards[i]]} for i in range(size)]

    def recall(self, v: Any) -> dict[str, Any]:
        """The cards passed on and received, how many are still to be passed on, and which suits
        each has shown to be out of.
        """
        return {
            "to_pass": cards_to_pass(v) if v.seat >= 0 else 0,
            "passed": self.names(v.my_passed),
            "received": self.names(v.my_received),
            "voids": [
                [letter for i, letter in enumerate(SUIT_LETTERS) if self._is_void(v, seat, i)]
                for seat in range(SEATS)
            ],
        }

    def _is_void(self, v: Any, seat: int, suit: int) -> bool:
        whole = ((1 << RANKS) - 1) << (RANKS * suit) & int(v.deck)
        return whole != 0 and whole & ~int(v.cannot[seat]) == 0

    def names(self, cards: Any) -> list[str]:
        """The cards of a set by their texts, sorted."""
        return sorted(_NAMES[card] for card in cards_in(cards))

    def hand(self, v: Any) -> list[str]:
        """One's own cards."""
        return self.names(v.hand)

    def sheet(self, before: Any, after: Any, move: int) -> dict[str, Any]:
        """HEA-17, HEA-18: what the round brought each seat."""
        return score_round(before, move)

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused."""
        parts = _MOVE.fullmatch(text)
        known = parts is not None and self.read(text) != MALFORMED
        card = parts[2] if parts else text
        if clause == 19:
            return "the game is over"
        if clause == 6:
            return self._explain_passing(v, text, card if known else "")
        if clause == 11:
            return f"{card} is not in hand" if known else "a move is a card, such as H10 or SQ"
        if clause == 10:
            return "the 2 of clubs leads to the first trick"
        if clause == 12:
            suit = SUIT_NAMES[v.trick[0] // RANKS]
            return f"{suit} were led, and you have some: follow suit"
        if clause == 13:
            return f"{card} costs points: not in the first trick, while you have other cards"
        return "hearts are not broken yet, and you have other suits to lead"

    def _explain_passing(self, v: Any, text: str, card: str) -> str:
        if v.phase != PASSING:
            return "no cards are passed on now" if card else "a move is a card, such as H10 or SQ"
        if card and not text.startswith("~"):
            return f"cards are passed on first: ~{card} passes that card"
        return f"{card} is not in hand" if card else "pass a card on, such as ~H10 or ~SQ"
