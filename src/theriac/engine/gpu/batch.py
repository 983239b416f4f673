"""Many games on a GPU: a thread a game, all memory there, results handed over without a copy.

The trajectories are those of the CPU, bit for bit. The first call of a method compiles its kernel.
"""

from __future__ import annotations

import functools
import importlib.util
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.engine.batch import Batch
from theriac.engine.gpu.launch import Launch
from theriac.engine.gpu.layout import WARP_SIZE
from theriac.engine.gpu.move_hash import index_moves
from theriac.engine.gpu.plan import THREADS, mask_bytes
from theriac.engine.records import records
from theriac.faults import Fault


def need_gpu() -> None:
    """Say what is missing, if anything is, to run on a GPU."""
    if importlib.util.find_spec("numba_cuda") is None:
        raise Fault(
            "device cuda: the package numba-cuda is not installed: "
            "pip install 'theriac[cuda]'; or use device=\"cpu\""
        )
    from numba import cuda

    if not cuda.is_available():
        why = " ".join(str(cuda.cuda_error() or "CUDA libraries are missing").split())
        raise Fault(f'device cuda: no GPU that can be used was found ({why}); use device="cpu"')


#: A large batch is stepped and looked at in parts, each on a stream of its own: while the games of
#: one come from memory, another's are played. Such a stream waits for what was queued before on the
#: default stream, and that one for it.
PARTS = 4
#: Games that are worth a part.
LEAST_PART = 32_768
#: Prepared launches that a batch keeps.
_MOST_LAUNCHES = 32
#: Arrays of other libraries that it knows again.
_MOST_FOREIGN = 4


class OnGpu:
    """An array that lies on a GPU.

    PyTorch and JAX take it over without a copy (``torch.from_dlpack(array)``,
    ``jax.dlpack.from_dlpack(array)``), CuPy and Numba too; `numpy()` copies it to the CPU.
    """

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """As of a NumPy array."""
        return tuple(self.array.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """As of a NumPy array."""
        return np.dtype(self.array.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def numpy(self) -> npt.NDArray[Any]:
        """A copy on the CPU."""
        return np.asarray(self.array.copy_to_host())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("an array on a GPU must be copied to be seen by NumPy")
        return np.asarray(self.numpy(), dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        described: dict[str, Any] = self.array.__cuda_array_interface__
        return described

    @functools.cached_property
    def _view(self) -> Any:
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView(self.array, stream_ptr=-1)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._view.__dlpack_device__()
        return device

    def __dlpack__(self, *, stream: Any = None, **wanted: Any) -> Any:
        """A capsule for another library. What is queued here comes first: on the default stream by
        itself (1 in DLPack), for any other stream by waiting for it.
        """
        if stream not in (None, 1):
            from numba import cuda

            cuda.synchronize()
        return self._view.__dlpack__(**wanted)


class CudaBatch(Batch):
    """On a GPU."""

    device = "cuda"

    def __init__(
        self,
        kernels: Any,
        options: Any,
        catalogue: npt.NDArray[np.int64],
        actions: int,
        n: int,
        *,
        seed: int = 0,
        auto_reset: bool = False,
    ) -> None:
        super().__init__(kernels.shape, options, catalogue, actions, n, auto_reset=auto_reset)
        from numba import cuda

        self.kernels = kernels
        tiles = -(-n // WARP_SIZE)
        self._states = cuda.device_array(kernels.plan.state.tile_words() * tiles, np.int64)
        self._chances = cuda.device_array(kernels.plan.chance.tile_words() * tiles, np.int64)
        self._options = cuda.to_device(np.asarray([options], kernels.shape.options))
        moves = index_moves(catalogue) if kernels.plan.hashes_moves else np.zeros(0, np.int64)
        self._index = cuda.to_device(moves)
        size = max(LEAST_PART, -(-n // (PARTS * THREADS)) * THREADS)
        self._parts = [(at, min(size, n - at), cuda.stream()) for at in range(0, n, size)]
        self._launches: dict[Any, Any] = {}
        self._foreign: dict[Any, Any] = {}
        self._words: dict[str, Any] = {}
        self._arrays: dict[str, Any] = {}
        self._clear(self._states)
        self._clear(self._chances)
        self.reset(seed)

    def _room(self, name: str, shape: tuple[int, ...], dtype: Any, order: str = "C") -> Any:
        """An array that is written over again and again, made of whole words."""
        if name not in self._arrays:
            from numba import cuda

            size = math.prod(shape)
            self._words[name] = cuda.device_array(
                -(-size * np.dtype(dtype).itemsize // 8), np.int64
            )
            self._arrays[name] = self._words[name].view(dtype)[:size].reshape(*shape, order=order)
        return self._arrays[name]

    def _clear(self, words: Any) -> None:
        """Write zeros."""
        self._run("clear_words", words, n=len(words))

    def _zeros(self, name: str, shape: tuple[int, ...], dtype: Any) -> Any:
        """Such an array, cleared."""
        array = self._room(name, shape, dtype)
        self._clear(self._words[name])
        return array

    def _run(self, name: str, *arguments: Any, n: int | None = None) -> None:
        """Run a kernel."""
        n = len(self) if n is None else n
        if n:
            self._launch(name, arguments, lambda: [self.kernels.launch(name, n, *arguments)])

    def _run_in_parts(self, name: str, *arguments: Any, shared: int = 0) -> None:
        """Run a kernel that can begin with any game: the parts do not wait for each other."""
        self._launch(
            name,
            arguments,
            lambda: [
                self.kernels.launch(name, n, first, *arguments, shared=shared, stream=stream)
                for first, n, stream in self._parts
            ],
        )

    def _launch(
        self, name: str, arguments: tuple[Any, ...], first_time: Callable[[], list[Launch]]
    ) -> None:
        """The same again, on the same arrays and numbers, is prepared for."""
        key = name, *(value if isinstance(value, int) else id(value) for value in arguments)
        if key in self._launches:
            for launch in self._launches[key][0]:
                launch()
            return
        if len(self._launches) >= _MOST_LAUNCHES:
            self._launches.clear()
        # The arguments are kept with it: as long as they are, no other has their id.
        self._launches[key] = first_time(), arguments

    @property
    def states(self) -> Any:
        """A copy of the STATE of each game."""
        copy = records(self.shape.state, len(self))
        self.kernels.plan.state.gather(np.asarray(self._states.copy_to_host()), copy)
        return copy

    @property
    def numbers(self) -> OnGpu:
        """The number of the game that is played in each place."""
        return OnGpu(self._numbers)

    @property
    def to_act(self) -> OnGpu:
        """The seat to act in each game; -2 where the game is over."""
        seats = self._room("to_act", (len(self),), np.int16)
        self._run("to_act_batch", self._states, seats)
        return OnGpu(seats)

    def _ended_and_rewards(self) -> tuple[OnGpu, OnGpu]:
        return OnGpu(self._ended), OnGpu(self._rewards)

    def reset(self, seed: int = 0, first: int = 0) -> None:
        """Begin games number `first` and up of a seed."""
        self.seed = seed
        self._ended = self._zeros("ended", (len(self),), np.uint8)
        self._rewards = self._zeros("rewards", (len(self), self.players), np.float32)
        self._numbers = self._room("numbers", (len(self),), np.int64)
        self._run(
            "start_batch", self._states, self._chances, self._options, seed, first, self._numbers
        )

    def step(self, actions: Any) -> OnGpu:
        """Play an action in each game, and nature's cards after it.

        A number that is no action is refused on the GPU: -1 instead of a clause.
        """
        clauses = self._room("clauses", (len(self),), np.int64)
        wanted = self._index, self.actions, self._actions_of(actions)
        begun = self._options, self.seed, int(self.auto_reset)
        game = self._numbers, self._rewards, self._ended
        self._run_in_parts(
            "step_batch", self._states, self._chances, *wanted, clauses, *begun, *game
        )
        return OnGpu(clauses)

    def _actions_of(self, actions: Any) -> Any:
        """Actions as an array of int64 on the GPU: those that lie there already are not copied, but
        for those of another batch, whose streams do not wait for these.
        """
        others = isinstance(actions, OnGpu) and actions.array is not self._arrays.get("actions")
        if isinstance(actions, OnGpu):
            actions = actions.array
        wanted = self._room("wanted", (len(self),), np.int64)
        there = hasattr(actions, "__cuda_array_interface__")
        given: Any = self._on_gpu(actions) if there else np.asarray(actions)
        if given.shape != (len(self),) or np.dtype(given.dtype).kind not in "iu":
            raise ValueError(f"actions must be {len(self)} whole numbers, one a game")
        if not there:
            if len(self) and not 0 <= given.min() <= given.max() < self.actions:
                raise ValueError(f"an action is a number from 0 to {self.actions - 1}")
            wanted.copy_to_device(np.ascontiguousarray(given, np.int64))
            return wanted
        if given.dtype == np.int64 and given.is_c_contiguous() and not others:
            return given
        self._run("convert_all", given, wanted)
        return wanted

    def _on_gpu(self, actions: Any) -> Any:
        """Another library's array as Numba's; the same as last time where it lies there again."""
        from numba import cuda

        if cuda.is_cuda_array(actions) and hasattr(actions, "copy_to_host"):
            return actions
        seen = actions.__cuda_array_interface__
        if seen.get("stream") is not None:  # Numba must wait for it each time
            return cuda.as_cuda_array(actions)
        place = seen["data"][0], seen["typestr"], seen["shape"], seen.get("strides")
        if place not in self._foreign:
            if len(self._foreign) >= _MOST_FOREIGN:
                self._foreign.clear()
            self._foreign[place] = cuda.as_cuda_array(actions)
        return self._foreign[place]

    def random_actions(self) -> OnGpu:
        """A legal action of each game, all being equally likely; 0 where the game is over."""
        actions = self._room("actions", (len(self),), np.int64)
        self._run_in_parts("choose_batch", self._states, self._chances, self._index, actions)
        return OnGpu(actions)

    def play_out(self) -> OnGpu:
        """Play every game at random to its end; returns how many moves each took."""
        made = self._room("made", (len(self),), np.int64)
        self._run("play_out_batch", self._states, self._chances, made)
        return OnGpu(made)

    def play_games(self, games: int, first: int = 0) -> tuple[OnGpu, OnGpu]:
        """Play so many whole random games in each place, beside those of the batch."""
        made = self._room("played", (len(self),), np.int64)
        results = self._zeros("shares", (len(self), self.players), np.float64)
        self._run("play_games_batch", self._options, self.seed, first, games, made, results)
        return OnGpu(made), OnGpu(results)

    def masks(self) -> OnGpu:
        """For each game and action 1 if it is legal, else 0; all 0 where the game is over."""
        masks = self._room("masks", (len(self), self.actions), np.uint8)
        words = self._words["masks"]
        self._run_in_parts(
            "mark_batch",
            *(self._states, len(self), self._index, self.actions, words),
            shared=mask_bytes(self.actions),
        )
        return OnGpu(masks)

    def observations(self) -> OnGpu:
        """What the seat to act sees in each game, as numbers for a network.

        A feature of all games lies side by side: the array is one of columns (Fortran's order).
        """
        out = self._room("observations", (len(self), self.shape.features), np.float32, "F")
        self._run_in_parts("observe_batch", self._states, out)
        return OnGpu(out)

    def scores(self) -> OnGpu:
        """The points of each game and seat."""
        return self._tell()[0]

    def results(self) -> OnGpu:
        """Each seat's share of the win; zeros where the game is not over."""
        return self._tell()[1]

    def _tell(self) -> tuple[OnGpu, OnGpu]:
        scores = self._room("scores", (len(self), self.players), np.int64)
        results = self._room("results", (len(self), self.players), np.float64)
        self._run("score_batch", self._states, self.players, scores, results)
        return OnGpu(scores), OnGpu(results)
