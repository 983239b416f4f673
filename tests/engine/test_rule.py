"""One source, three speeds: how rules are rebuilt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from theriac.engine import contract, loops
from theriac.engine.build import Engine, fill_slots
from theriac.engine.entry_points import ENTRY_POINTS, EntryPoint, EntryPoints
from theriac.engine.rule import Linker, UnfilledSlot, default_speed, is_rule, rule
from theriac.game import Game
from theriac.testing.setups import GAMES

each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


@rule
def double(x: int) -> int:
    return x + x


@rule
def four_times(x: int) -> int:
    return double(double(x))


def not_a_rule(x: int) -> int:
    return x + 1


class Called:
    """A function that notes its name in a list when it is called."""

    def __init__(self, function: Any, name: str, called: list[str]) -> None:
        self.function, self.name, self.called = function, name, called

    def __call__(self, *arguments: Any) -> Any:
        self.called.append(self.name)
        return self.function(*arguments)


class Counted:
    """A function that counts its calls."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.calls = 0

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        return self.function(*arguments)


def test_a_mark_changes_nothing() -> None:
    assert is_rule(four_times)
    assert not is_rule(not_a_rule)
    assert not is_rule(Counted(not_a_rule))  # type: ignore[arg-type]
    assert four_times(3) == 12
    assert type(four_times) is FunctionType


def test_rebuilt_rules_call_rebuilt_rules() -> None:
    linker = Linker({}, Counted)
    built = linker.build(four_times)
    assert built(5) == 20
    assert (built.calls, linker.build(double).calls) == (1, 2)
    assert four_times(5) == 20
    assert linker.build(double).calls == 2, "the source itself is left as it was"


def test_each_rule_is_built_once() -> None:
    linker = Linker({}, Counted)
    assert linker.build(four_times) is linker.build(four_times)
    assert linker.build(four_times).function.__globals__["double"] is linker.build(double)


def test_a_copy_keeps_its_name_and_its_source() -> None:
    copy = Linker({}).link(four_times)
    assert copy is not four_times
    assert copy.__code__ is four_times.__code__
    assert (copy.__name__, copy.__qualname__) == ("four_times", "four_times")
    assert copy.__module__ == four_times.__module__


@rule
def refuse_above_ten(g: Any, move: int) -> int:
    return 7 if move > 10 else 0


@rule
def note_move(g: Any, move: int) -> None:
    g[0] = move


def test_slots_are_replaced_by_what_fills_them() -> None:
    """`loops.step` names the contract's `refuse` and `play`; a game's own are called."""
    played = [0]
    filled = {contract.refuse: refuse_above_ten, contract.play: note_move}
    step = Linker(filled).build(loops.step)
    assert (step(played, 11), step(played, 3)) == (7, 0)
    assert played == [3]


@rule
def play(x: int) -> int:
    """Not the contract's."""
    return x + 100


@rule
def play_twice(x: int) -> int:
    return play(play(x))


def test_a_global_that_has_the_name_of_a_slot_is_left_alone() -> None:
    """Slots are recognised by identity: a global `play` of another function stays as it is."""
    play_twice.__module__ = "theriac.engine.loops"
    linker = Linker({contract.play: note_move}, Counted)
    assert linker.build(play_twice)(1) == 201
    assert linker.build(play).calls == 2


def test_a_slot_that_nothing_fills_is_an_error() -> None:
    with pytest.raises(UnfilledSlot, match="step needs play, which nothing fills"):
        Linker({contract.refuse: refuse_above_ten}).build(loops.step)


def test_only_slots_can_be_filled() -> None:
    with pytest.raises(TypeError, match=r"double.* is not a slot: declare it with @slot"):
        Linker({double: note_move})


def test_a_rule_that_the_contract_does_not_declare_is_refused() -> None:
    game = GAMES[0]
    with pytest.raises(ValueError, match=r"rules cheat: engine/contract.py declares no slot"):
        fill_slots({**game.rules, "cheat": double}, game.shape)


# The games


@each_game
def test_rules_call_each_other_at_their_own_speed(game: Game) -> None:
    """Checked for everything that a rule or a loop calls."""
    from numba.core.dispatcher import Dispatcher

    for speed, kind in (("plain", FunctionType), ("cpu", Dispatcher)):
        engine = game.engine(speed)  # type: ignore[arg-type]
        todo = [getattr(engine, name) for name in ENTRY_POINTS]
        seen: set[int] = set()
        while todo:
            built = todo.pop()
            assert isinstance(built, kind)
            if id(built) not in seen:
                seen.add(id(built))
                todo += called_by(built)
        assert len(seen) > len(ENTRY_POINTS)


def called_by(built: Any) -> list[Any]:
    """The rules that a built rule names."""
    source = getattr(built, "py_func", built)
    values = [source.__globals__.get(name) for name in source.__code__.co_names]
    return [value for value in values if isinstance(getattr(value, "py_func", value), FunctionType)]


@each_game
def test_loops_call_the_games_own_rules(game: Game) -> None:
    engine = game.engine("plain")
    step, list_pile = globals_of(engine.step), globals_of(engine.list_pile)
    assert step["refuse"].__code__ is game.rules["refuse"].__code__
    assert step["refuse"] is engine.refuse
    assert list_pile["CARDS"] == game.shape.cards


def globals_of(function: Any) -> dict[str, Any]:
    return function.__globals__  # type: ignore[no-any-return]


@each_game
def test_an_entry_point_is_built_once(game: Game) -> None:
    engine = game.engine("plain")
    assert engine.step is engine.step
    assert engine.step is engine.build("step")


def test_an_entry_point_has_the_name_of_its_function() -> None:
    """Errors and the cache name the function; callers the entry point."""
    assert [entry.source.__name__ for entry in ENTRY_POINTS.values()] == list(ENTRY_POINTS)
    assert isinstance(EntryPoints.step, EntryPoint)


@each_game
def test_warming_calls_every_entry_point(game: Game) -> None:
    settings = game.settings({"players": game.players[0], "first": 0})
    engine = Engine(game.module, game.rules, game.shape, "plain")
    called: list[str] = []
    for name in ENTRY_POINTS:
        vars(engine)[name] = Called(getattr(engine, name), name, called)
    text = settings.text
    for name in engine.warm(settings.options, text.catalogue(), text.actions):
        assert called.pop() == name, "the example call comes last"
        called.clear()


# The environment


def test_the_environment_sets_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, speed in (("0", "plain"), ("1", "cpu"), ("", "cpu")):
        monkeypatch.setenv("THERIAC_JIT", value)
        assert default_speed() == speed
    monkeypatch.delenv("THERIAC_JIT")
    assert default_speed() == "cpu"


WITHOUT_NUMBA = """
import sys, theriac
for name, game in theriac.all_games().items():
    table = theriac.new(name, players=game.players[0], seed=bytes(32))
    for _ in range(5):
        if not table.over:
            table.play(table.legal()[0])
    assert table.game.engine().speed == "plain"
assert "numba" not in sys.modules
print("played")
"""


def test_without_compiling_numba_is_not_imported(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    environment = {**os.environ, "THERIAC_JIT": "0", "THERIAC_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "played\n"), done.stderr
    assert not cache.exists()
