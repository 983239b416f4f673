"""What a seat can know, computed by the independent referee, without the code of any view.

A deal is possible for a seat if, with the same moves played, it would have been shown the same at
every moment. All orders of a shuffle are equally likely, so the probability of an arrangement of
the hidden cards follows from counting orders.

Copies of a card are still different cards, and the seat has seen the copies that were played. If
their player held more, any of them can be those: so an order of indistinguishable cards represents
several orders of distinguishable ones, and has that weight.

A move whose text others get in another form (`Text.write_public`: a card chosen face down) is not
known to them: it may have been any move of which they would have got the same text. Each card that
its player could have chosen is equally likely.
"""

from __future__ import annotations

import copy
import functools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from theriac.testing import referee as base
from theriac.testing.referees import referee_at, referee_of
from theriac.testing.setups import Setup

#: Every hand, and the cards still to be dealt, sorted.
Hidden = tuple[tuple[str, ...], ...]
#: Games in which a secret move is looked for.
_TRIES = 50
#: A round that lasts longer is cut: with a part of a deck it may never end.
_LONGEST = 200


def orders(cards: Counter[str]) -> Iterator[list[str]]:
    """Every order of the cards, ascending; copies of a card are not distinguished."""
    order = sorted(cards.elements())
    while True:
        yield order.copy()
        # The next one: the last card that can grow does, and the cards after it begin again.
        place = len(order) - 2
        while place >= 0 and order[place] >= order[place + 1]:
            place -= 1
        if place < 0:
            return
        larger = next(at for at in reversed(range(len(order))) if order[at] > order[place])
        order[place], order[larger] = order[larger], order[place]
        order[place + 1 :] = reversed(order[place + 1 :])


@dataclass(frozen=True)
class Possible:
    """An order of the shuffle and moves that a seat cannot rule out."""

    deal: list[str]
    moves: tuple[str, ...]
    hidden: Hidden
    weight: int


@dataclass
class Position:
    """A position in the first round of a game with a small deck."""

    setup: Setup
    deal: list[str]
    moves: list[str]

    @property
    def cards(self) -> Counter[str]:
        return Counter(self.setup.given["deck"])

    def after(self, length: int) -> Position:
        """The position after the first moves of this one."""
        return Position(self.setup, self.deal, self.moves[:length])

    @functools.cached_property
    def _kind(self) -> type[base.Game]:
        return referee_of(self.setup.game)

    def begin(self, deal: list[str]) -> base.Game:
        return referee_at(self.setup, self.setup.given["first"], [deal], kind=self._kind)

    def history(self, seat: int) -> list[dict[str, Any]]:
        """What the seat has been shown so far, from the start."""
        referee = self.begin(self.deal)
        shown = [referee.seat_state(seat)]
        for move in self.moves:
            referee.play(move)
            shown.append(referee.seat_state(seat))
        return shown

    def possible(self, seat: int) -> Iterator[Possible]:
        """Every order of the shuffle that the seat cannot rule out, with the moves made face down
        by others that it cannot rule out either.
        """
        shown = self.history(seat)
        for deal in orders(self.cards):
            yield from self._go_on(seat, shown, self.begin(deal), deal, (), 1)

    def _go_on(
        self,
        seat: int,
        shown: list[dict[str, Any]],
        referee: base.Game,
        deal: list[str],
        moves: tuple[str, ...],
        weight: int,
    ) -> Iterator[Possible]:
        """All continuations of this position that the seat was shown; changes the referee."""
        seen = shown[len(moves)]
        # The hand first: it rules out most deals, and is quick to look at.
        if sorted(referee.hand(seat)) != seen["hand"] or referee.seat_state(seat) != seen:
            return
        if len(moves) == len(self.moves):
            yield Possible(deal, moves, hidden_in(referee), weight)
            return
        alternatives = self._alternatives(seat, referee, self.moves[len(moves)])
        for left, move in zip(reversed(range(len(alternatives))), alternatives, strict=True):
            after = copy.deepcopy(referee) if left else referee
            count = play_and_count(after, move)
            yield from self._go_on(seat, shown, after, deal, (*moves, move), weight * count)

    def _alternatives(self, seat: int, referee: base.Game, move: str) -> list[str]:
        """The legal moves that this seat cannot tell from the one that was made."""
        legal = referee.legal()
        if referee.to_act == seat or self._public(move) == move:
            return [move] if move in legal else []
        return [other for other in legal if self._public(other) == self._public(move)]

    def hides_last_move(self) -> bool:
        """Is there a seat that cannot tell the last move from another one?"""
        if self._public(self.moves[-1]) == self.moves[-1]:
            return False
        before = self.begin(self.deal)
        for move in self.moves[:-1]:
            before.play(move)
        return any(
            len(self._look_alike(seat, before)) > 1
            for seat in range(before.players)
            if seat != before.to_act
        )

    def _look_alike(self, seat: int, before: base.Game) -> list[str]:
        """The moves after which a seat is shown the same as after the last one."""
        shown: dict[str, dict[str, Any]] = {}
        for move in self._alternatives(seat, before, self.moves[-1]):
            after = copy.deepcopy(before)
            after.play(move)
            shown[move] = after.seat_state(seat)
        return [move for move in shown if shown[move] == shown[self.moves[-1]]]

    def _public(self, move: str) -> str:
        """The text of a move that others get."""
        text = self.setup.settings.text
        return text.write_public(text.read(move))


def play_and_count(referee: base.Game, move: str) -> int:
    """Play a move; return in how many ways its player could choose these copies of the cards."""
    assert referee.to_act is not None
    seat = referee.to_act
    before = Counter(referee.hand(seat))
    referee.play(move)
    left = before - Counter(referee.hand(seat))
    return math.prod(math.comb(before[card], n) for card, n in left.items())


def hidden_in(referee: base.Game) -> Hidden:
    """Where the hidden cards are."""
    hands = [tuple(sorted(referee.hand(seat))) for seat in range(referee.players)]
    return (*hands, tuple(sorted(referee.pile)))


def random_round(setup: Setup, random: Random) -> Position:
    """The first round at random, up to the last move after which a player is to act in it."""
    deal = list(setup.given["deck"])
    random.shuffle(deal)
    referee = referee_at(setup, setup.given["first"], [deal])
    moves: list[str] = []
    while not referee.over and len(moves) < _LONGEST:
        move = random.choice(referee.legal())
        try:
            referee.play(move)
        except base.NoShuffle:  # another round begins
            break
        if not referee.over:
            moves.append(move)
    return Position(setup, deal, moves)


def spread_positions(setup: Setup, random: Random, n: int) -> Iterator[Position]:
    """Positions of as many random games, the first early in the first round, the last late: so
    each phase of a round has its turn.
    """
    for part in range(n):
        whole = random_round(setup, random)
        yield whole.after(int((part + random.random()) / n * (len(whole.moves) + 1)))


def random_position(setup: Setup, random: Random) -> Position:
    """A position anywhere in the first round."""
    return next(spread_positions(setup, random, 1))


def secret_position(setup: Setup, random: Random) -> Position | None:
    """A random position after a move that some seat cannot tell from another; None if none is
    found.
    """
    for _ in range(_TRIES):
        whole = random_round(setup, random)
        for length in random.sample(range(1, len(whole.moves) + 1), len(whole.moves)):
            position = whole.after(length)
            if position.hides_last_move():
                return position
    return None
