"""The rules of every game, and the kernels, compile to PTX. This needs no GPU.

What has compiled once is not compiled again, as with the rules for the CPU: a file in the cache
says so, named by the sources and the versions of the compilers. `make test-long` always compiles.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import theriac.engine.gpu
from theriac.engine.build import fill_slots
from theriac.engine.cache import cache_folder
from theriac.engine.contract import SLOTS
from theriac.engine.entry_points import ENTRY_POINTS, Example
from theriac.engine.gpu.launch import KERNELS, Kernels
from theriac.engine.rule import Linker
from theriac.game import Game, find
from theriac.testing.profiles import often
from theriac.testing.setups import GAMES

#: Entry points made for the CPU. What they call is compiled with the others, or in a kernel.
ON_CPU = {
    "search_more",
    "search_guided",
    "count_positions",
    "imagine_and_follow_network",
    "imagine_and_rate",
} | {name for name in ENTRY_POINTS if name.endswith("_all")}
#: The rules that only those call, and their arguments.
CALLED_ON_CPU: dict[str, Callable[[Example], tuple[Any, ...]]] = {
    "prospect": lambda example: (example.g, 0),
    "advise_source": lambda example: (example.g, example.v),
}
#: Entry points that no other entry point calls: what they call is compiled with them.
CALLED = {name for entry in ENTRY_POINTS.values() for name in entry.source.__code__.co_names}
ROOTS = [name for name in ENTRY_POINTS if name not in CALLED | ON_CPU]
#: Games of one folder have the same rules.
BY_FOLDER = list({game.module: game for game in GAMES}.values())
#: Of the games that are not the simplest, the kernels that are linked from other parts: those that
#: play and see, and in `make test-long` the others.
VARIANTS = (
    "step_batch",
    "observe_batch",
    *often((), ("mark_batch", "choose_batch", "score_batch")),
)
#: The kernel of the simplest game that is optimised, too. Optimising takes long, and what may fail
#: comes before it. `make test-long` optimises all kernels of that game.
OPTIMISED = "step_batch"
#: What PTX depends on beside the sources of the rules.
SOURCES = (Path(__file__), *sorted(Path(theriac.engine.gpu.__path__[0]).glob("*.py")))
COMPILERS = ("numba", "numba-cuda", "nvidia-nvvm")
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
    return KERNELS if game is simplest() else VARIANTS


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


def stamp_of(game: Game, what: str) -> Path:
    """The file that says that this has compiled."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in SOURCES))
    digest.update(" ".join([what, *map(version, COMPILERS)]).encode())
    return cache_folder(game.module) / f"ptx-{digest.hexdigest()[:16]}"


@contextlib.contextmanager
def compiled_once(game: Game, what: str) -> Iterator[bool]:
    """Is this to be compiled? If so, it has compiled when the block ends without an error."""
    stamp = stamp_of(game, what)
    needed = often(not stamp.exists(), long=True)
    yield needed
    if needed:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()


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


@functools.cache
def simplest() -> Game:
    """The game with the fewest rules: the quickest to compile."""
    return min(
        BY_FOLDER,
        key=lambda game: len(set().union(*(rules_reached(game, name) for name in ROOTS))),
    )


def entry_points_built(game: Game) -> list[str]:
    """The entry points to compile: all of the simplest game, and of another game those with rules
    that are in no kernel. `make test-long` compiles all.
    """
    if often(game is simplest(), long=True):
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


def kernel_arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    """Arguments for each kernel: the compiler needs their types."""
    settings = game.settings({"players": game.players[-1], "first": 0})
    words, options = np.zeros(8, np.int64), np.asarray([settings.options], game.shape.options)
    rewards, ended = np.zeros((4, 2), np.float32), np.zeros(8, np.uint8)
    restart = options, 1, 1
    return {
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
    }


def types_of(arguments: Iterable[Any]) -> tuple[Any, ...]:
    """The types that Numba gives to arguments."""
    import numba

    return tuple(numba.typeof(argument) for argument in arguments)


def call_all(functions: list[tuple[Any, tuple[Any, ...]]]) -> tuple[Callable[..., None], Any]:
    """A function that calls these device functions, and the types of its arguments.

    What they share is then compiled once.
    """
    known: dict[str, Any] = {}
    calls: list[str] = []
    types: list[Any] = []
    for number, (function, own) in enumerate(functions):
        names = [f"_{len(types) + place}" for place in range(len(own))]
        calls.append(f"    call_{number}({', '.join(names)})")
        known[f"call_{number}"] = function
        types += own
    head = f"def call_all({', '.join(f'_{number}' for number in range(len(types)))}):"
    exec("\n".join([head, *calls]), known)
    return known["call_all"], tuple(types)


def device_functions(game: Game) -> list[tuple[Any, tuple[Any, ...]]]:
    """The entry points and the kernels of a game as device functions, with their types.

    Kernels have struct-of-arrays records, whose types are in `engine.gpu.numba_types`.
    """
    from numba import cuda

    engine, example, given = game.engine("cuda"), example_of(game.name), kernel_arguments(game)
    rules = [
        (getattr(engine, name), types_of(ENTRY_POINTS[name].arguments(example)))
        for name in entry_points_built(game)
    ]
    filled = fill_slots(game.rules, game.shape)
    rules += [
        (engine._linker.build(filled[SLOTS[name]]), types_of(arguments(example)))
        for name, arguments in CALLED_ON_CPU.items()
    ]
    kernels = [
        (cuda.jit(built.py_func, device=True, lto=False), types_of(given[name]))
        for name in kernels_built(game)
        for built in [kernels_of(game.name).build(name)]
    ]
    return [*rules, *kernels]


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("game", BY_FOLDER, ids=[game.name for game in BY_FOLDER])
def test_its_rules_and_kernels_compile_to_ptx(game: Game) -> None:
    with compiled_once(game, "rules") as needed:
        if needed:
            compile_rules(game)


def compile_rules(game: Game) -> None:
    """Compile the rules and the kernels of a game."""
    from numba import cuda

    function, types = call_all(device_functions(game))
    # Not optimised: see OPTIMISED.
    ptx, _ = cuda.compile_ptx(function, types, device=True, cc=CAPABILITY, opt=False)
    assert ".target sm_90" in ptx
    assert "call_all" in ptx
    missing = [name for name in kernels_built(game) if KERNELS[name].__name__ not in ptx]
    assert not missing


@pytest.mark.usefixtures("no_gpu")
@pytest.mark.parametrize("name", often([OPTIMISED], long=list(KERNELS)))
def test_a_kernel_is_optimised(name: str) -> None:
    game = simplest()
    with compiled_once(game, name) as needed:
        if needed:
            compile_optimised(game, name)


def compile_optimised(game: Game, name: str) -> None:
    """Compile a kernel as it is run on a GPU."""
    from numba import cuda

    built, types = kernels_of(game.name).build(name), types_of(kernel_arguments(game)[name])
    ptx, _ = cuda.compile_ptx(built.py_func, types, cc=CAPABILITY, opt=True)
    assert ".visible .entry" in ptx


@pytest.mark.usefixtures("no_gpu")
def test_what_failed_to_compile_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THERIAC_CACHE", str(tmp_path))
    game = simplest()
    with pytest.raises(ValueError, match="no"), compiled_once(game, "it"):
        raise ValueError("no")
    with compiled_once(game, "it") as needed:
        assert needed
    with compiled_once(game, "it") as needed:
        assert needed == often(False, long=True)
    with compiled_once(game, "another") as needed:
        assert needed
