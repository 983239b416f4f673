"""Rules compiled with bounds checks: an index out of range names its rule."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theriac.engine.bounds import bounds_are_checked, locating
from theriac.engine.build import Engine
from theriac.engine.cache import cache_home
from theriac.engine.count import CountBuffers
from theriac.engine.records import record, records
from theriac.engine.rule import rule
from theriac.testing.setups import GAMES

GAME = GAMES[0]
#: More than any row of a state.
FAR = 10**6


@rule
def read_shuffle(g: Any, pile: int) -> int:
    return int(g.shuffles[pile])


@rule
def refuse_by_shuffle(g: Any, move: int) -> int:
    g.rounds += 1
    return read_shuffle(g, move)


@pytest.fixture
def _checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THERIAC_BOUNDS", "1")
    monkeypatch.setenv("THERIAC_CACHE", str(tmp_path))


def engine() -> Engine:
    return Engine(GAME.module, {**GAME.rules, "refuse": refuse_by_shuffle}, GAME.shape, "cpu")


@pytest.mark.usefixtures("_checked")
def test_an_index_out_of_range_names_the_rule_and_the_line() -> None:
    g = record(GAME.shape.state)
    assert engine().refuse(g, 0) == 0
    line = inspect.getsourcelines(read_shuffle)[1] + 2
    with pytest.raises(IndexError) as caught:
        engine().refuse(g, FAR)
    place, _, said = str(caught.value).partition(": in the rule read_shuffle, ")
    assert place == f"{__file__}:{line}"
    assert said == f"index {FAR} is out of bounds for axis 0 with size {len(g.shuffles)}"


@pytest.mark.usefixtures("_checked")
def test_the_compiled_code_has_a_folder_of_its_own(tmp_path: Path) -> None:
    assert cache_home() == tmp_path / "bounds"
    engine().refuse(record(GAME.shape.state), 0)
    assert [path.name for path in tmp_path.iterdir()] == ["bounds"]
    assert any((tmp_path / "bounds").rglob("*.nbi"))


@pytest.mark.parametrize(("value", "checked"), [("1", True), ("0", False), ("", False)])
def test_the_environment_switches_it_on(
    value: str, checked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THERIAC_BOUNDS", value)
    assert bounds_are_checked() == checked
    monkeypatch.delenv("THERIAC_BOUNDS")
    assert not bounds_are_checked()


def test_the_call_is_repeated_with_the_arguments_as_they_were() -> None:
    """Also those inside a NamedTuple; and plain arrays of records get attributes."""

    def compiled(g: Any, buffers: CountBuffers, states: Any) -> None:
        g.rounds = buffers.tried[0] = states[0]["rounds"] = 7
        raise IndexError

    def interpret(g: Any, buffers: CountBuffers, states: Any) -> None:
        assert (g.rounds, buffers.tried[0], states[0].rounds) == (0, 0, 0)
        np.zeros(2)[3]

    buffers = CountBuffers.of(GAME.shape, depth=0, shuffles=1)
    states = np.asarray(records(GAME.shape.state, 1))
    with pytest.raises(IndexError, match="in the rule interpret, index 3 is out of bounds"):
        locating(compiled, interpret)(record(GAME.shape.state), buffers, states)


def test_an_index_that_is_in_range_interpreted_still_raises() -> None:
    def compiled() -> None:
        raise IndexError

    with pytest.raises(IndexError, match="an index is out of bounds, but not interpreted"):
        locating(compiled, lambda: None)()
