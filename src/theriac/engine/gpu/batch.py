"""Many games on a GPU: one thread per game, all memory on the device.

Trajectories are those of the CPU, bit for bit. The first call of a method compiles its kernel.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from typing import Any, Final, Self

import numpy as np

from theriac.engine.batch import Batch, BatchSource
from theriac.engine.chance import is_low
from theriac.engine.gpu.device_array import DeviceArray
from theriac.engine.gpu.launch import PLAY_LOW_GAMES, Kernels, Launch
from theriac.engine.gpu.layout import WARP_SIZE
from theriac.engine.gpu.move_hash import hash_moves
from theriac.engine.gpu.plan import THREADS, mask_bytes
from theriac.engine.records import Ints, Mask, Records, State, records
from theriac.engine.saved_batch import BatchContent
from theriac.engine.seeds import check_number
from theriac.faults import Fault

#: A large batch is split among up to STREAMS CUDA streams: while the games of one wait for memory,
#: those of another compute. Each stream waits for the default stream, and that one for it.
STREAMS: Final = 4
#: The fewest games that are worth a stream.
MIN_GAMES_PER_STREAM = 32_768
#: Launches whose packed arguments a batch keeps.
_MAX_LAUNCHES: Final = 32
#: Arrays of other libraries whose wrappers a batch keeps.
_MAX_FOREIGN: Final = 4


def need_gpu() -> None:
    """Raise a `Fault` that names what is missing, if there is no usable GPU."""
    if importlib.util.find_spec("numba_cuda") is None:
        raise Fault(
            "device cuda: the package numba-cuda is not installed: "
            "pip install 'theriac-games[cuda]'; or use device=\"cpu\""
        )
    from numba import cuda

    if not cuda.is_available():
        why = " ".join(str(cuda.cuda_error() or "CUDA libraries are missing").split())
        raise Fault(f'device cuda: no usable GPU was found ({why}); use device="cpu"')


class CudaBatch(Batch):
    """A batch on a GPU."""

    device = "cuda"

    def __init__(self, source: BatchSource, kernels: Kernels) -> None:
        super().__init__(source)
        from numba import cuda

        self.kernels = kernels
        n, catalogue, options = source.n, self.catalogue, self.options
        tiles = -(-n // WARP_SIZE)
        self._states = cuda.device_array(kernels.plan.state.tile_words() * tiles, np.int64)
        self._chances = cuda.device_array(kernels.plan.chance.tile_words() * tiles, np.int64)
        self._options = cuda.to_device(np.asarray([options], kernels.shape.options))
        table = hash_moves(catalogue) if kernels.plan.hashes_moves else np.zeros(0, np.int64)
        self._move_table = cuda.to_device(table)
        size = max(MIN_GAMES_PER_STREAM, -(-n // (STREAMS * THREADS)) * THREADS)
        #: The first game, the number of games, and the stream of each part.
        self._parts = [(at, min(size, n - at), cuda.stream()) for at in range(0, n, size)]
        self._launches: dict[Any, tuple[list[Launch], tuple[Any, ...]]] = {}
        self._foreign: dict[Any, Any] = {}
        self._words: dict[str, Any] = {}
        self._arrays: dict[str, Any] = {}
        self._clear(self._states)
        self._clear(self._chances)
        self._ended = self._zeros("ended", (n,), np.uint8)
        self._rewards = self._zeros("rewards", (n, self.players), np.float32)
        self._numbers = self._zeros("numbers", (n,), np.int64)

    # Buffers

    def _buffer(self, name: str, shape: tuple[int, ...], dtype: type, order: str = "C") -> Any:
        """An array that every call of a method overwrites. It takes whole 8-byte words."""
        if name not in self._arrays:
            from numba import cuda

            size = math.prod(shape)
            self._words[name] = cuda.device_array(
                -(-size * np.dtype(dtype).itemsize // 8), np.int64
            )
            self._arrays[name] = self._words[name].view(dtype)[:size].reshape(*shape, order=order)
        return self._arrays[name]

    def _zeros(self, name: str, shape: tuple[int, ...], dtype: type) -> Any:
        """Such an array, filled with zeros."""
        array = self._buffer(name, shape, dtype)
        self._clear(self._words[name])
        return array

    def _clear(self, words: Any) -> None:
        self._run("clear_words", words, n=len(words))

    # Launches

    def _run(self, name: str, *arguments: Any, n: int | None = None) -> None:
        """Run a kernel on the default stream."""
        n = len(self) if n is None else n
        if n:
            self._launch(name, arguments, lambda: [self.kernels.launch(name, n, *arguments)])

    def _run_on_streams(self, name: str, *arguments: Any, shared: int = 0) -> None:
        """Run a kernel on every part of the batch; its first parameter is the first game."""
        self._launch(
            name,
            arguments,
            lambda: [
                self.kernels.launch(name, n, first, *arguments, shared=shared, stream=stream)
                for first, n, stream in self._parts
            ],
        )

    def _launch(
        self, name: str, arguments: tuple[Any, ...], first_launch: Callable[[], list[Launch]]
    ) -> None:
        """Launch a kernel; with the arguments of an earlier launch, from what that one packed."""
        key = name, *(value if isinstance(value, int) else id(value) for value in arguments)
        if key in self._launches:
            for launch in self._launches[key][0]:
                launch()
            return
        if len(self._launches) >= _MAX_LAUNCHES:
            self._launches.clear()
        # The arguments are kept alive, so that no other object can have their id.
        self._launches[key] = first_launch(), arguments

    # The state of the games

    @property
    def states(self) -> Records[State]:
        """A copy of the STATE of each game."""
        copy: Records[State] = records(self.shape.state, len(self))
        self.kernels.plan.state.gather(np.asarray(self._states.copy_to_host()), copy)
        return copy

    @property
    def numbers(self) -> DeviceArray:
        """The number of the game that is played at each index."""
        return DeviceArray(self._numbers)

    @property
    def to_act(self) -> DeviceArray:
        """The seat to act in each game; -2 where the game is over."""
        seats = self._buffer("to_act", (len(self),), np.int16)
        self._run("to_act_batch", self._states, seats)
        return DeviceArray(seats)

    def _ended_and_rewards(self) -> tuple[DeviceArray, DeviceArray]:
        return DeviceArray(self._ended), DeviceArray(self._rewards)

    def _clear_ended(self) -> None:
        self._clear(self._words["ended"])
        self._clear(self._words["rewards"])

    def _start(self, numbers: Ints, chosen: Mask) -> None:
        self._numbers.copy_to_device(numbers)
        mask = self._buffer("chosen", (len(self),), np.uint8)
        mask.copy_to_device(chosen)
        options = self._options, self._key
        self._run("start_batch", self._states, self._chances, *options, self._numbers, mask)

    # Playing

    def step(self, actions: Any) -> DeviceArray:
        """Play an action in each game, and nature's cards after it.

        A number that is not an action is refused on the GPU: its clause is -1.
        """
        clauses = self._buffer("clauses", (len(self),), np.int64)
        chosen = self._move_table, self.actions, self._actions_of(actions)
        restart = self._options, self._key, int(self.auto_reset)
        episodes = self._numbers, self._rewards, self._ended
        self._run_on_streams(
            "step_batch", self._states, self._chances, *chosen, clauses, *restart, *episodes
        )
        return DeviceArray(clauses)

    def _actions_of(self, actions: Any) -> Any:
        """Actions as an int64 array on the GPU. Arrays already there are used without a copy,
        except those of another batch: the streams of this one do not wait for its streams.
        """
        foreign = isinstance(actions, DeviceArray) and actions.array is not self._arrays.get(
            "actions"
        )
        if isinstance(actions, DeviceArray):
            actions = actions.array
        copy = self._buffer("step_actions", (len(self),), np.int64)
        on_gpu = hasattr(actions, "__cuda_array_interface__")
        given: Any = self._wrapped(actions) if on_gpu else np.asarray(actions)
        self._check_length(given)
        if not on_gpu:
            self._check_range(given)
            copy.copy_to_device(np.ascontiguousarray(given, np.int64))
            return copy
        if given.dtype == np.int64 and given.is_c_contiguous() and not foreign:
            return given
        self._run("convert_all", given, copy)
        return copy

    def _wrapped(self, actions: Any) -> Any:
        """Another library's array as Numba's. An array at the same address gets the same wrapper,
        so that its launch is found again.
        """
        from numba import cuda

        if cuda.is_cuda_array(actions) and hasattr(actions, "copy_to_host"):
            return actions
        interface = actions.__cuda_array_interface__
        if interface.get("stream") is not None:  # Numba must synchronise with it each time
            return cuda.as_cuda_array(actions)
        key = (
            *(interface["data"][0], interface["typestr"], interface["shape"]),
            interface.get("strides"),
        )
        if key not in self._foreign:
            if len(self._foreign) >= _MAX_FOREIGN:
                self._foreign.clear()
            self._foreign[key] = cuda.as_cuda_array(actions)
        return self._foreign[key]

    def random_actions(self) -> DeviceArray:
        """A legal action of each game, chosen uniformly at random; 0 where the game is over."""
        actions = self._buffer("actions", (len(self),), np.int64)
        self._run_on_streams("choose_batch", self._states, self._chances, self._move_table, actions)
        return DeviceArray(actions)

    def play_out(self) -> DeviceArray:
        """Play every game at random to its end; returns how many moves each took."""
        moves_played = self._buffer("moves_played", (len(self),), np.int64)
        self._run("play_out_batch", self._states, self._chances, moves_played)
        return DeviceArray(moves_played)

    def play_games(self, games: int, first: int = 0) -> tuple[DeviceArray, DeviceArray]:
        """Play `games` whole random games at each index, apart from the games of the batch."""
        first = check_number(first, games * len(self))
        moves_played = self._buffer("moves_of_games", (len(self),), np.int64)
        results = self._zeros("results_of_games", (len(self), self.players), np.float64)
        low = is_low(self._key, first + games * len(self))
        name = PLAY_LOW_GAMES if low else "play_games_batch"
        self._run(name, self._options, self._key, first, games, moves_played, results)
        return DeviceArray(moves_played), DeviceArray(results)

    # What players see

    def masks(self) -> DeviceArray:
        """For each game and action 1 if it is legal, else 0; all 0 where the game is over."""
        masks = self._buffer("masks", (len(self), self.actions), np.uint8)
        words = self._words["masks"]
        self._run_on_streams(
            "mark_batch",
            *(self._states, len(self), self._move_table, self.actions, words),
            shared=mask_bytes(self.actions),
        )
        return DeviceArray(masks)

    def observations(self, seat: int | None = None) -> DeviceArray:
        """What a seat, by default the one to act, sees in each game, as features for a network.

        The array is column-major (Fortran order): a feature of all games is contiguous.
        """
        out = self._buffer("observations", (len(self), self.shape.features), np.float32, "F")
        self._run_on_streams("observe_batch", self._states, self._viewer(seat), out)
        return DeviceArray(out)

    def scores(self) -> DeviceArray:
        """The points of each seat in each game."""
        return self._scores_and_results()[0]

    def results(self) -> DeviceArray:
        """Each seat's share of the win; zeros where the game is not over."""
        return self._scores_and_results()[1]

    def _scores_and_results(self) -> tuple[DeviceArray, DeviceArray]:
        scores = self._buffer("scores", (len(self), self.players), np.int64)
        results = self._buffer("results", (len(self), self.players), np.float64)
        self._run("score_batch", self._states, self.players, scores, results)
        return DeviceArray(scores), DeviceArray(results)

    # Copies

    def _state_of(self, i: int) -> bytes:
        """Only the warp tile of the game is copied to the CPU."""
        layout, tile = self.kernels.plan.state, i // WARP_SIZE
        words = self._states[tile * layout.tile_words() : (tile + 1) * layout.tile_words()]
        games: Any = records(self.shape.state, WARP_SIZE)
        layout.gather(np.asarray(words.copy_to_host()), games)
        return bytes(games[i % WARP_SIZE].tobytes())

    def _copy_from(self, other: Self) -> None:
        for name in ("_states", "_chances"):
            getattr(self, name).copy_to_device(getattr(other, name))
        for name in ("ended", "rewards", "numbers"):
            self._words[name].copy_to_device(other._words[name])

    def _content(self) -> BatchContent:
        chances = records(self.shape.chance, len(self))
        self.kernels.plan.chance.gather(np.asarray(self._chances.copy_to_host()), chances)
        arrays = (self._numbers, self._ended, self._rewards)
        return BatchContent(self.states, chances, *(array.copy_to_host() for array in arrays))

    def _load(self, content: BatchContent) -> None:
        for layout, there, here in (
            (self.kernels.plan.state, self._states, content.states),
            (self.kernels.plan.chance, self._chances, content.chances),
        ):
            words = np.zeros(len(there), np.int64)
            layout.scatter(here, words)
            there.copy_to_device(words)
        self._numbers.copy_to_device(content.numbers)
        self._ended.copy_to_device(content.ended)
        self._rewards.copy_to_device(content.rewards)
