"""One position of a game: its STATE, the legal moves in it, and what each seat may know of it.

`Match` adds texts, sealed shuffles and a history; `adapters.Episode` adds action numbers and random
cards. Both keep the STATE to themselves and hand out VIEWs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from theriac.engine.contract import NOBODY, REFEREE, UNKNOWN
from theriac.engine.records import Records, State, View, as_plain, records
from theriac.engine.rule import Speed
from theriac.faults import Refused
from theriac.game import Game, Settings


class Fields:
    """The fields of a record as plain arrays over the same memory, by name.

    Reading an attribute of a NumPy record takes longer than playing a move.
    """

    def __init__(self, row: Any) -> None:
        plain = np.asarray(row)
        for name in plain.dtype.names or ():
            setattr(self, name, plain[name].reshape(plain[name].shape[1:]))


def view_as_dict(
    game: Game, settings: Settings, v: Any, legal: Sequence[str], winners: Sequence[int]
) -> dict[str, Any]:
    """A VIEW (or its `Fields`) in the form that `theriac replay --json` prints."""
    scores = v.scores[: settings.players].tolist()
    over = int(v.to_act) == NOBODY
    return {
        "game": game.name,
        "over": over,
        "to_act": None if over else int(v.to_act),
        "round": int(v.rounds),
        "scores": [None if score == UNKNOWN else score for score in scores],
        "winners": list(winners),
        "legal": list(legal),
        "table": settings.text.table(v),
    }


class Position:
    """The STATE of one game, from its setup on."""

    def __init__(self, game: Game, settings: Settings, speed: Speed | None = None) -> None:
        self.game = game
        self.settings = settings
        self.text = settings.text
        self._engine = game.engine(speed)
        self.speed = self._engine.speed
        # Plain arrays: compiled code takes them as arguments six times as fast as record arrays.
        self._states: Records[State] = as_plain(records(game.shape.state, 1))
        self._views: Records[View] = as_plain(records(game.shape.view, 1))
        self._g, self._v = self._states[0], self._views[0]
        self._memory: npt.NDArray[np.uint8] = self._states.view(np.uint8)
        self._now: Any = Fields(self._states)
        self._seen: Any = Fields(self._views)
        self._engine.setup(self._g, settings.options)

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
        return sorted(self.text.write(move) for move in self.legal_numbers())

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
