"""The rules of every game, and the kernels, compile to PTX. This needs no GPU."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from theriac.engine.entry_points import ENTRY_POINTS, Example
from theriac.engine.gpu.launch import KERNELS, Kernels
from theriac.game import Game
from theriac.testing.setups import GAMES

#: Entry points made for the CPU. What they call is compiled with the others, or in a kernel.
ON_CPU = {"search_more", "count_positions"} | {
    name for name in ENTRY_POINTS if name.endswith("_all")
}
#: Entry points that no other entry point calls: what they call is compiled with them.
CALLED = {name for entry in ENTRY_POINTS.values() for name in entry.source.__code__.co_names}
ROOTS = [name for name in ENTRY_POINTS if name not in CALLED | ON_CPU]
#: Games of one folder have the same rules.
BY_FOLDER = list({game.module: game for game in GAMES}.values())
#: The compute capability of an H100 or H200.
CAPABILITY = (9, 0)

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None or importlib.util.find_spec("nvidia") is None,
    reason="needs numba-cuda, nvidia-nvvm and nvidia-cuda-nvrtc",
)


@functools.cache
def example_of(name: str) -> Example:
    """Arguments for the rules and loops of a game: the compiler needs their types."""
    game = next(game for game in GAMES if game.name == name)
    settings = game.settings({"players": game.players[0], "first": 0})
    text = settings.text
    return Example(game.engine("plain"), settings.options, text.catalogue(), text.actions)


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba asks the device for its compute capability to compile calls of device functions."""
    import numba.cuda.dispatcher

    device = SimpleNamespace(compute_capability=CAPABILITY)
    monkeypatch.setattr(numba.cuda.dispatcher, "get_current_device", lambda: device)


def call_all(game: Game) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """A function that calls all roots, and the types of its arguments.

    What the roots share is then compiled once.
    """
    import numba

    calls: list[str] = []
    types: list[Any] = []
    for root in ROOTS:
        arguments = ENTRY_POINTS[root].arguments(example_of(game.name))
        names = [f"_{len(types) + number}" for number in range(len(arguments))]
        calls.append(f"    {root}({', '.join(names)})")
        types += [numba.typeof(argument) for argument in arguments]
    head = f"def call_all({', '.join(f'_{number}' for number in range(len(types)))}):"
    known: dict[str, Any] = {root: getattr(game.engine("cuda"), root) for root in ROOTS}
    exec("\n".join([head, *calls]), known)
    return known["call_all"], tuple(types)


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("game", BY_FOLDER, ids=[game.name for game in BY_FOLDER])
def test_its_rules_compile_to_ptx(game: Game) -> None:
    from numba import cuda

    function, types = call_all(game)
    ptx, _ = cuda.compile_ptx(function, types, device=True, cc=CAPABILITY)
    assert ".target sm_90" in ptx
    assert "call_all" in ptx


#: Every kernel of one game; of the others, those that are linked from other parts.
VARIANTS = ("step_batch", "mark_batch", "observe_batch")
SMALLEST = min(BY_FOLDER, key=lambda game: game.shape.state.itemsize)
BUILT = [(game, name) for game in BY_FOLDER for name in (KERNELS if game is SMALLEST else VARIANTS)]


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize(
    ("game", "name"), BUILT, ids=[f"{game.name}-{name}" for game, name in BUILT]
)
def test_a_kernel_compiles_to_ptx(game: Game, name: str) -> None:
    """With struct-of-arrays records, whose types are in `engine.gpu.numba_types`."""
    import numba
    from numba import cuda

    settings = game.settings({"players": game.players[-1], "first": 0})
    words, options = np.zeros(8, np.int64), np.asarray([settings.options], game.shape.options)
    rewards, ended = np.zeros((4, 2), np.float32), np.zeros(8, np.uint8)
    restart = options, 1, 1
    given = {
        "start_batch": (words, words, options, 1, words, ended),
        "step_batch": (0, words, words, words, 1, words, words, *restart, words, rewards, ended),
        "choose_batch": (0, words, words, words, words),
        "mark_batch": (0, words, 1, words, 1, words),
        "observe_batch": (0, words, 0, np.zeros((4, 5), np.float32, order="F")),
        "score_batch": (words, 4, np.zeros((4, 2), np.int64), np.zeros((4, 2))),
        "to_act_batch": (words, words),
        "play_out_batch": (words, words, words),
        "play_games_batch": (options, 1, 1, 1, words, np.zeros((4, 2))),
        "clear_words": (words,),
        "convert_all": (ended, words),
    }[name]
    types = tuple(numba.typeof(argument) for argument in given)
    built = Kernels(game.rules, game.shape, game.gpu).build(name)
    ptx, _ = cuda.compile_ptx(built.py_func, types, cc=CAPABILITY)
    assert ".visible .entry" in ptx
