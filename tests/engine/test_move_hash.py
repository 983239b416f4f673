"""The hash table from moves to actions."""

from __future__ import annotations

from typing import cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from theriac.engine.gpu.move_hash import hash_moves, look_up, take_entry
from theriac.engine.records import State
from theriac.game import find

moves = st.lists(st.integers(0, 44**11), min_size=1, max_size=300, unique=True).map(sorted)


def check(catalogue: list[int]) -> None:
    index = hash_moves(np.array(catalogue, np.int64))
    if len(index) > 0:  # a search for a missing move would not end
        slots = index[1 : len(index) - len(catalogue) : 2]
        assert sorted(slots[slots >= 0]) == catalogue
    g = cast(State, None)  # not used
    assert [look_up(g, index, move) for move in catalogue] == list(range(len(catalogue)))
    assert [take_entry(g, index, action) for action in range(len(catalogue))] == catalogue


@given(moves)
def test_every_move_is_found(catalogue: list[int]) -> None:
    check(catalogue)


def test_the_moves_of_shokoba_are_found() -> None:
    check(find("shokoba").settings({"players": 4, "first": 0}).text.catalogue().tolist())


def test_the_table_is_empty_where_every_number_is_a_move() -> None:
    assert len(hash_moves(np.arange(9))) == 0
    check(list(range(9)))


def test_collisions_go_to_the_next_free_slot() -> None:
    check([k << 32 | k for k in range(50)])  # the halves cancel: all have the hash of zero
