"""Moves made in secret: their text for others must hide as much as the views do, and no more."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np

from theriac.engine.build import Engine
from theriac.engine.contract import SPECTATOR
from theriac.faults import listed
from theriac.game import Text

#: Other moves with which a move is compared.
_COMPARED: Final = 4


class Secrets:
    """Compares moves with other legal moves: what would those who did not make them see?"""

    def __init__(self, engine: Engine, text: Text, players: int) -> None:
        self._engine, self._text, self._players = engine, text, players
        self._random = Random(4)
        #: The fields in which a spectator saw each time which of two moves with one public text
        #: was made.
        self._shown: set[str] = set()
        #: Was there a pair of such moves that a spectator could not tell apart?
        self._hidden = False

    def compare(self, g: Any, move: int, legal: list[int]) -> str:
        """Compare a move with others; what gives it away, or "".

        Moves that look alike to all others need the same public text.
        """
        public = self._text.write_public(move)
        after = self._play(g, move)
        for other in self._random.sample(legal, min(_COMPARED, len(legal))):
            if self._text.write_public(other) != public and self._look_alike(g, after, other):
                names = listed(sorted([self._text.write(move), self._text.write(other)]), "and")
                return (
                    f"text.py: to all others {names} look alike, but write_public gives them "
                    f"different texts: give them the same one"
                )
        if public != self._text.write(move):
            self._compare_secret(g, after, [m for m in legal if m != move], public)
        return ""

    def _compare_secret(self, g: Any, after: Any, others: list[int], public: str) -> None:
        alike = [other for other in others if self._text.write_public(other) == public]
        for other in alike[:_COMPARED]:
            one, two = self._see(after, SPECTATOR), self._see(self._play(g, other), SPECTATOR)
            fields = {name for name in one.dtype.names if np.any(one[name] != two[name])}
            self._shown = (self._shown & fields) or self._shown or fields
            self._hidden |= not fields

    @property
    def fault(self) -> str:
        """What is wrong if secret moves were seen by a spectator every time; else "".

        A choice that reveals all others is seen at once, the choices before it are not.
        """
        if not self._shown or self._hidden:
            return ""
        fields = listed(sorted(self._shown), "and")
        return (
            f"text.py: write_public hides moves that everybody sees in {fields}: make that field "
            f"private (state.py), or let write_public show the move"
        )

    def _look_alike(self, g: Any, after: Any, other: int) -> bool:
        """Do all but the player see the same after both moves, which end no round?"""
        second = self._play(g, other)
        if min(after.to_act, second.to_act) < 0 or after.rounds != g.rounds:
            return False
        return all(
            self._see(after, viewpoint).tobytes() == self._see(second, viewpoint).tobytes()
            for viewpoint in (SPECTATOR, *range(self._players))
            if viewpoint != g.to_act
        )

    def _play(self, g: Any, move: int) -> Any:
        after = g.copy()
        self._engine.play(after, move)
        return after

    def _see(self, g: Any, viewpoint: int) -> Any:
        view = self._engine.view()
        self._engine.see(g, viewpoint, view)
        return view
