"""Whatever a seat cannot rule out is imagined: hidden cards, and choices made in secret."""

from __future__ import annotations

from typing import Final

from theriac.game import Game
from theriac.testing.profiles import often
from theriac.testing.setups import setups_of
from theriac.testing.unimagined import Imagination

#: How many sets of options are tried, and in how many positions of all their games.
_SETUPS: Final = 4
_POSITIONS: Final = often(32, 400)
_SAMPLES: Final = 5000


def test_a_seat_imagines_all_that_it_cannot_rule_out(game: Game) -> None:
    imagination = Imagination(game, "cpu", _SAMPLES)
    setups = setups_of(game)
    chosen = setups[:: -(-len(setups) // _SETUPS)]
    for number, setup in enumerate(chosen):
        fault = imagination.find_fault(setup.settings, 1000 * number, _POSITIONS // len(chosen))
        assert not fault, f"{setup}: {fault}"
