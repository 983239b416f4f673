"""Poison: what a view holds, and what is imagined from it, card by card."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from theriac.engine.contract import SPECTATOR
from theriac.game import find
from theriac.games.poison.state import CAULDRONS, FOURTH, SEATS
from theriac.games.poison.tests.table_setting import play, play_any, sit, sit_small


@pytest.mark.clause("POI-06", "POI-13")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("moves", [0, 1, 17, 37, 60])
def test_every_card_is_somewhere_in_an_imagined_state(players: int, moves: int) -> None:
    """In a hand, in the hand taken out, or played; and the view itself stays true."""
    engine = find("poison").engine()
    match = sit(players=players)
    play_any(match, moves)
    chance = engine.chance()
    engine.seed_stream(chance.random, players, moves)
    for seat in range(players):
        v, g = match.look(seat).copy(), engine.state()
        engine.imagine(v, chance.random, g)
        played = Counter(move // CAULDRONS for move in v.log[: v.played].tolist())
        held = g.hands.sum(axis=0)
        assert [held[card] + played[card] for card in range(16)] == v.deck.tolist()
        assert g.hands[seat].tolist() == v.hand.tolist()
        assert g.hands.sum(axis=1).tolist() == g.sizes.tolist()
        sizes = [
            12 if players == 3 and other == FOURTH else v.sizes[other] for other in range(SEATS)
        ]
        assert g.sizes.tolist() == sizes


@pytest.mark.clause("POI-13")
def test_a_view_remembers_the_round_in_progress_only() -> None:
    match = sit()
    play_any(match, 50)
    v = match.look(1)
    assert (int(v.played), v.log.any(), v.took.any(), v.got.any()) == (0, False, False, False)


@pytest.mark.clause("POI-01", "POI-11", "POI-18")
def test_a_view_tells_a_board_the_numbers_of_the_rules() -> None:
    match = sit()
    for seat in (0, SPECTATOR):
        points = {"R": 1, "B": 1, "P": 1, "X": 2}
        assert match.recall(seat) == {"limit": 13, "poison": 4, "points": points}


@pytest.mark.clause("POI-13", "POI-16", "POI-18")
def test_with_open_piles_a_view_tells_what_they_would_cost() -> None:
    """Seat 0 takes X X R5, and nobody else has red."""
    deal = "X X R5 R7 B1 B1 P1 P1 R7 B1 B1 B1"
    match = sit_small(*[deal] * 4, open_piles=True)
    play(match, "X@1 X@1 R5@1 R7@1")
    nothing: dict[str, Any] = {"points": 0, "aside": []}
    assert match.recall(1)["so_far"] == [{"points": 4, "aside": ["red"]}, *[nothing] * 3]
    assert "so_far" not in sit_small(*[deal] * 4).recall(1)
