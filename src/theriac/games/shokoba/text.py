"""Shokoba: cards, moves and positions as text."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from theriac.deck import Deck
from theriac.faults import BadDeck, quote
from theriac.game import Text
from theriac.games.shokoba.rules import side_of
from theriac.games.shokoba.sheet import score_round, sides_of
from theriac.games.shokoba.state import (
    BANG,
    BASE,
    CARDS,
    CLAIM,
    GEMS,
    HIGHEST,
    MALFORMED,
    MOST_CAPTURED,
    NO_SUCH_CARD,
    NONE,
    NOTHING,
    PASS,
    TOO_MANY,
    fault_number,
)

LETTERS: Final = "SRED"
NAMES: Final = ("sapphires", "rubies", "emeralds", "diamonds")
#: SHO-01: how many cards of each gem.
USUAL: Final = (27, 9, 3, 1)

_CARD = r"[A-Za-z][0-9]+"
_CARDS = rf"{_CARD}(?:\+{_CARD})*"
_MOVE = re.compile(rf"({_CARD})(?:(!)|=({_CARDS}))?", re.ASCII)
_CLAIM = re.compile(rf"claim=({_CARDS})", re.ASCII)
_SHIPPED = re.compile(r"([SRED])([1-9]|10)", re.ASCII)


def name_card(card: int) -> str:
    """The text of a card number."""
    return f"{LETTERS[card % GEMS]}{card // GEMS + 1}"


class ShokobaText(Text):
    """Cards are S3, R10, E7, D7; moves are S4, E7=S3+R4, E7!, claim=S3+R4 and pass."""

    same_for_all = ("scores", "table", "recall")

    def __init__(self, deck: Deck) -> None:
        super().__init__(deck)
        for card in deck.counts:
            if not _SHIPPED.fullmatch(card):
                raise BadDeck(
                    f"card {quote(card)}: not S, R, E or D and a value from 1 to 10", card
                )
        names = [name_card(card) for card in range(CARDS)]
        self.cards = tuple(name if name in deck.counts else "" for name in names)
        self.counts = [deck.counts.get(name, 0) for name in names]
        self._numbers = self.numbers()
        self._written: dict[int, str] = {}

    def count_gem(self, gem: int) -> int:
        """How many cards of a gem there are."""
        return sum(self.counts[gem::GEMS])

    def remarks(self) -> list[str]:
        """Where the deck departs from SHO-01."""
        found = []
        if len(self.deck) != CARDS:
            found.append(f"{len(self.deck)} cards instead of {CARDS} (SHO-01)")
        for gem, usual in enumerate(USUAL):
            if self.count_gem(gem) != usual:
                found.append(f"{self.count_gem(gem)} {NAMES[gem]} instead of {usual} (SHO-01)")
        return found

    # Moves

    @functools.cached_property
    def captures(self) -> list[tuple[int, ...]]:
        """Every set of cards of this deck that adds up to 10 or less, each in ascending order."""
        return [cards for cards in self._sets(0, HIGHEST) if cards]

    def _sets(self, lowest: int, most: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for card in range(lowest, CARDS):
            value = card // GEMS + 1
            if value > most:
                return
            for n in range(1, min(self.counts[card], most // value) + 1):
                for rest in self._sets(card + 1, most - n * value):
                    yield (card,) * n + rest

    @functools.cached_property
    def _catalogue(self) -> npt.NDArray[np.int64]:
        moves = [PASS]
        for card in range(CARDS):
            if self.counts[card]:
                moves += [card, number(card, (BANG - 1,))]
        for captured in self.captures:
            moves.append(number(CLAIM, captured))
            value = sum(card // GEMS + 1 for card in captured)
            for card in range(GEMS * (value - 1), GEMS * value):
                if self.counts[card] > captured.count(card):
                    moves.append(number(card, captured))
        return np.array(sorted(moves), np.int64)

    def catalogue(self) -> npt.NDArray[np.int64]:
        """Lay, overlook, every capture by each card, every claim, pass."""
        return self._catalogue

    def write(self, move: int) -> str:
        """S4, E7=S3+R4, E7!, claim=S3+R4 or pass."""
        if move not in self._written:
            self._written[move] = self._write(move)
        return self._written[move]

    def _write(self, move: int) -> str:
        rest, played = divmod(move, BASE)
        if played == PASS:
            return "pass"
        card = "claim" if played == CLAIM else self.cards[played]
        if rest == BANG:
            return f"{card}!"
        captured = []
        while rest:
            rest, digit = divmod(rest, BASE)
            captured.append(self.cards[digit - 1])
        return f"{card}={'+'.join(captured)}" if captured else card

    def read(self, text: str) -> int:
        """The number of a move's text."""
        if text == "pass":
            return PASS
        claim = _CLAIM.fullmatch(text)
        if claim:
            return self._read_capture(CLAIM, claim[1])
        if text.startswith("claim="):
            return fault_number(MALFORMED, CLAIM)
        move = _MOVE.fullmatch(text)
        if not move:
            return fault_number(MALFORMED, NOTHING)
        card = self._numbers.get(move[1])
        if card is None:
            return fault_number(NO_SUCH_CARD, NOTHING)
        if move[2]:
            return number(card, (BANG - 1,))
        return self._read_capture(card, move[3]) if move[3] else card

    def _read_capture(self, played: int, cards: str) -> int:
        captured = [self._numbers.get(card) for card in cards.split("+")]
        known = [card for card in captured if card is not None]
        if len(known) < len(captured):
            return fault_number(NO_SUCH_CARD, played)
        if len(known) > MOST_CAPTURED:
            return fault_number(TOO_MANY, played)
        return number(played, tuple(known))

    # Positions

    def table(self, v: Any) -> dict[str, Any]:
        """The keys of the record format."""
        seats = range(int(v.players))
        captured = v.captured.tolist()
        return {
            "open": [self.cards[card] for card in v.table[: v.on_table].tolist()],
            "captured": [captured[side_of(v, seat)] for seat in seats],
            "hands": v.sizes[: v.players].tolist(),
            "deck": int(v.left),
            "dealer": int(v.dealer),
            "shokobas": v.shokobas[: v.players].tolist(),
            "last_capture": None if v.last_capture == NONE else int(v.last_capture),
        }

    def recall(self, v: Any) -> dict[str, Any]:
        """SHO-02, SHO-03, SHO-23: who counts together, and the gems that win."""
        return {"sides": sides_of(v), "target": int(v.target)}

    def hand(self, v: Any) -> list[str]:
        """One's own cards."""
        return sorted(self.cards[card] for card in v.hand[: v.sizes[v.seat]].tolist())

    def sheet(self, before: Any, after: Any, move: int) -> dict[str, Any]:
        """SHO-17, SHO-19: the piles of the round, and who got a gem for what."""
        return score_round(before, move, self.cards)

    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused."""
        card = re.split("[!=]", text)[0]
        if clause == 21:
            return "the game is over"
        if clause == 1:
            return "it names a card that is not in the deck"
        if clause == 9:
            return self._explain_form(text, card)
        if clause == 10:
            return "the captured cards must lie on the table and add up to the card played"
        if clause == 11:
            return (
                f"{card} can capture, so it must" if text == card else "nothing may be overlooked"
            )
        if clause == 12:
            return "name the captured cards in ascending order, of equal values S, R, E, D"
        if clause == 13:
            return "a card of equal value lies there, so just that one must be taken"
        if text.startswith("claim="):
            return "nothing is open to a claim"
        if v.laid != NONE:
            return f"first claim what {self.cards[v.laid]} could have captured, or pass"
        return f"{card} could not have captured anything"

    def _explain_form(self, text: str, card: str) -> str:
        if text == "pass":
            return "there is nothing to decline"
        if _MOVE.fullmatch(text):
            return f"{card} is not in hand"
        if text.startswith("claim="):
            return "a claim names cards, such as claim=S3+R4"
        return "a move is a card such as S4, or a capture such as E7=S3+R4"


def number(played: int, captured: tuple[int, ...]) -> int:
    """The number of a move that captures these cards, in this order."""
    digits = 0
    for card in reversed(captured):
        digits = digits * BASE + card + 1
    return digits * BASE + played
