"""The race in which the largest mistakes are judged again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from theriac.engine.records import Floats
from theriac.review.judged import Judged, Stage
from theriac.review.judging import Judge
from theriac.review.playouts import EndValues


def judged_once(worth: Floats) -> tuple[Judged, EndValues]:
    """A choice after one stage: what each move (column) was worth in each state (row)."""
    rows, moves = worth.shape
    choice: Any = SimpleNamespace(seat=0, made_index=0)
    found = Judged.of(choice, np.arange(moves), ways=1)
    ends = np.arange(worth.size, dtype=np.int32).reshape(worth.shape)
    found.stages.append(Stage(found.continuations, ends, ends[: rows // 2]))
    nothing = np.zeros((worth.size, 1))
    return found, EndValues(worth.reshape(-1, 1), nothing, nothing)


def test_what_may_be_best_is_not_dropped_after_few_playouts() -> None:
    ahead = [[0.1, 0.9, 0.6, 0.5, 0.0]] * 5
    behind = [[0.1, 0.2, 0.4, 0.5, 0.0]] * 3
    judged, values = judged_once(np.array(ahead + behind))
    judged.choose(values)
    assert judged.best == 1
    assert judged.continuations.tolist() == [0, 1, 2, 3], "0.64, 0.53 and 0.5 differ by chance"


def race(rows: int, loss: float, seemed: float) -> list[Any]:
    """Which decisions are judged again, if there is one that was judged in this many states."""
    judged = SimpleNamespace(rows=rows, cost_of_as_many=1.0)
    study: Any = SimpleNamespace(judged=judged, loss=lambda values: (loss, 0.1))
    judge = Judge([study], SimpleNamespace(), lambda: 10.0)  # type: ignore[arg-type]
    judge._highest[:] = seemed
    values: Any = None
    return judge._largest(values)


def test_a_mistake_is_not_cleared_by_a_few_states() -> None:
    assert race(rows=24, loss=-0.3, seemed=0.25)
    assert not race(rows=24, loss=-0.3, seemed=0.01), "it never seemed to cost anything"
    assert not race(rows=200, loss=-0.3, seemed=0.25), "these states are not few"
    assert race(rows=200, loss=-0.1, seemed=0.01), "it may cost 10 %"
