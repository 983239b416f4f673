"""Playouts by the reference policy, and the table of their ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.review.samples import played
from theriac.engine.valuation import (
    PAYOFF,
    EndTable,
    ValuationBuffers,
    leftovers_of,
    words_of,
)
from theriac.game import Game, find
from theriac.review.history import History, read_history
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("name", [game.name for game in GAMES])


def follow(history: History, speed: Any, capacity: int = 256) -> tuple[Any, EndTable, int]:
    """Two playouts from the last positions, and what comes after their ends."""
    game = history.game
    engine = game.engine(speed)
    table = EndTable.of(game.shape, history.players, capacity)
    buffers = ValuationBuffers.of(game.shape)
    starts = np.array(history.states[-12:])
    ages = np.array([moment.moves_made for moment in history.moments[-12:]], np.int64)
    limits = np.array(history.limits[-12:], np.int64)
    ends = np.zeros((2, len(starts)), np.int32)
    done = engine.follow_all(starts, ages, limits, 5, 0, table, buffers, ends)
    choice = history.choices[-1]
    tried = np.zeros((2, len(choice.tried) + 1), np.int32)
    engine.imagine_and_follow_all(
        choice.view, choice.tried, choice.tried[:2], choice.n - 1, 6, 0, 1, table, buffers, tried
    )
    count = int(table.counts.ends)
    open_ends = np.flatnonzero(table.visits[:count] == 0)
    engine.finish_all(open_ends, np.full(len(open_ends), 2), 7, table, buffers)
    return (ends.tolist(), tried.tolist(), table.sums[:count].tolist()), table, done


@each_game
def test_both_speeds_reach_the_same_ends(name: str) -> None:
    history = read_history(played(name).record())
    fast, slow = (follow(history, speed)[0] for speed in ("cpu", "plain"))
    assert fast == slow
    first, second = fast[1]
    assert [first[-1], second[-1]] == [first[0], second[1]], "two moves in turn"


@each_game
def test_the_winners_of_each_visit_share_the_win(name: str) -> None:
    history = read_history(played(name).record())
    _, table, _ = follow(history, "cpu")
    count = int(table.counts.ends)
    total = table.sums[:count, :, PAYOFF].sum(axis=1)
    if history.game.together:
        assert (total <= table.visits[:count] + 1e-9).all()
    else:
        assert total == pytest.approx(table.visits[:count])


def test_a_full_table_stops_before_the_row_that_does_not_fit() -> None:
    history = read_history(played("shock").record())
    assert follow(history, "plain", capacity=1)[2] < 2


def leftovers(game: Game) -> list[tuple[str, ...]]:
    """For each sized array its field and its counter, from the places in `leftovers_of`."""
    fields = game.shape.state.fields
    assert fields is not None
    names = {field[1]: name for name, field in fields.items()}
    rows = leftovers_of(game.shape).tolist()
    return [(names.get(row[0], ""), names.get(row[3], "")) for row in rows]


def test_leftovers_are_those_of_sized_arrays() -> None:
    found = leftovers(find("poison"))
    assert ("log", "played") in found and ("took", "played") in found
    assert ("cauldrons", "filled") in found
    assert len(found) == 5, "three cauldrons, and two logs"


@each_game
def test_a_result_fits_into_a_row(name: str) -> None:
    shape = find(name).shape
    assert 8 * words_of(shape) > shape.state.itemsize
    assert words_of(shape) > 2 * shape.players
