"""The rules of every game, and the kernels, compile to PTX. This needs no GPU."""

from __future__ import annotations

import functools
import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest

from tests.contract.setups import GAMES
from theriac.engine.entry_points import ENTRY_POINTS, Example
from theriac.engine.gpu.launch import KERNELS, Kernels
from theriac.game import Game, find

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


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("game", BY_FOLDER, ids=[game.name for game in BY_FOLDER])
@pytest.mark.parametrize("function", ROOTS)
def test_it_compiles_to_ptx(game: Game, function: str) -> None:
    import numba
    from numba import cuda

    arguments = ENTRY_POINTS[function].arguments(example_of(game.name))
    types = tuple(numba.typeof(argument) for argument in arguments)
    built = getattr(game.engine("cuda"), function)
    ptx, _ = cuda.compile_ptx(built.py_func, types, device=True, cc=CAPABILITY)
    assert ".target sm_90" in ptx
    assert built.py_func.__name__ in ptx


#: Every kernel of one game; of the others, those that are linked from other parts.
VARIANTS = ("step_batch", "mark_batch", "observe_batch")
BUILT = [
    *(("poison", name) for name in KERNELS),
    *((game, name) for game in ("shokoba", "shock", "dungeon") for name in VARIANTS),
]


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize(("game", "name"), BUILT)
def test_a_kernel_compiles_to_ptx(game: str, name: str) -> None:
    """With struct-of-arrays records, which `engine.gpu.numba_types` teaches the compiler."""
    import numba
    from numba import cuda

    played = find(game)
    settings = played.settings({"players": played.players[-1], "first": 0})
    words, options = np.zeros(8, np.int64), np.asarray([settings.options], played.shape.options)
    rewards, ended = np.zeros((4, 2), np.float32), np.zeros(8, np.uint8)
    restart = options, 1, 1
    given = {
        "start_batch": (words, words, options, 1, 1, words),
        "step_batch": (0, words, words, words, 1, words, words, *restart, words, rewards, ended),
        "choose_batch": (0, words, words, words, words),
        "mark_batch": (0, words, 1, words, 1, words),
        "observe_batch": (0, words, np.zeros((4, 5), np.float32, order="F")),
        "score_batch": (words, 4, np.zeros((4, 2), np.int64), np.zeros((4, 2))),
        "to_act_batch": (words, words),
        "play_out_batch": (words, words, words),
        "play_games_batch": (options, 1, 1, 1, words, np.zeros((4, 2))),
        "clear_words": (words,),
        "convert_all": (ended, words),
    }[name]
    types = tuple(numba.typeof(argument) for argument in given)
    built = Kernels(played.rules, played.shape, played.gpu).build(name)
    ptx, _ = cuda.compile_ptx(built.py_func, types, cc=CAPABILITY)
    assert ".visible .entry" in ptx
