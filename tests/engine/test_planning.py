"""Playouts with a plan for the first moves after a decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.review.samples import played
from theriac.engine.search import SearchBuffers, SearchConfig, SearchTree
from theriac.engine.valuation import EndTable, ValuationBuffers
from theriac.review.history import History, read_history
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("name", [game.name for game in GAMES])
ROWS = 6


def follow(history: History, speed: Any, simulations: int) -> tuple[list[list[int]], Any]:
    """The ends of the last choice's first moves with a plan, and a description of each end."""
    game, choice = history.game, history.choices[-1]
    engine = game.engine(speed)
    table = EndTable.of(game.shape, history.players, 256)
    buffers, search = ValuationBuffers.of(game.shape), SearchBuffers.of(game.shape)
    tree = SearchTree.of(256)
    ends = np.zeros((2, ROWS), np.int32)
    for move, found in zip(choice.tried[:2].tolist(), ends, strict=True):
        engine.seed_stream(search.chance.random, 3, 0)
        engine.grow_plan(choice.view, move, tree, search, SearchConfig(), simulations)
        done = engine.imagine_and_follow_plan(
            choice.view, move, choice.n - 1, 6, 0, 1, tree, table, buffers, found
        )
        assert done == ROWS
    return ends.T.tolist(), table.rows[: int(table.counts.ends)].tolist()


@each_game
def test_both_speeds_follow_the_same_plan(name: str) -> None:
    history = read_history(played(name).record())
    assert follow(history, "cpu", 20) == follow(history, "plain", 20)


@each_game
def test_without_a_plan_the_policy_plays(name: str) -> None:
    history = read_history(played(name).record())
    game, choice = history.game, history.choices[-1]
    table = EndTable.of(game.shape, history.players, 256)
    ends = np.zeros((ROWS, 2), np.int32)
    game.engine().imagine_and_follow_all(
        choice.view,
        choice.tried[:2],
        choice.n - 1,
        6,
        0,
        1,
        table,
        ValuationBuffers.of(game.shape),
        ends,
    )
    planned, rows = follow(history, "cpu", 0)
    by_policy = table.rows[: int(table.counts.ends)].tolist()
    assert [[rows[end] for end in row] for row in planned] == [
        [by_policy[end] for end in row] for row in ends.tolist()
    ]
