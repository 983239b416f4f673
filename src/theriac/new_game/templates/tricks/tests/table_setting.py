"""Setting a table: who holds what, and what is played."""

from __future__ import annotations

from typing import Any

import pytest

import theriac
from theriac.faults import Fault, Refused
from theriac.match import Match


def sit(*rounds: str, **options: Any) -> Match:
    """A table whose deck is what is dealt in each round, card by card from the dealer's left.

    The last seat deals first, so seat 0 comes first.
    """
    deals = [cards.split() for cards in rounds]
    players = options.pop("players", 3)
    given = {"players": players, "first": players - 1, "deck": sorted(deals[0]), **options}
    return theriac.new("game_name", deals=deals, seed=bytes(32), **given)


def play(match: Match, moves: str) -> None:
    """Play moves one after another."""
    for move in moves.split():
        match.play(move)


def shown(match: Match, key: str) -> Any:
    """What lies open on the table."""
    return match.view()["table"][key]


def refused(match: Match, move: str) -> str:
    """What is said about a move that is not legal."""
    with pytest.raises(Refused) as caught:
        match.play(move)
    return f"{caught.value.why} ({caught.value.clause})"


def options_refused(**options: Any) -> str:
    """What is said about options that the game does not take."""
    with pytest.raises(Fault) as caught:
        theriac.new("game_name", **options)
    return str(caught.value)
