"""Every game's rules, and the kernels, compile for CUDA, also on a machine that has no GPU."""

from __future__ import annotations

import functools
import importlib.util
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.contract.setups import GAMES
from theriac.engine.build import LOOPS, RULES, Engine
from theriac.engine.gpu.launch import KERNELS, Kernels
from theriac.game import Game, find

#: The rules and loops that no other loop calls: what they call is compiled with them.
CALLED = {name for loop in LOOPS.values() for name in loop.__code__.co_names}
#: What is made for the CPU: what these are made of is compiled with the others, or in a kernel.
ON_CPU = {"search_more", "count_positions", "play_fresh"}
ON_CPU |= {name for name in LOOPS if name.endswith("_all")}
ROOTS = [name for name in (*RULES, *LOOPS) if name not in CALLED | ON_CPU]
#: Games of one folder have the same rules.
BY_FOLDER = list({game.module: game for game in GAMES}.values())
#: What an NVIDIA H100 or H200 understands.
CAPABILITY = (9, 0)

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None or importlib.util.find_spec("nvidia") is None,
    reason="needs numba-cuda, nvidia-nvvm and nvidia-cuda-nvrtc",
)


class Watched:
    """A function that remembers what it was last called with."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.arguments: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> Any:
        self.arguments = arguments
        return self.function(*arguments)


@functools.cache
def arguments_of(name: str) -> dict[str, tuple[Any, ...]]:
    """What each rule and loop of a game is called with: the compiler is told their types."""
    game = next(game for game in GAMES if game.name == name)
    settings = game.settings({"players": game.players[0], "first": 0})
    engine = Engine(game.folder.name, game.rules, game.shape, "plain")
    watched = {called: Watched(getattr(engine, called)) for called in engine.names}
    for called, function in watched.items():
        setattr(engine, called, function)
    assert list(engine.warm(settings.options, settings.text.catalogue(), settings.text.actions))
    return {called: function.arguments for called, function in watched.items()}


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Device functions that call others ask which device there is, only to learn what it can do."""
    import numba.cuda.dispatcher

    device = SimpleNamespace(compute_capability=CAPABILITY)
    monkeypatch.setattr(numba.cuda.dispatcher, "get_current_device", lambda: device)


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("game", BY_FOLDER, ids=[game.name for game in BY_FOLDER])
@pytest.mark.parametrize("function", ROOTS)
def test_it_compiles_to_ptx(game: Game, function: str) -> None:
    import numba
    from numba import cuda

    types = tuple(numba.typeof(argument) for argument in arguments_of(game.name)[function])
    built = getattr(game.engine("cuda"), function)
    ptx, _ = cuda.compile_ptx(built.py_func, types, device=True, cc=CAPABILITY)
    assert ".target sm_90" in ptx
    assert built.py_func.__name__ in ptx


#: Every kernel of one game; of the others, those that are put together from other parts there.
PARTS = ("step_batch", "mark_batch", "observe_batch")
BUILT = [
    *(("poison", name) for name in KERNELS),
    *((game, name) for game in ("shokoba", "shock", "dungeon") for name in PARTS),
]


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize(("game", "name"), BUILT)
def test_a_kernel_compiles_to_ptx(game: str, name: str) -> None:
    """With records spread out, which only the compiler for CUDA knows."""
    import numba
    from numba import cuda

    played = find(game)
    settings = played.settings({"players": played.players[-1], "first": 0})
    words, options = np.zeros(8, np.int64), np.asarray([settings.options], played.shape.options)
    rewards, ended = np.zeros((4, 2), np.float32), np.zeros(8, np.uint8)
    begun = options, 1, 1
    given = {
        "start_batch": (words, words, options, 1, 1, words),
        "step_batch": (0, words, words, words, 1, words, words, *begun, words, rewards, ended),
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
    built = Kernels(played.rules, played.shape).build(name)
    ptx, _ = cuda.compile_ptx(built.py_func, types, cc=CAPABILITY)
    assert ".visible .entry" in ptx
