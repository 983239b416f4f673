"""Many games in one array, played on CPU threads or on a GPU.

>>> import theriac
>>> batch = theriac.batch("poison", 1000, players=4, seed=1)
>>> actions = batch.masks().argmax(axis=1)   # the first legal action of each game
>>> int(batch.step(actions).max())           # 0: no clause forbids it
0
>>> int(batch.play_out().min())              # 199 moves were left in each game
199
>>> batch.results().sum(axis=1).max().item()
1.0
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, Protocol, Self

import numpy as np
import numpy.typing as npt

from theriac.engine.array_loops import NO_ACTION
from theriac.engine.contract import NOBODY
from theriac.engine.loops import ACTOR
from theriac.engine.records import Ints, Mask, Moves, Records, State
from theriac.engine.saved_batch import BatchContent, SavedFrom, read_batch, write_batch
from theriac.engine.seeds import as_int, check_number, key_of_seed
from theriac.faults import Fault, quote

Device = Literal["cpu", "cuda"]
#: A NumPy array; on a GPU an array in its memory, which NumPy and PyTorch can read.
Array = Any


class BatchPosition(Protocol):
    """One game of a batch, in words."""

    state: bytes

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The view of a seat, or that of the referee."""

    def action_text(self, action: Any) -> str:
        """The move that an action is now, as text."""

    def legal_actions(self) -> list[int]:
        """The legal actions, ascending."""

    def refusal(self, action: Any) -> Fault | None:
        """Why an action would be refused now; None if it is legal."""


class BatchSource(SavedFrom, Protocol):
    """What a batch is made from. The engine does not know how a game is described to people."""

    @property
    def catalogue(self) -> Moves:
        """All moves, ascending."""

    @property
    def actions(self) -> int:
        """The number of actions."""

    @property
    def auto_reset(self) -> bool:
        """Is a game that ends replaced at once?"""

    def make(self) -> Batch:
        """Another batch like this, whose games have not started."""

    def position(self) -> BatchPosition:
        """A position, which can hold the STATE of any game."""


class Batch(ABC):
    """n games with the same options; game i is game number i of the seed, on every device.

    An action is the index of a move in the `catalogue`, the ascending array of all moves; a game
    with too many moves for that has its own action numbers, 0 to `actions` - 1.

    With `auto_reset` a game that ends is replaced at once by another of the same seed, whose number
    is n higher; `ended` and `rewards` describe the game that ended.

    Methods return NumPy arrays. On a GPU they return arrays in its memory, which belong to the
    batch: the next call of the same method overwrites them.

    `copy.deepcopy` and `pickle` work on both devices, like `clone` and `save`.
    """

    device: Device

    def __init__(self, source: BatchSource) -> None:
        self.shape = source.shape
        self.options = source.options
        self.catalogue = source.catalogue
        self.actions = source.actions
        self.players = int(source.options.players)
        self.auto_reset = source.auto_reset
        self.seed = 0
        self._key = 0
        self._n = source.n
        self._source = source
        self._position: BatchPosition | None = None

    def __len__(self) -> int:
        return self._n

    @property
    @abstractmethod
    def states(self) -> Records[State]:
        """The STATE of each game, an array of records; on a GPU a copy of it."""

    @property
    @abstractmethod
    def numbers(self) -> Array:
        """The number of the game that is played at each index."""

    @property
    @abstractmethod
    def to_act(self) -> Array:
        """The seat to act in each game; -2 where the game is over."""

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """True for each game that is over."""
        return np.asarray(np.asarray(self.to_act) == NOBODY)

    @property
    def ended(self) -> Array:
        """1 for each game that ended in the last step, else 0 (with `auto_reset`)."""
        return self._last_ended()[0]

    @property
    def rewards(self) -> Array:
        """Each seat's share of the win in the games that ended in the last step, zeros elsewhere
        (with `auto_reset`).
        """
        return self._last_ended()[1]

    def _last_ended(self) -> tuple[Array, Array]:
        if not self.auto_reset:
            raise Fault(
                "ended and rewards need a batch made with auto_reset=True; "
                "without it finished games stay: use over and results()"
            )
        return self._ended_and_rewards()

    @abstractmethod
    def _ended_and_rewards(self) -> tuple[Array, Array]:
        """The values of `ended` and `rewards`."""

    def reset(self, seed: int = 0, first: int = 0) -> None:
        """Start the games of a seed, from number `first`.

        A seed is a whole number from 0 to 2**64 - 1.
        """
        key, begin = key_of_seed(seed), check_number(first, len(self))
        self.seed, self._key = as_int(seed) or 0, key
        self._clear_ended()
        self._start(begin + np.arange(len(self)), np.ones(len(self), np.uint8))

    def reset_games(self, games: npt.ArrayLike, numbers: npt.ArrayLike | None = None) -> None:
        """Start new games at some indices; all other games stay as they are.

        The new game of an index has the number n higher, as with `auto_reset`; or one of `numbers`,
        which has one for each of `games`. The seed is that of the batch.
        """
        chosen = self._check_games(games)
        now = np.asarray(self.numbers).copy()
        if numbers is None:
            now[chosen] += len(self)
        else:
            given = np.asarray(numbers)
            if given.shape != chosen.shape:
                raise Fault(f"{given.size} numbers for {chosen.size} games: give one for each")
            now[chosen] = [check_number(number) for number in given.tolist()]
        mask = np.zeros(len(self), np.uint8)
        mask[chosen] = 1
        self._start(now, mask)

    def _check_games(self, games: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Indices of games, all different; raises `Fault`."""
        chosen = np.asarray(games)
        if not chosen.size:
            return np.zeros(0, np.int64)
        whole = chosen.ndim == 1 and chosen.dtype.kind in "iu"
        if not whole or len(np.unique(chosen)) < len(chosen):
            raise Fault(f"games {quote(chosen.tolist())}: give a list of different indices")
        for i in (int(chosen.min()), int(chosen.max())):
            self._check_game(i)
        return chosen.astype(np.int64)

    def _check_game(self, i: Any) -> int:
        index = as_int(i)
        if index is None or not 0 <= index < len(self):
            raise Fault(f"game {quote(i)}: there are games 0 to {len(self) - 1}")
        return index

    @abstractmethod
    def _clear_ended(self) -> None:
        """No game has ended in the last step."""

    @abstractmethod
    def _start(self, numbers: Ints, chosen: Mask) -> None:
        """Set the numbers of all games, and start those that are chosen."""

    @abstractmethod
    def step(self, actions: Any) -> Array:
        """Play an action in each game, and nature's cards after it.

        Returns for each game the number of the clause that forbids the action, 0 where it was
        played. An illegal action changes nothing in its game; where the game is over, every
        action is illegal. The action -1 plays nothing in its game: its clause is -1.
        """

    def _check_length(self, actions: Any) -> None:
        """Raise `ValueError` unless there is one integer per game."""
        if actions.shape != (len(self),) or np.dtype(actions.dtype).kind not in "iu":
            raise ValueError(
                f"actions have shape {actions.shape} and type {actions.dtype}: "
                f"give {len(self)} integers, one per game"
            )

    def _check_range(self, actions: npt.NDArray[Any]) -> None:
        """Raise `ValueError` if a number is not an action."""
        if len(self) and not NO_ACTION <= actions.min() <= actions.max() < self.actions:
            raise ValueError(
                f"actions are from {actions.min()} to {actions.max()}: "
                f"give numbers from 0 to {self.actions - 1}, or -1 to play nothing"
            )

    @abstractmethod
    def random_actions(self) -> Array:
        """A legal action of each game, chosen uniformly at random; 0 where the game is over.

        It comes from the game's own stream of random numbers, as in `play_out`.
        """

    @abstractmethod
    def play_out(self) -> Array:
        """Play every game at random to its end; returns how many moves each took."""

    @abstractmethod
    def play_games(self, games: int, first: int = 0) -> tuple[Array, Array]:
        """Play `games` whole random games at each index, apart from the games of the batch.

        Index i plays the numbers first + i, first + i + n, first + i + 2 n, ... of the seed.
        Returns the number of moves, and the sum of each seat's shares of the win.
        """

    @abstractmethod
    def masks(self) -> Array:
        """For each game and action 1 if it is legal, else 0; all 0 where the game is over."""

    @abstractmethod
    def observations(self, seat: int | None = None) -> Array:
        """What a seat sees in each game, as features for a network.

        By default the seat to act: zeros where the game is over.
        """

    def _viewer(self, seat: int | None) -> int:
        """The seat as `engine.loops.viewer` takes it; raises `Fault`."""
        if seat is None:
            return ACTOR
        number = as_int(seat)
        if number is None or not 0 <= number < self.players:
            raise Fault(f"seat {quote(seat)}: there are seats 0 to {self.players - 1}")
        return number

    @abstractmethod
    def scores(self) -> Array:
        """The points of each seat in each game."""

    @abstractmethod
    def results(self) -> Array:
        """Each seat's share of the win; zeros where the game is not over."""

    # In words

    def view(self, i: int, seat: int | None = None) -> dict[str, Any]:
        """The view of a seat in game i, or the referee's: as `Match.view`.

        >>> import theriac
        >>> theriac.batch("poison", 8, players=3).view(5, seat=1)["round"]
        1
        """
        return self._position_of(i).view(seat)

    def action_text(self, i: int, action: int) -> str:
        """The move that an action is in game i now, as text.

        >>> import theriac
        >>> theriac.batch("poison", 8).action_text(5, 3)
        'R2@1'
        """
        return self._position_of(i).action_text(action)

    def legal_texts(self, i: int) -> dict[int, str]:
        """Every legal action of game i, with the text of its move."""
        position = self._position_of(i)
        return {action: position.action_text(action) for action in position.legal_actions()}

    def refusal(self, i: int, action: int) -> str | None:
        """Why an action would be refused in game i now, with the clause; None if it is legal.

        >>> import theriac
        >>> theriac.batch("poison", 8, seed=1).refusal(0, 3)
        'R2@1: R2 is not in hand (POI-07)'
        """
        refused = self._position_of(i).refusal(action)
        return None if refused is None else str(refused)

    def _position_of(self, i: int) -> BatchPosition:
        """Game i; the next call overwrites it."""
        if self._position is None:
            self._position = self._source.position()
        self._position.state = self._state_of(self._check_game(i))
        return self._position

    @abstractmethod
    def _state_of(self, i: int) -> bytes:
        """The STATE of game i as bytes."""

    # Copies

    def clone(self) -> Self:
        """An independent copy on the same device: its games continue in the same way."""
        twin: Self = self._source.make()  # type: ignore[assignment]
        twin.seed, twin._key = self.seed, self._key
        twin._copy_from(self)
        return twin

    def save(self) -> bytes:
        """All games as bytes, for `restore`: also on another device or in another process."""
        return write_batch(self._source, self.seed, self._content())

    def restore(self, saved: bytes) -> None:
        """Go back to saved games; raises `Fault` if the batch that saved them was of another kind.

        The game, its options, the number of games and the version of Theriac must be the same.
        """
        seed, content = read_batch(self._source, self.players, saved)
        self.seed, self._key = seed, key_of_seed(seed)
        self._load(content)

    def __deepcopy__(self, memo: object) -> Self:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (self._source, self.save())

    @abstractmethod
    def _copy_from(self, other: Self) -> None:
        """Take over the games of a batch of the same kind."""

    @abstractmethod
    def _content(self) -> BatchContent:
        """The games, as arrays on the CPU; they may be the batch's own."""

    @abstractmethod
    def _load(self, content: BatchContent) -> None:
        """Take over the games."""


def _revive(source: BatchSource, saved: bytes) -> Batch:
    """A batch that was pickled."""
    batch = source.make()
    batch.restore(saved)
    return batch
