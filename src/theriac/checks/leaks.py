"""Open fields that tell what is hidden: the hands that a seat imagines, dealt from the start.

A seat cannot tell its game from one in which the others got the cards that it imagines for them. So
a game that is dealt like that must look the same to it. Only the start of a game is compared: later
the moves of the others might not fit their other cards.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from theriac.engine.build import Engine
from theriac.engine.contract import NATURE
from theriac.faults import listed
from theriac.game import Settings

#: Games that are dealt, and deals that each seat imagines in them.
_GAMES: Final = 5
_IMAGINED: Final = 5


@dataclass
class _Start:
    """A game at its first decision: the cards in the order dealt, and which seat got each."""

    g: Any
    cards: list[str]
    receivers: list[int | None]


class Leaks:
    """Compares the start of a game with one in which others have what a seat imagines."""

    def __init__(self, settings: Settings, engine: Engine) -> None:
        self._settings, self._engine, self._text = settings, engine, settings.text
        self._numbers = settings.text.numbers()

    def find(self, random: Any) -> str:
        """A sentence about a field that tells what is hidden; "" if none is found.

        `random` is the stream of what is imagined.
        """
        for number in range(_GAMES):
            start = self._deal_out(Random(number))
            for seat in range(self._settings.players):
                for _ in range(_IMAGINED):
                    if fields := self._differing(start, seat, random):
                        return _sentence(seat, fields)
        return ""

    def _deal_out(self, random: Random) -> _Start:
        start = _Start(self._engine.state(), [], [])
        self._engine.setup(start.g, self._settings.options)
        hands = self._hands(start.g)
        while start.g.to_act == NATURE and (left := self._left(start.g)):
            card = random.choice(left)
            self._engine.deal(start.g, self._numbers[card])
            before, hands = hands, self._hands(start.g)
            gained = [seat for seat, hand in enumerate(hands) if hand[card] > before[seat][card]]
            start.cards.append(card)
            start.receivers.append(gained[0] if len(gained) == 1 else None)
        return start

    def _differing(self, start: _Start, seat: int, random: Any) -> list[str]:
        """The fields in which a seat sees that others have not what it imagines."""
        view, imagined = self._see(start.g, seat), self._engine.state()
        self._engine.imagine(view, random, imagined)
        g = self._deal_again(self._dealt_as(imagined, start, seat))
        if g is None:
            return []
        again = self._see(g, seat)
        return [name for name in view.dtype.names if np.any(view[name] != again[name])]

    def _dealt_as(self, imagined: Any, start: _Start, viewer: int) -> list[str]:
        """The cards in the order in which the others get their imagined hands.

        A card that they have in both games comes in its own place: it may lie open.
        """
        cards = list(start.cards)
        hands, true_hands = self._hands(imagined), self._hands(start.g)
        for seat, (hand, true) in enumerate(zip(hands, true_hands, strict=True)):
            gained, lost = list((hand - true).elements()), true - hand
            for place, card in enumerate(start.cards):
                if seat != viewer and start.receivers[place] == seat and lost[card] and gained:
                    lost[card] -= 1
                    cards[place] = gained.pop()
        self._replace_doubled(cards, start)
        return cards

    def _replace_doubled(self, cards: list[str], start: _Start) -> None:
        """Put others for cards that went face down to no hand, and now are in one."""
        all_cards = Counter(start.cards) + Counter(self._left(start.g))
        doubled = Counter(cards) - all_cards
        free = list((all_cards - Counter(cards)).elements())
        for place, card in enumerate(cards):
            if start.receivers[place] is None and doubled[card]:
                doubled[card] -= 1
                cards[place] = free.pop()

    def _deal_again(self, cards: list[str]) -> Any:
        """A game with these cards; None if they cannot come in this order."""
        g = self._engine.state()
        self._engine.setup(g, self._settings.options)
        for card in cards:
            if g.to_act != NATURE or card not in self._left(g):
                return None
            self._engine.deal(g, self._numbers[card])
        return None if g.to_act == NATURE else g

    def _left(self, g: Any) -> list[str]:
        """The cards left in the pile from which the next one comes."""
        counts = np.zeros(self._engine.shape.cards, np.int16)
        self._engine.list_pile(g, int(g.pile), counts)
        return [card for card, number in self._numbers.items() for _ in range(counts[number])]

    def _hands(self, g: Any) -> list[Counter[str]]:
        """The cards that each seat of a state sees in its own hand."""
        seats = range(self._settings.players)
        return [Counter(self._text.hand(self._see(g, seat))) for seat in seats]

    def _see(self, g: Any, seat: int) -> Any:
        view = self._engine.view()
        self._engine.see(g, seat, view)
        return view


def _sentence(seat: int, fields: list[str]) -> str:
    where = listed([f"VIEW.{name}" for name in fields], "and")
    return (
        f"seat {seat} sees {listed(fields, 'and')} differ between deals that it cannot tell apart: "
        f"either {where} {'leaks' if len(fields) == 1 else 'leak'} what is hidden, or imagine "
        f"deals what it rules out"
    )
