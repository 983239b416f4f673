"""Positions for the dungeon referee's own tests."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from theriac.games.dungeon.tests.referee import Dungeon, Laid
from theriac.games.dungeon.tests.referee_cards import tokens_of
from theriac.testing.referee import Refused

KNIGHT = "4444t3K"
FILL = "1111"
HANDS = {1: 6, 2: 4, 3: 4, 4: 4, 5: 4, 6: 3}  # KKD-04


def begun(
    start: str,
    *hands: str,
    pile: str = "1111 1111 1111 1111",
    knight: str = KNIGHT,
    won: str = "",
    **options: Any,
) -> Dungeon:
    """Seat 0 plays first, each seat holds the named cards and 1111s; won: the spells' deal."""
    size = HANDS[len(hands)]
    full = [[*hand.split(), *[FILL] * size][:size] for hand in hands]
    order = [hand[i] for i in range(size) for hand in full] + [start, *pile.split()]
    deals = [order, won.split()] if won else [order]
    given = {"players": len(hands), "first": 0, "deck": [*order, knight], **options}
    return Dungeon(given, deals)


def alone(start: str, mine: str, **options: Any) -> Dungeon:
    return begun(start, mine, **options)


def two(start: str, mine: str, theirs: str = "", **options: Any) -> Dungeon:
    return begun(start, mine, theirs, **options)


def played(game: Dungeon, moves: str) -> Dungeon:
    for text in moves.split():
        game.play(text)
    return game


def put(game: Dungeon, card: str, x: int, y: int, turned: bool = False, **marks: Any) -> None:
    """Lay a card by hand, with its tokens (or those named)."""
    laid = Laid(card, turned, **{"tokens": tokens_of(card), **marks})
    game.supply -= laid.tokens
    game.fort[x, y] = laid


def at(game: Dungeon, x: int, y: int) -> dict[str, Any]:
    """What the table shows of the card at this place."""
    found = [entry for entry in game.table()["fort"] if (entry["x"], entry["y"]) == (x, y)]
    assert len(found) == 1
    entry: dict[str, Any] = found[0]
    return entry


def clause(game: Dungeon, text: str) -> str:
    before = copy.deepcopy(game.__dict__)
    with pytest.raises(Refused) as caught:
        game.play(text)
    assert game.__dict__ == before, "a refused move changed something"
    return caught.value.clause


def ended(game: Dungeon) -> tuple[str | None, str | None]:
    assert game.legal() == [] or not game.over
    return game.outcome, game.why
