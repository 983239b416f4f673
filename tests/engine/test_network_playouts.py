"""Playouts in which a network plays all seats, or all but one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.networks import blank_network
from tests.review.samples import played, played_with_all_cards
from theriac.bots import bot
from theriac.bots.guided import guide_of
from theriac.bots.network_choice import shipped_network
from theriac.engine.guided_search import GuidedBuffers
from theriac.engine.network_playouts import choose_by_network
from theriac.engine.records import records_over
from theriac.engine.search import SearchBuffers
from theriac.engine.valuation import EndTable, ValuationBuffers
from theriac.game import find
from theriac.match import Match
from theriac.review.history import Choice, History, read_history
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("name", [game.name for game in GAMES])
ROWS = 4
NO_SEAT = -1


def late_choice(history: History) -> Choice:
    """A choice that leaves some moves to play."""
    return history.choices[-min(12, len(history.choices))]


def arguments(history: History) -> tuple[Any, GuidedBuffers]:
    """A network with random weights, and its buffers."""
    game = history.game
    guide = guide_of(game, history.settings, blank_network(game, history.players))
    return guide, GuidedBuffers.of(SearchBuffers.of(game.shape), guide.network)


def follow(
    history: History, choice: Choice, speed: Any, simple_seat: int, temperature: float = 0.0
) -> list[Any]:
    """The ends that the first moves of a choice reach."""
    game = history.game
    table = EndTable.of(game.shape, history.players, 256)
    guide, guided = arguments(history)
    ends = np.zeros((ROWS, 2), np.int32)
    done = game.engine(speed).imagine_and_follow_network(
        choice.view,
        choice.tried[:2],
        choice.n - 1,
        6,
        0,
        1,
        guide,
        simple_seat,
        temperature,
        table,
        ValuationBuffers.of(game.shape),
        guided,
        ends,
    )
    assert done == ROWS
    return [table.rows[end].tolist() for end in ends.ravel()]


@each_game
def test_both_speeds_reach_the_same_ends(name: str) -> None:
    history = read_history(played(name).record())
    choice = late_choice(history)
    for how in ((NO_SEAT, 0.0), (choice.seat, 0.0), (NO_SEAT, 4.0)):
        compiled, plain = (follow(history, choice, each, *how) for each in ("cpu", "plain"))
        assert compiled == plain


# In a game of a team a network with random weights loses so soon that one seat changes nothing.
@pytest.mark.parametrize("name", [game.name for game in GAMES if not game.together])
def test_a_seat_can_play_by_the_policy(name: str) -> None:
    history = read_history(played_with_all_cards(name).record())
    first, seats = history.choices[0], range(NO_SEAT, history.players)
    by_seat = [follow(history, first, "cpu", seat) for seat in seats]
    assert any(found != by_seat[0] for found in by_seat[1:])


def test_others_draw_their_moves_at_a_temperature() -> None:
    history = read_history(played_with_all_cards("poison").record())
    first = history.choices[0]
    cold, hot, again = (follow(history, first, "cpu", NO_SEAT, each) for each in (0.0, 9.0, 9.0))
    assert cold != hot
    assert hot == again


@each_game
def test_ratings_are_shares_of_the_win_and_the_same_at_both_speeds(name: str) -> None:
    history = read_history(played(name).record())
    game, choice = history.game, late_choice(history)
    guide, guided = arguments(history)
    found = []
    for speed in ("cpu", "plain"):
        ratings = np.full((ROWS, len(choice.tried)), -1.0)
        buffers = ValuationBuffers.of(game.shape)
        game.engine(speed).imagine_and_rate(
            choice.view, choice.tried, 6, 0, guide, buffers, guided, ratings
        )
        found.append(ratings)
    assert np.allclose(found[0], found[1], atol=1e-6)
    assert (found[0] >= 0).all() and (found[0] <= 1).all()


def test_the_network_plays_what_the_bot_plays() -> None:
    neural = bot("neural")
    match = Match(find("poison"), {"players": 3, "first": 0}, seed=bytes(32))
    while not match.over:
        neural.play(match)
    history = read_history(match.record())
    network = shipped_network(history.game, history.settings)
    assert network is not None
    guide = guide_of(history.game, history.settings, network)
    guided = GuidedBuffers.of(SearchBuffers.of(history.game.shape), guide.network)
    choose = history.game.engine("plain")._linker.build(choose_by_network)
    for choice in history.choices[::5]:
        before = records_over(history.states[choice.moment - 1].copy(), history.game.shape.state)
        assert choose(before[0], guide, guided) == choice.made
