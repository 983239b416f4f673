"""The kernels of one game, compiled on first use, and how they are launched."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from functools import partial
from types import FunctionType
from typing import Any, Final

from theriac.engine.build import fill_slots
from theriac.engine.chance import seed_low_stream, seed_stream
from theriac.engine.contract import GpuHints
from theriac.engine.explaining import explained
from theriac.engine.gpu import kernels, masks
from theriac.engine.gpu.intrinsics import GPU_INTRINSICS
from theriac.engine.gpu.move_hash import look_up, take_entry
from theriac.engine.gpu.plan import MemoryPlan, is_simulated
from theriac.engine.rule import Linker
from theriac.engine.shape import Shape

#: Registers per thread of the kernels that take one step. They need fewer, but then the compiler
#: saves registers instead of hiding memory latency.
_STEP_REGISTERS: Final = 128

#: Launches a kernel once more.
Launch = Callable[[], Any]

KERNELS: Final = {
    function.__name__: function
    for function in (
        kernels.start_batch,
        kernels.step_batch,
        kernels.choose_batch,
        kernels.mark_batch,
        kernels.observe_batch,
        kernels.score_batch,
        kernels.to_act_batch,
        kernels.play_out_batch,
        kernels.play_games_batch,
        kernels.clear_words,
        kernels.convert_all,
    )
}
#: `play_games_batch` for a key and numbers below 2**32, without the branch for higher ones: that
#: costs registers, and up to 3.5 % of the speed of whole games.
PLAY_LOW_GAMES: Final = "play_low_games_batch"
KERNELS[PLAY_LOW_GAMES] = kernels.play_games_batch
_WHOLE_GAMES: Final = ("play_out_batch", "play_games_batch")

#: The conversion between moves and actions, for a game that does not define its own.
_BY_HASH: Final = {"action_of": look_up, "move_of": take_entry}


class Kernels:
    """The kernels of one game."""

    def __init__(
        self, rules: Mapping[str, Callable[..., Any]], shape: Shape, hints: GpuHints
    ) -> None:
        pick = hints.pick_legal or rules.get("pick_legal")
        moves = shape.moves if pick else masks.WINDOW
        given = {**_BY_HASH, **rules, "pick_legal": pick or masks.pick_in_windows}
        filled = fill_slots(given, shape)
        self.shape = shape
        self.plan = MemoryPlan(shape, hints, filled, moves)
        slots = filled | self.plan.slots()
        replaced = {} if is_simulated() else GPU_INTRINSICS
        self._linker = Linker(slots, _compile, replaced)
        self._low_linker = Linker(slots, _compile, {**replaced, seed_stream: seed_low_stream})

    def build(self, name: str) -> Any:
        """A kernel as Numba's dispatcher."""
        linker = self._low_linker if name == PLAY_LOW_GAMES else self._linker
        return linker.build(KERNELS[name])

    def launch(
        self, name: str, n: int, *arguments: Any, shared: int = 0, stream: Any = 0
    ) -> Launch:
        """Launch a kernel on n games, with `shared` bytes of dynamic shared memory per block.

        The launch is asynchronous. Returns a function that launches the kernel again on the same
        arguments, in a tenth of the time that Numba takes to inspect and pack them.
        """
        threads = self.plan.threads(name)
        kernel = self.build(name)
        configuration = -(-n // threads), threads, stream, shared
        with explained(KERNELS[name]):
            kernel[configuration](*arguments)
        if is_simulated():  # there a kernel keeps only its latest configuration
            return lambda: kernel[configuration](*arguments)
        return _PackedLaunch(kernel, kernel[configuration], arguments)


class _PackedLaunch:
    """A launch with its arguments packed as the driver takes them: words, and pointers to them."""

    def __init__(self, kernel: Any, configured: Any, arguments: tuple[Any, ...]) -> None:
        from cuda.bindings import driver

        compiled = kernel.overloads[tuple(kernel.typeof_pyval(value) for value in arguments)]
        packed: list[Any] = []
        for kind, value in zip(compiled.argument_types, arguments, strict=True):
            compiled._prepare_args(kind, value, configured.stream, [], packed)  # noqa: SLF001
        values = [getattr(value, "value", value) for value in packed]
        self._words = (ctypes.c_int64 * len(values))(*values)
        begin = ctypes.addressof(self._words)
        self._pointers = (ctypes.c_void_p * len(values))(
            *range(begin, begin + ctypes.sizeof(self._words), ctypes.sizeof(ctypes.c_int64))
        )
        function = compiled._codelibrary.get_cufunc()  # noqa: SLF001 - no public API
        self._launch = partial(
            driver.cuLaunchKernel,
            driver.CUfunction(int(function.handle)),
            *configured.griddim,
            *configured.blockdim,
            configured.sharedmem,
            driver.CUstream(int(configured.stream.handle)),
            ctypes.addressof(self._pointers),
            0,
        )

    def __call__(self) -> None:
        (error,) = self._launch()
        if error:
            raise RuntimeError(f"cuLaunchKernel failed: {error.name}")


def _compile(function: FunctionType) -> Any:
    """A linked function as CUDA code: a kernel, or a device function."""
    from numba import cuda

    cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # small batches are fine
    device = function.__name__ not in KERNELS
    if is_simulated():
        return cuda.jit(function, device=device)
    if device:
        return cuda.jit(function, device=True, lto=False)
    registers = None if function.__name__ in _WHOLE_GAMES else _STEP_REGISTERS
    return cuda.jit(function, max_registers=registers, lto=False)
