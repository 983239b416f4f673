"""Shock!: what the heuristics of the bots know of the rules."""

from __future__ import annotations

import pytest

from theriac.bots import ask
from theriac.games.shock.bots import advise, loses_by_leaving
from theriac.games.shock.tests.table_setting import EDITIONS, last_round, play, play_tricks, sit
from theriac.match import Match

HANDS = ["H10 S10", "H4 S3", "H3 S4"]


def seat_0_leaves_with_jewels(match: Match) -> None:
    """Seat 1 is to act, and has nothing."""
    play_tricks(match, "H10 H4 H3")
    play(match, "w~S10")


@pytest.mark.parametrize("game", EDITIONS)
def test_nobody_leaves_the_last_round_with_fewer_jewels_than_another_has(game: str) -> None:
    match = last_round(game, HANDS)
    seat_0_leaves_with_jewels(match)
    question = ask(match)
    assert loses_by_leaving(question.view)
    leaving = [move for move in question.legal if "w~" in match.settings.text.write(move)]
    worst_other = min(advise(question.view, move) for move in set(question.legal) - set(leaving))
    assert all(advise(question.view, move) < worst_other for move in leaving)


@pytest.mark.parametrize("game", EDITIONS)
def test_in_other_rounds_and_with_as_many_jewels_one_may_leave(game: str) -> None:
    match = sit(game, HANDS)
    seat_0_leaves_with_jewels(match)
    assert not loses_by_leaving(ask(match).view)
    match = last_round(game, HANDS)
    play_tricks(match, "H10 H4 H3")
    assert not loses_by_leaving(ask(match).view)
