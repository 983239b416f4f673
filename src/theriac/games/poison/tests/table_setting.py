"""Setting a table: who holds what, and what is played."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import theriac
from theriac.faults import BadOption, Refused
from theriac.game import find
from theriac.match import Match

DECK = find("poison").shipped.cards()


def shuffled(seed: int = 1) -> list[str]:
    """All fifty cards in some order."""
    return Random(seed).sample(DECK, len(DECK))


def receivers(cards: int, players: int, dealer: int) -> list[int | None]:
    """Who gets each card: one by one from the dealer's left; None is the hand taken out."""
    seats: list[int | None] = [(dealer + 1 + i) % players for i in range(players)]
    if players == 3:
        seats.append(None)
    return [seats[i % len(seats)] for i in range(cards)]


def a_deal(hands: dict[int, str], players: int = 4, dealer: int = 0) -> list[str]:
    """A shuffle of all fifty cards that gives these cards to these seats, and the rest anyhow."""
    named = {seat: cards.split() for seat, cards in hands.items()}
    rest = Counter(shuffled()) - Counter(card for cards in named.values() for card in cards)
    others = [card for card in shuffled() if rest[card] > 0]
    order = []
    for seat in receivers(len(DECK), players, dealer):
        mine = named.get(-1 if seat is None else seat)
        if mine:
            order.append(mine.pop(0))
        else:
            card = next(card for card in others if rest[card] > 0)
            rest[card] -= 1
            order.append(card)
    return order


def sit(hands: dict[int, str] | None = None, **options: Any) -> Match:
    """A table with the shipped deck; four players by default, seat 0 deals by default."""
    options = {"players": 4, "first": 0, **options}
    deal = a_deal(hands or {}, options["players"], options["first"])
    seed = bytes(32)
    return theriac.new("poison", deals=[deal], seed=seed, **options)


def sit_small(*rounds: str, **options: Any) -> Match:
    """A table whose deck is dealt in this order in each round, from the dealer's left."""
    deals = [cards.split() for cards in rounds]
    options = {"players": 4, "first": 0, "deck": sorted(deals[0]), **options}
    return theriac.new("poison", deals=deals, **options)


def play(match: Match, moves: str) -> None:
    """Play moves one after another."""
    for move in moves.split():
        match.play(move)


def play_any(match: Match, moves: int) -> None:
    """Play this many moves, any legal ones."""
    for _ in range(moves):
        legal = match.legal()
        match.play(legal[len(match.moves) % len(legal)])


def shown(match: Match, key: str) -> Any:
    """The public part of the position."""
    return match.view()["table"][key]


def refused(match: Match, move: str) -> str:
    """The refusal of an illegal move, which must change nothing."""
    before = [match.view(), *(match.view(seat) for seat in range(match.players))]
    with pytest.raises(Refused) as caught:
        match.play(move)
    assert [match.view(), *(match.view(seat) for seat in range(match.players))] == before
    assert str(caught.value) == f"{move}: {caught.value.why} ({caught.value.clause})"
    return f"{caught.value.why} ({caught.value.clause})"


def options_refused(**options: Any) -> str:
    """The error for options that the game refuses."""
    with pytest.raises(BadOption) as caught:
        theriac.new("poison", **options)
    return str(caught.value)
