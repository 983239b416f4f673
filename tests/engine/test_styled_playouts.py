"""Playouts in which each seat plays in a style of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.networks import blank_network
from tests.review.samples import played, played_with_all_cards
from theriac.bots.guided import guide_of
from theriac.bots.network import Network
from theriac.bots.network_choice import shipped_network
from theriac.engine.guided_search import GuidedBuffers
from theriac.engine.records import Floats
from theriac.engine.search import NO_LIMIT, SearchBuffers
from theriac.engine.styled_playouts import AT_RANDOM, BY_NETWORK, HEURISTIC, Styles
from theriac.engine.valuation import EndTable, ValuationBuffers
from theriac.review.history import History, read_history
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("name", [game.name for game in GAMES])
ROWS = 4
KEY = 6


def follow(
    history: History, styles: Styles, network: Network, at: int, limit: int, speed: Any = "cpu"
) -> Floats:
    """What playouts from one position of a game bring each seat."""
    game = history.game
    guide = guide_of(game, history.settings, network)
    values = np.full((ROWS, 1, history.players), -1.0)
    game.engine(speed).follow_styles(
        np.array(history.states[at : at + 1]),
        np.array([history.moments[at].moves_made]),
        np.array([limit]),
        KEY,
        styles,
        guide,
        ValuationBuffers.of(game.shape),
        GuidedBuffers.of(SearchBuffers.of(game.shape), guide.network),
        values,
    )
    return values[:, 0]


def styles_of(history: History, kind: int, temperature: float = 0.0) -> Styles:
    """All seats play in this style."""
    players = history.players
    return Styles(np.full(players, kind), np.full(players, temperature))


def mixed(history: History) -> Styles:
    """Each seat plays in another style."""
    kinds = [BY_NETWORK, AT_RANDOM, HEURISTIC, BY_NETWORK]
    return Styles(np.resize(kinds, history.players), np.resize([1.0, 0, 0, 0], history.players))


@each_game
def test_both_speeds_bring_the_same(name: str) -> None:
    history = read_history(played(name).record())
    network = blank_network(history.game, history.players)
    at = -min(12, len(history.states))
    fast, plain = (
        follow(history, mixed(history), network, at, NO_LIMIT, speed) for speed in ("cpu", "plain")
    )
    assert fast.tolist() == plain.tolist()
    assert (fast >= 0).all() and (fast <= 1).all()


@each_game
def test_heuristics_play_as_the_reference_policy(name: str) -> None:
    history = read_history(played(name).record())
    game, limit = history.game, history.limits[1]
    network = blank_network(game, history.players)
    found = follow(history, styles_of(history, HEURISTIC), network, 1, limit)
    table = EndTable.of(game.shape, history.players, 256)
    ends = np.zeros((ROWS, 1), np.int32)
    game.engine().follow_all(
        np.array(history.states[1:2]),
        np.array([history.moments[1].moves_made]),
        np.array([limit]),
        KEY,
        0,
        table,
        ValuationBuffers.of(game.shape),
        ends,
    )
    assert found.tolist() == table.prospects[ends[:, 0]].tolist()


def test_every_style_plays_otherwise() -> None:
    """In Poison, to the end of the round; at a temperature near 0 the network plays as at 0."""
    history = read_history(played_with_all_cards("poison").record())
    network = shipped_network(history.game, history.settings)
    assert network is not None
    ways = [(HEURISTIC, 0.0), (AT_RANDOM, 0.0), (BY_NETWORK, 0.0), (BY_NETWORK, 5.0)]
    found = [
        follow(history, styles_of(history, *way), network, 1, history.limits[1]).tolist()
        for way in [*ways, (BY_NETWORK, 0.001)]
    ]
    assert all(found[i] != found[k] for i in range(len(ways)) for k in range(i))
    assert found[-1] == found[2]
