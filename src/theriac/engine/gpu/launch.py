"""A game's kernels: the rules as CUDA code, and where records lie while a GPU works on them.

While a game is played out or a step is taken, its state and its chance record lie on a *desk*: in
the shared memory of a block, beside those of its neighbours. Where too few would fit, a
game is played out in its thread's own local memory, and steps are taken where it is. Fields that
playing never mentions stay behind, and for a step those that it seldom touches.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from types import FunctionType
from typing import Any, Final

from theriac.engine import bits, loops, rows
from theriac.engine.build import Shape, stand_ins
from theriac.engine.gpu import kernels
from theriac.engine.gpu.layout import AT_ONCE, TILE, Layout, single_numbers
from theriac.engine.gpu.move_hash import look_up, take_entry
from theriac.engine.rule import Workshop

#: Threads of a block: one warp at a desk, one that lists moves, more where there is none.
AT_DESK: Final = TILE
AT_LIST: Final = TILE
THREADS: Final = 128
#: Turns that a game may have to wait for nature: see `kernels`.
PATIENCE: Final = 3
#: Registers that a thread may have where one step is taken. It needs fewer: but the compiler then
#: thinks less of saving them and more of what comes late from memory.
_REGISTERS: Final = 128
#: Shared memory that a block may have without asking for more.
_MOST_SHARED: Final = 48 * 1024

#: Runs a kernel once more.
Launch = Callable[[], Any]

KERNELS = {
    function.__name__: function
    for function in (
        kernels.start_batch,
        kernels.step_batch,
        kernels.choose_batch,
        kernels.mark_batch,
        kernels.observe_batch,
        kernels.tell_batch,
        kernels.seats_batch,
        kernels.play_out_batch,
        kernels.play_games_batch,
        kernels.clear_all,
        kernels.copy_all,
    )
}

#: How a game's moves and actions are told from each other, if it does not say so itself.
_BY_INDEX = {"action_of": look_up, "move_of": take_entry}

#: Loops that the compiler for CUDA does not know as the one thing that they stand for.
INSTEAD = {
    bits.count_bits: kernels.count_at_once,
    bits.lowest: kernels.lowest_at_once,
    rows.copy_row: kernels.copy_at_once,
    rows.clear_row: kernels.clear_at_once,
}


@dataclass(frozen=True)
class Desk:
    """Where records lie while they are worked on: `threads` of a block side by side in shared
    memory, or (`threads` is 1) each in its thread's own.
    """

    threads: int

    @classmethod
    def for_bytes(cls, size: int) -> Desk:
        """The usual desk for so many bytes a game."""
        return cls(AT_DESK if size * AT_DESK <= _MOST_SHARED else 1)

    def shared(self, size: int) -> int:
        """Words of shared memory a block, for so many bytes a game."""
        return size * self.threads // 8 if self.threads > 1 else 1

    def local(self, size: int) -> int:
        """Words of local memory a thread."""
        return size // 8 if self.threads == 1 else 1


class Plan:
    """How the records of a game are laid out on a GPU."""

    def __init__(
        self, shape: Shape, known: Mapping[str, Any], room: int, desk: Desk | None
    ) -> None:
        workshop = Workshop(known)
        playing = workshop.mentioned([loops.start_game, kernels.play_to_end, known["result"]])
        looking = workshop.mentioned([known["encode"]]) | single_numbers(shape.view)
        listing = workshop.mentioned([loops.random_move, kernels.mark_by_list])
        self.looks_up = known["action_of"] is look_up
        # Where there are many moves, they come from reading the same rows again and again.
        self._by_list = self.looks_up and shape.moves > kernels.WINDOW
        often = playing - set(shape.seldom)
        self.state = Layout(shape.state, first=often)
        self.step_state = Layout(shape.state, often | single_numbers(shape.state), first=often)
        self.desk_state = Layout(shape.state, playing)
        self.chance = Layout(shape.chance(), held=("random",))
        self.desk_view = Layout(shape.view, looking - set(shape.alike))
        self._alike = shape.alike
        self.desk_list = Layout(shape.state, listing)
        self.desk = desk or Desk.for_bytes(_desk_bytes(self.desk_state, self.chance))
        self.step_desk = Desk.for_bytes(_desk_bytes(self.step_state, self.chance))
        self.view_desk = Desk.for_bytes(_desk_bytes(self.desk_view))
        half_full = Desk.for_bytes(2 * _desk_bytes(self.desk_list))  # the other half is for marks
        self.list_desk = half_full if self._by_list else Desk(1)
        self._features = shape.features
        self._room = room

    def stand_ins(self) -> dict[str, Any]:
        """What takes the place of the names for memory in kernels."""
        spread: Any = _spread()
        state, step, chance, view = self.desk_state, self.step_state, self.chance, self.desk_view
        return {
            "store_state": spread.in_store(self.state),
            "store_chance": spread.in_store(self.chance),
            "desk_state": spread.on_desk(state),
            "desk_chance": spread.on_desk(chance),
            "desk_view": spread.beside_tile(view, self.state, self._alike),
            "put_away": spread.put_away,
            "copy_spread": spread.copy_spread,
            "copy_columns": spread.copy_columns,
            "as_row": spread.as_row,
            "take_features": spread.column_of(self._features),
            "open_marker": spread.open_marker,
            "mark_games": kernels.mark_by_list if self._by_list else kernels.mark_at_once,
            "mark_room": spread.words_of(kernels.WINDOW if self._by_list else 1),
            "open_window": spread.window_of(kernels.WINDOW),
            "copy_singles": spread.copy_singles,
            "step_games": (
                kernels.step_on_desk if self.step_desk.threads > 1 else kernels.step_in_store
            ),
            "beside_store": spread.beside_tile(step, self.state),
            "states_to_desk": spread.tile_to_desk(self.state, step),
            "states_from_desk": spread.desk_to_tile(self.state, step),
            "chances_to_desk": spread.tile_to_desk(chance, chance),
            "chances_from_desk": spread.desk_to_tile(chance, chance),
            "SHARED_STEP": self.step_desk.shared(_desk_bytes(step)),
            "SHARED_BAG": self.step_desk.shared(_desk_bytes(chance)),
            "AT_STEP": self.step_desk.threads,
            "ALIGNED": None if is_simulated() else AT_ONCE,
            "SHARED_DESK": self.desk.shared(_desk_bytes(state)),
            "SHARED_CHANCES": self.desk.shared(_desk_bytes(chance)),
            "SHARED_VIEWS": self.view_desk.shared(_desk_bytes(view)),
            "AT_DESK": self.desk.threads,
            "AT_VIEWS": self.view_desk.threads,
            "AT_LIST": AT_LIST,
            "SHARED_LIST": self.list_desk.shared(_desk_bytes(self.desk_list)),
            "desk_list": spread.on_desk(self.desk_list),
            "bring_list": (
                kernels.list_on_desk if self.list_desk.threads > 1 else kernels.list_in_store
            ),
            "local_desk": spread.words_of(self.desk.local(_desk_bytes(state))),
            "local_chances": spread.words_of(self.desk.local(_desk_bytes(chance))),
            "local_views": spread.words_of(self.view_desk.local(_desk_bytes(view))),
            "local_list": spread.words_of(self._room),
        }

    def threads(self, kernel: str) -> int:
        """How many threads a block of this kernel has."""
        if kernel in ("choose_batch", "mark_batch"):
            return AT_LIST
        desks = {
            "step_batch": self.step_desk,
            "play_out_batch": self.desk,
            "play_games_batch": self.desk,
            "observe_batch": self.view_desk,
        }
        at_desk = desks[kernel].threads if kernel in desks else 1
        return at_desk if at_desk > 1 else THREADS


def marks_bytes(actions: int) -> int:
    """Shared memory for the masks of a block, a bit an action, or for as many as there is room."""
    return min(AT_LIST // 8 * actions, _MOST_SHARED // 2)


def _desk_bytes(*layouts: Layout) -> int:
    """What records take on a desk: compiled, their single numbers are in registers."""
    if is_simulated():
        return sum(layout.bytes for layout in layouts)
    return sum(layout.row_bytes for layout in layouts)


def _spread() -> Any:
    """How spread records are read and written, interpreted or compiled."""
    if is_simulated():
        from theriac.engine.gpu import layout as interpreted

        return interpreted
    from theriac.engine.gpu import numba_types

    return numba_types


@cache
def is_simulated() -> bool:
    """Are kernels interpreted (NUMBA_ENABLE_CUDASIM=1)?"""
    from numba import cuda

    return bool(cuda.config.ENABLE_CUDASIM)


class Kernels:
    """A game's kernels, built when they are first run."""

    def __init__(
        self,
        rules: Mapping[str, Callable[..., Any]],
        shape: Shape,
        desk: Desk | None = None,
        registers: int | None = None,
        patience: int = PATIENCE,
    ) -> None:
        picks = [rules[name] for name in ("pick_at_once", "pick_legal") if name in rules]
        pick = picks[0] if picks else kernels.pick_in_windows
        known = stand_ins({**_BY_INDEX, **rules, "pick_legal": pick}, shape)
        self.shape = shape
        self.plan = Plan(shape, known, shape.moves if picks else kernels.WINDOW, desk)
        self._workshop = Workshop(
            known | self.plan.stand_ins() | {"PATIENCE": patience},
            partial(_finish, registers),
            {} if is_simulated() else INSTEAD,
        )

    def build(self, name: str) -> Any:
        """A kernel, as Numba knows it."""
        return self._workshop.build(KERNELS[name])

    def launch(
        self, name: str, n: int, *arguments: Any, shared: int = 0, stream: Any = 0
    ) -> Launch:
        """Run a kernel on n games, its blocks having so many bytes of shared memory besides what
        they name. It is queued: results are there when they are asked for.

        Returns what runs it again on the same arguments, in a tenth of the time that it takes to
        look at them anew.
        """
        threads = self.plan.threads(name)
        kernel = self.build(name)
        shape = -(-n // threads), threads, stream, shared
        kernel[shape](*arguments)
        if is_simulated():
            return lambda: kernel[shape](*arguments)  # there a kernel has only its latest shape
        return _Prepared(kernel, kernel[shape], arguments)


class _Prepared:
    """A launch as the driver takes it: its arguments are words, and it is told where each lies."""

    def __init__(self, kernel: Any, configured: Any, arguments: tuple[Any, ...]) -> None:
        from cuda.bindings import driver

        compiled = kernel.overloads[tuple(kernel.typeof_pyval(value) for value in arguments)]
        packed: list[Any] = []
        for kind, value in zip(compiled.argument_types, arguments, strict=True):
            compiled._prepare_args(kind, value, configured.stream, [], packed)  # noqa: SLF001
        values = [getattr(value, "value", value) for value in packed]
        self._words = (ctypes.c_int64 * len(values))(*values)
        begin = ctypes.addressof(self._words)
        self._places = (ctypes.c_void_p * len(values))(
            *range(begin, begin + ctypes.sizeof(self._words), ctypes.sizeof(ctypes.c_int64))
        )
        function = compiled._codelibrary.get_cufunc()  # noqa: SLF001 - Numba has no other
        self._launch = partial(
            driver.cuLaunchKernel,
            driver.CUfunction(int(function.handle)),
            *configured.griddim,
            *configured.blockdim,
            configured.sharedmem,
            driver.CUstream(int(configured.stream.handle)),
            ctypes.addressof(self._places),
            0,
        )

    def __call__(self) -> None:
        (fault,) = self._launch()
        if fault:
            raise RuntimeError(f"a kernel could not be run: {fault.name}")


def _finish(registers: int | None, function: FunctionType) -> Any:
    """A rebuilt function as CUDA code: a kernel, or what kernels call."""
    from numba import cuda

    cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a small batch is as good as a large one
    device = function.__name__ not in KERNELS
    if is_simulated():
        return cuda.jit(function, device=device)
    if device:
        return cuda.jit(function, device=True, lto=False)
    if function.__name__ not in ("play_out_batch", "play_games_batch"):
        registers = registers or _REGISTERS
    return cuda.jit(function, max_registers=registers, lto=False)
