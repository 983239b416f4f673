"""One position of a game: its STATE, the legal moves in it, and what each seat may know of it.

`Match` adds texts, sealed shuffles and a history. `NumberedPosition` adds action numbers, and
`adapters.Episode` to those random cards. All keep the STATE to themselves and hand out VIEWs.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from theriac.engine.contract import NOBODY, REFEREE, UNKNOWN
from theriac.engine.records import Records, State, View, records
from theriac.engine.rule import Speed
from theriac.engine.seeds import as_int
from theriac.faults import Fault, Refused, quote
from theriac.game.descriptor import Game, Settings


@functools.cache
def _shared_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of records of a dtype: one object for all positions."""
    shared: np.dtype[Any] = records(dtype, 0).dtype
    return shared


def _one_record(dtype: np.dtype[Any]) -> Any:
    """An array of one record, all zero, for compiled code.

    It takes a plain array as an argument six times as fast as a record array, and recognizes a
    dtype at once that is the very object it knows, not an equal one.
    """
    return np.zeros(1, _shared_type(dtype))


class Fields:
    """The fields of a record as plain arrays over the same memory, by name.

    Reading an attribute of a NumPy record takes longer than playing a move.
    """

    def __init__(self, row: Any) -> None:
        plain = np.asarray(row)
        for name in plain.dtype.names or ():
            setattr(self, name, plain[name].reshape(plain[name].shape[1:]))


def scores_in(v: Any, players: int) -> list[int | None]:
    """The scores that a VIEW (or its `Fields`) shows."""
    scores: list[int | None] = v.scores[:players].tolist()
    return (
        [None if score == UNKNOWN else score for score in scores] if UNKNOWN in scores else scores
    )


def view_as_dict(
    game: Game, settings: Settings, v: Any, legal: Sequence[str], winners: Sequence[int]
) -> dict[str, Any]:
    """A VIEW (or its `Fields`) in the form that `theriac replay --json` prints."""
    over = int(v.to_act) == NOBODY
    return {
        "game": game.name,
        "over": over,
        "to_act": None if over else int(v.to_act),
        "round": int(v.rounds),
        "scores": scores_in(v, settings.players),
        "winners": list(winners),
        "legal": list(legal),
        "table": settings.text.table(v),
    }


class Position:
    """The STATE of one game, from its setup on.

    `copy.deepcopy` and `pickle` make an independent position.
    """

    #: The arrays that a copy takes over, and what lies in these arrays or is overwritten by each
    #: look: a copy has its own.
    COPIED: ClassVar[tuple[str, ...]] = ("_states",)
    LINKED: ClassVar[tuple[str, ...]] = ("_views", "_g", "_v", "_memory", "_now", "_seen")

    def __init__(self, game: Game, settings: Settings, speed: Speed | None = None) -> None:
        self.game = game
        self.settings = settings
        self.text = settings.text
        self._engine = game.engine(speed)
        self.speed = self._engine.speed
        self._allocate()
        self._engine.setup(self._g, settings.options)

    def _allocate(self) -> None:
        """Make the arrays, and everything that lies in them."""
        shape = self.game.shape
        self._states: Records[State] = _one_record(shape.state)
        self._views: Records[View] = _one_record(shape.view)
        self._g: State = self._states[0]
        self._v: View = self._views[0]
        self._memory: npt.NDArray[np.uint8] = self._states.view(np.uint8)
        self._now: Any = Fields(self._states)
        self._seen: Any = Fields(self._views)

    def __getstate__(self) -> tuple[dict[str, Any], dict[str, bytes]]:
        made = {*self.COPIED, *self.LINKED}
        kept = {name: value for name, value in vars(self).items() if name not in made}
        return kept, {name: getattr(self, name).tobytes() for name in self.COPIED}

    def __setstate__(self, saved: tuple[dict[str, Any], dict[str, bytes]]) -> None:
        kept, arrays = saved
        vars(self).update(kept)
        self._allocate()
        for name, content in arrays.items():
            getattr(self, name).view(np.uint8)[:] = np.frombuffer(content, np.uint8)

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.settings.players

    @property
    def actor(self) -> int:
        """The seat to act, NATURE when a card is to be dealt, NOBODY when the game is over."""
        return int(self._now.to_act)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.actor == NOBODY

    def legal_numbers(self) -> list[int]:
        """The legal moves of the seat to act, as numbers."""
        if self.actor < 0:
            return []
        moves = self._engine.moves()
        count = self._engine.list_at(self._states, 0, moves)
        legal: list[int] = moves[:count].tolist()
        return legal

    def legal(self) -> list[str]:
        """The legal moves of the seat to act, each text once, sorted by code point."""
        return sorted(map(self.text.move_texts.__getitem__, self.legal_numbers()))

    def _refused(self, text: str, clause: int, seat: int) -> Refused:
        """Why a clause forbids a move, explained from what a seat sees."""
        why = self.text.explain(self.look(seat), text, clause)
        return Refused(text, why, self.game.clause(clause))

    def _count_pile(self, pile: int) -> npt.NDArray[np.int16]:
        """The number of copies of each card left in a pile."""
        counts = np.zeros(self.game.shape.cards, np.int16)
        self._engine.list_pile(self._g, pile, counts)
        return counts

    # What seats see

    def look(self, seat: int | None) -> View:
        """The VIEW record of a seat or SPECTATOR (None: of the referee).

        The next look overwrites it.
        """
        self._engine.see_at(self._states, 0, REFEREE if seat is None else seat, self._views)
        return self._v

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """The referee's view, or that of a seat: what `theriac replay --json` prints.

        `table` is the record format's key for everything that lies open (`docs/record.md`).

        >>> import theriac
        >>> match = theriac.new("poison", players=3, first=0, seed=bytes(32))
        >>> match.view()["table"]["hands"]
        [12, 13, 13]
        >>> len(match.view(seat=1)["hand"])
        13
        """
        if seat is not None and not 0 <= seat < self.players:
            raise Fault(f"seat {seat}: there are seats 0 to {self.players - 1}")
        return self.view_from(REFEREE if seat is None else seat)

    def view_from(self, viewpoint: int) -> dict[str, Any]:
        """The view from a seat, SPECTATOR or REFEREE, as `theriac replay --json` prints it."""
        legal = self.legal() if viewpoint in (REFEREE, self.actor) else []
        self.look(viewpoint)
        view = view_as_dict(self.game, self.settings, self._seen, legal, self.winners())
        if viewpoint >= 0:
            view["hand"] = self.text.hand(self._seen)
        return view

    def winners(self) -> list[int]:
        """The seats that have won, ascending; none until the game is over."""
        if not self.over:
            return []
        return [seat for seat, share in enumerate(self.results()) if share > 0]

    def results(self) -> list[float]:
        """Each seat's share of the win; zeros until the game is over."""
        scores = np.zeros((1, self.players), np.int64)
        results = np.zeros((1, self.players), np.float64)
        self._engine.write_scores_all(self._states, self.players, scores, results, 0, 1)
        shares: list[float] = results[0].tolist()
        return shares


class NumberedPosition(Position):
    """A position whose moves have action numbers, as in a batch."""

    def __init__(self, game: Game, settings: Settings, speed: Speed | None = None) -> None:
        super().__init__(game, settings, speed)
        self.actions = self.text.actions
        self._catalogue = self.text.catalogue()
        self._moves = self._engine.moves()
        self._mask = np.zeros((1, self.actions), np.uint8)

    @property
    def state(self) -> bytes:
        """The STATE as bytes."""
        return self._memory.tobytes()

    @state.setter
    def state(self, state: bytes) -> None:
        self._memory[:] = np.frombuffer(state, np.uint8)

    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 for each action that is legal for the seat to act, else 0."""
        self._engine.mark_legal_all(self._states, self._catalogue, self._moves, self._mask, 0, 1)
        mask: npt.NDArray[np.int8] = self._mask[0].astype(np.int8)
        return mask

    def legal_actions(self) -> list[int]:
        """The legal actions of the seat to act, ascending."""
        actions: list[int] = np.flatnonzero(self.action_mask()).tolist()
        return actions

    def action_text(self, action: Any) -> str:
        """The move that an action is in this position, as text; else its number."""
        number = self._check_action(action)
        return self._move_text(self._move_of(number), number)

    def refusal(self, action: Any) -> Refused | None:
        """Why an action would be refused now; None if it is legal. Nothing changes."""
        number = self._check_action(action)
        move = self._move_of(number)
        clause = int(self._engine.refuse_at(self._states, 0, move))
        if not clause:
            return None
        return self._refused(self._move_text(move, number), clause, self.actor)

    def _check_action(self, action: Any) -> int:
        number = as_int(action)
        if number is None or not 0 <= number < self.actions:
            last = self.actions - 1
            raise Fault(f"{quote(action)} is not an action: use an integer from 0 to {last}")
        return number

    def _move_of(self, action: int) -> int:
        return int(self._engine.move_of(self._g, self._catalogue, action))

    def _move_text(self, move: int, action: int) -> str:
        return self.text.write(move) if move >= 0 else f"action {action}"
