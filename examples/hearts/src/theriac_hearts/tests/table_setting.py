"""Setting a table: who holds what, and what is played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import theriac
from theriac.faults import Fault, Refused
from theriac.game import find
from theriac.match import Match

GAME = find("hearts")
DECK = GAME.shipped.cards()


def dealt(hands: dict[int, str], dealer: int = 3, seed: int = 1) -> list[str]:
    """A shuffle of all cards that gives these cards to these seats, and the rest anyhow."""
    named = {seat: cards.split() for seat, cards in hands.items()}
    taken = {card for cards in named.values() for card in cards}
    rest = [card for card in Random(seed).sample(DECK, len(DECK)) if card not in taken]
    full = []
    for seat in range(4):
        mine = named.get(seat, [])
        more = 13 - len(mine)
        full.append(" ".join([*mine, *rest[:more]]))
        rest = rest[more:]
    return deal_out(full, dealer)


def deal_out(hands: list[str], dealer: int) -> list[str]:
    """The shuffle that gives each seat its hand, from the dealer's left."""
    rows = [hand.split() for hand in hands]
    return [rows[(dealer + 1 + i) % 4][n] for n in range(len(rows[0])) for i in range(4)]


def sit(hands: dict[int, str] | None = None, **options: Any) -> Match:
    """A table with all cards; seat 3 deals, so seat 0 comes first; by default nobody passes."""
    options = {"players": 4, "first": 3, "passing": "none", **options}
    deal = dealt(hands or {}, options["first"])
    return theriac.new("hearts", deals=[deal], seed=bytes(32), **options)


def sit_small(*rounds: str, **options: Any) -> Match:
    """A table whose deck is what is dealt in each round, card by card from the dealer's left."""
    deals = [cards.split() for cards in rounds]
    base = {"players": 4, "first": 3, "passing": "none", "target": 0, "deck": sorted(deals[0])}
    return theriac.new("hearts", deals=deals, **{**base, **options})


def play(match: Match, moves: str) -> None:
    """Play moves one after another."""
    for move in moves.split():
        match.play(move)


def play_any(match: Match, moves: int) -> None:
    """Play moves, whichever they are."""
    for _ in range(moves):
        legal = match.legal()
        match.play(legal[len(match.moves) % len(legal)])


def shown(match: Match, key: str) -> Any:
    """What lies open on the table."""
    return match.view()["table"][key]


def refused(match: Match, move: str) -> str:
    """What is said about a move that is not legal, which changes nothing."""
    before = [match.view(), *(match.view(seat) for seat in range(4))]
    with pytest.raises(Refused) as caught:
        match.play(move)
    assert [match.view(), *(match.view(seat) for seat in range(4))] == before
    return f"{caught.value.why} ({caught.value.clause})"


def options_refused(**options: Any) -> str:
    """What is said about options that the game does not take."""
    with pytest.raises(Fault) as caught:
        theriac.new("hearts", **options)
    return str(caught.value)
