"""Records: NumPy's, with fields that are attributes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from theriac.engine.records import as_plain, record, records

#: Without padding, which NumPy does not copy.
DTYPE = np.dtype([("seen", np.uint64), ("turn", np.int16), ("cards", np.int16, (3,))], align=True)


@pytest.fixture
def three() -> Any:
    """Three records, of which the second is not zero."""
    made = records(DTYPE, 3)
    made[1].turn = 5
    made[1].cards[2] = 7
    made[1].seen = 2**63
    return made


def test_fields_are_attributes_that_can_be_set(three: Any) -> None:
    one = three[1]
    assert (one.turn, one.cards.tolist(), one.seen) == (5, [0, 0, 7], 2**63)
    assert (type(one.turn), type(one.cards)) == (np.int16, np.ndarray)
    one.cards = [1, 2, 3]
    one.turn += 1
    assert (one["turn"], three.cards.tolist()[1]) == (6, [1, 2, 3])
    assert three.turn.tolist() == three["turn"].tolist() == [0, 6, 0]


def test_a_value_that_does_not_fit_is_refused(three: Any) -> None:
    with pytest.raises(OverflowError):
        three[1].turn = 2**15
    with pytest.raises(ValueError, match="broadcast"):
        three[1].cards = [1, 2]
    assert (three[1].turn, three[1].cards[2]) == (5, 7)


def test_another_attribute_can_be_neither_read_nor_set(three: Any) -> None:
    for where in (three[0], three):
        with pytest.raises(AttributeError):
            _ = where.trun
    with pytest.raises(AttributeError):
        three[0].trun = 1


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": lambda array: array.copy(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda array: pickle.loads(pickle.dumps(array)),
    "slice": lambda array: array[:],
    "selection": lambda array: array[[0, 1, 2]],
    "plain": as_plain,
}


@pytest.mark.parametrize("name", COPIES)
def test_the_records_of_a_copy_have_attributes(name: str, three: Any) -> None:
    made = COPIES[name](three)
    assert made.tobytes() == three.tobytes()
    assert made[1].turn == 5
    assert made[1].copy().cards[2] == 7
    assert not isinstance(made[1], np.record), "interpreted rules are three times slower with it"


def test_a_record_is_copied_with_its_attributes(three: Any) -> None:
    for made in (copy.deepcopy(three[1]), pickle.loads(pickle.dumps(three[1]))):
        assert (made.turn, made.tobytes()) == (5, three[1].tobytes())
        made.turn = 6
    assert three[1].turn == 5
    blank = record(three[1].dtype)
    blank.seen = 3
    assert (blank.seen, blank.turn) == (3, 0)


def test_numba_takes_them_for_numpys_own(three: Any) -> None:
    own = np.zeros(3, DTYPE).view(np.recarray)
    assert three.dtype == DTYPE
    assert numba.typeof(three) == numba.typeof(own)
    assert numba.typeof(three[0]) == numba.typeof(own[0])
