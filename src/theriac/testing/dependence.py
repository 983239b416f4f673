"""On which hidden fields of its state does a game depend?

What is left over in a field, or what a seat merely remembers, changes nothing: a game goes on the
same whatever is there. Such a field need not be imagined.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

from theriac.engine.contract import NOBODY, REFEREE
from theriac.game import Game
from theriac.testing.history import Stepper

#: A field that changed nothing in this number of tries, each of this many steps, is left alone.
_TRIES: Final = 4
_STEPS: Final = 40
#: What a rule raises in a state that cannot be.
_BROKEN: Final = (ArithmeticError, LookupError, ValueError, RuntimeWarning)


class Dependence:
    """Finds out by trying: one field is changed, and then the same happens with and without."""

    def __init__(self, game: Game) -> None:
        # The changed state may be one that cannot be. So rules run interpreted: compiled ones do
        # not check an index.
        self._stepper = Stepper(game.engine("plain"))
        #: The fields on which it has been found to depend.
        self.essential: set[str] = set()
        self._unchanged: Counter[str] = Counter()

    def depends_on(self, name: str, g: Any, other: Any) -> bool:
        """Does the game depend on a field in which two states differ?"""
        if name not in self.essential and self._unchanged[name] < _TRIES:
            changed = g.copy()
            changed[name] = other[name]
            careful = self._unchanged[name] % 2 == 1
            if self._go_on_differently(g.copy(), changed, careful):
                self.essential.add(name)
            else:
                self._unchanged[name] += 1
        return name in self.essential

    def _go_on_differently(self, g: Any, changed: Any, careful: bool) -> bool:
        """If the same happens in both states, can something else happen or be seen at some time?"""
        random = Random(1)
        for _ in range(_STEPS):
            if g.to_act == NOBODY:
                return False
            option = self._stepper.choose(g, random, careful)
            self._stepper.take(g, option)
            try:
                self._stepper.take(changed, option)
                if self._appearance(changed) != self._appearance(g):
                    return True
            except _BROKEN:
                return True
        return False

    def _appearance(self, g: Any) -> tuple[Any, ...]:
        """What can happen next, and what lies open, with all scores."""
        options = [] if g.to_act == NOBODY else self._stepper.options(g)
        return int(g.to_act), options, self._stepper.see(g, REFEREE).tobytes()
