"""The catalogue that a GPU looks moves up in."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from theriac.engine.gpu.move_hash import index_moves, look_up, take_entry
from theriac.game import find

moves = st.lists(st.integers(0, 44**11), min_size=1, max_size=300, unique=True).map(sorted)


def check(catalogue: list[int]) -> None:
    index = index_moves(np.array(catalogue, np.int64))
    if len(index) > 0:  # a move that is not there would be looked for without end
        slots = index[1 : len(index) - len(catalogue) : 2]
        assert sorted(slots[slots >= 0]) == catalogue
    assert [look_up(None, index, move) for move in catalogue] == list(range(len(catalogue)))
    assert [take_entry(None, index, action) for action in range(len(catalogue))] == catalogue


@given(moves)
def test_every_move_is_found(catalogue: list[int]) -> None:
    check(catalogue)


def test_the_moves_of_shokoba_are_found() -> None:
    check(find("shokoba").settings({"players": 4, "first": 0}).text.catalogue().tolist())


def test_where_every_number_is_a_move_there_is_nothing_to_look_up() -> None:
    assert len(index_moves(np.arange(9))) == 0
    check(list(range(9)))


def test_moves_of_one_hash_stand_side_by_side() -> None:
    """One more than there are slots of one hash: the next slots are taken."""
    check([k << 32 | k for k in range(50)])  # both halves are the same: their hash is that of zero
