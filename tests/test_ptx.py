"""The rules of every game, and the kernels, compile to PTX. This needs no GPU."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from theriac.engine.build import fill_slots
from theriac.engine.entry_points import ENTRY_POINTS, Example
from theriac.engine.gpu.launch import KERNELS, Kernels
from theriac.engine.rule import Linker
from theriac.game import Game, find
from theriac.testing.profiles import often
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
SMALLEST = min(BY_FOLDER, key=lambda game: game.shape.state.itemsize)
#: Of the games that are not the smallest, the kernels that are linked from other parts.
VARIANTS = ("step_batch", "mark_batch", "observe_batch", "choose_batch", "score_batch")
#: The kernel of the smallest game that is optimised, too. Optimising takes long, and what may fail
#: comes before it. `make test-long` optimises all kernels of that game.
OPTIMISED = "step_batch"
#: The compute capability of an H100 or H200.
CAPABILITY = (9, 0)

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None or importlib.util.find_spec("nvidia") is None,
    reason="needs numba-cuda, nvidia-nvvm and nvidia-cuda-nvrtc",
)


@functools.cache
def kernels_of(name: str) -> Kernels:
    """The kernels of a game: what they share is compiled once."""
    game = find(name)
    return Kernels(game.rules, game.shape, game.gpu)


def kernels_built(game: Game) -> Iterable[str]:
    """The names of the kernels that are compiled here."""
    return KERNELS if game is SMALLEST else VARIANTS


@functools.cache
def example_of(name: str) -> Example:
    """Arguments for the rules and loops of a game: the compiler needs their types."""
    game = find(name)
    settings = game.settings({"players": game.players[0], "first": 0})
    text = settings.text
    return Example(game.engine("plain"), settings.options, text.catalogue(), text.actions)


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba asks the device for its compute capability to compile calls of device functions."""
    import numba.cuda.dispatcher

    device = SimpleNamespace(compute_capability=CAPABILITY)
    monkeypatch.setattr(numba.cuda.dispatcher, "get_current_device", lambda: device)


def rules_in(linker: Linker) -> set[Any]:
    """The rules that a linker has built which are not the engine's."""
    return {rule for rule in linker._built if not rule.__module__.startswith("theriac.engine.")}


def rules_reached(game: Game, name: str) -> set[Any]:
    """The game's rules that an entry point calls, directly or through others."""
    filled = fill_slots(game.rules, game.shape)
    linker = Linker(filled)
    source = ENTRY_POINTS[name].source
    linker.build(filled.get(source, source))
    return rules_in(linker)


def entry_points_built(game: Game) -> list[str]:
    """The entry points to compile: all of the smallest game, and of another game those with rules
    that are in no kernel. `make test-long` compiles all.
    """
    if often(game is SMALLEST, long=True):
        return ROOTS
    kernels = kernels_of(game.name)
    for name in kernels_built(game):
        kernels.build(name)
    in_kernels = rules_in(kernels._linker)
    reached = {name: rules_reached(game, name) for name in ENTRY_POINTS if name not in ON_CPU}
    built: list[str] = []
    for name in sorted(reached, key=lambda name: len(reached[name])):
        if reached[name] - in_kernels:
            built.append(name)
            in_kernels |= reached[name]
    return built


def call_all(game: Game) -> tuple[Callable[..., None], tuple[Any, ...]]:
    """A function that calls entry points of a game, and the types of its arguments.

    What the entry points share is then compiled once.
    """
    import numba

    built = entry_points_built(game)
    calls: list[str] = []
    types: list[Any] = []
    for name in built:
        arguments = ENTRY_POINTS[name].arguments(example_of(game.name))
        names = [f"_{len(types) + number}" for number in range(len(arguments))]
        calls.append(f"    {name}({', '.join(names)})")
        types += [numba.typeof(argument) for argument in arguments]
    head = f"def call_all({', '.join(f'_{number}' for number in range(len(types)))}):"
    known: dict[str, Any] = {name: getattr(game.engine("cuda"), name) for name in built}
    exec("\n".join([head, *calls]), known)
    return known["call_all"], tuple(types)


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("game", BY_FOLDER, ids=[game.name for game in BY_FOLDER])
def test_its_rules_compile_to_ptx(game: Game) -> None:
    from numba import cuda

    function, types = call_all(game)
    # Not optimised: see OPTIMISED.
    ptx, _ = cuda.compile_ptx(function, types, device=True, cc=CAPABILITY, opt=False)
    assert ".target sm_90" in ptx
    assert "call_all" in ptx


BUILT = [(game, name) for game in BY_FOLDER for name in kernels_built(game)]


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
        "play_low_games_batch": (options, 1, 1, 1, words, np.zeros((4, 2))),
        "clear_words": (words,),
        "convert_all": (ended, words),
    }[name]
    types = tuple(numba.typeof(argument) for argument in given)
    built = kernels_of(game.name).build(name)
    optimised = game is SMALLEST and often(name == OPTIMISED, long=True)
    ptx, _ = cuda.compile_ptx(built.py_func, types, cc=CAPABILITY, opt=optimised)
    assert ".visible .entry" in ptx
