"""What a seat can know, computed by the independent referee, without the code of any view.

A deal is possible for a seat if, with the same moves played, it would have been shown the same at
every moment. All orders of a shuffle are equally likely, so the probability of an arrangement of
the hidden cards follows from counting orders.

Copies of a card are still different cards, and the seat has seen the copy that was played. If its
player held several copies, any of them can be that one: so an order of indistinguishable cards
represents several orders of distinguishable ones, and has that weight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.contract.referees import judge
from tests.contract.setups import Setup
from tests.referee import base

#: Every hand, and the cards still to be dealt, sorted.
Hidden = tuple[tuple[str, ...], ...]


def orders(cards: Counter[str]) -> Iterator[list[str]]:
    """Every order of the cards; copies of a card are not distinguished."""
    if not cards.total():
        yield []
    for card in sorted(cards):
        if cards[card]:
            cards[card] -= 1
            for rest in orders(cards):
                yield [card, *rest]
            cards[card] += 1


@dataclass
class Position:
    """A position in the first round of a game with a small deck."""

    setup: Setup
    deal: list[str]
    moves: list[str]

    @property
    def cards(self) -> Counter[str]:
        return Counter(self.setup.given["deck"])

    def begin(self, deal: list[str]) -> base.Game:
        return judge(self.setup, self.setup.given["first"], [deal])

    def history(self, seat: int) -> list[dict[str, Any]]:
        """What the seat has been shown so far, from the start."""
        referee = self.begin(self.deal)
        shown = [referee.seat_state(seat)]
        for move in self.moves:
            referee.play(move)
            shown.append(referee.seat_state(seat))
        return shown

    def possible(self, seat: int) -> Iterator[tuple[list[str], Hidden, int]]:
        """Every order of the shuffle that the seat cannot rule out, hidden cards and weight."""
        shown = self.history(seat)
        for deal in orders(self.cards):
            referee = self.begin(deal)
            weight = self._weight(referee, seat, shown)
            if weight:
                yield deal, hidden_in(referee), weight

    def _weight(self, referee: base.Game, seat: int, shown: list[dict[str, Any]]) -> int:
        """0 if the seat would have been shown something else."""
        weight = 1
        for before, move in zip(shown, self.moves, strict=False):
            if referee.seat_state(seat) != before or move not in referee.legal():
                return 0
            weight *= play_and_count(referee, move)
        return weight if referee.seat_state(seat) == shown[-1] else 0


def play_and_count(referee: base.Game, move: str) -> int:
    """Play a move; return how many copies of the card its player held."""
    assert referee.to_act is not None
    seat = referee.to_act
    before = Counter(referee.hand(seat))
    referee.play(move)
    left = before - Counter(referee.hand(seat))
    assert left.total() <= 1, "a move plays one card"
    return before[next(iter(left))] if left else 1


def hidden_in(referee: base.Game) -> Hidden:
    """Where the hidden cards are."""
    hands = [tuple(sorted(referee.hand(seat))) for seat in range(referee.players)]
    return (*hands, tuple(sorted(referee.pile)))


def random_position(setup: Setup, random: Random) -> Position:
    """Some moves into the first round, before a second shuffle is asked for."""
    deal = list(setup.given["deck"])
    random.shuffle(deal)
    referee = judge(setup, setup.given["first"], [deal])
    moves: list[str] = []
    for _ in range(random.randint(0, len(deal) // 2)):
        move = random.choice(referee.legal())
        try:
            referee.play(move)
        except base.NoShuffle:
            break
        moves.append(move)
    return Position(setup, deal, moves)
