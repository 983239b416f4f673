"""`advise` gives the same for a whole state, as in a search, as for the view of the seat."""

from __future__ import annotations

import pytest

from tests.contract.setups import SETUPS, Setup, names
from tests.contract.walk import Choices, Walk

OPEN_EYED = [setup for setup in SETUPS if "advise_source" in setup.game.rules]
#: Moves checked at each decision.
FEW = 6


@pytest.mark.parametrize("setup", OPEN_EYED, ids=names(OPEN_EYED))
def test_a_whole_state_gives_no_other_advice_than_the_view(setup: Setup) -> None:
    advise, advise_source = setup.game.rules["advise"], setup.game.rules["advise_source"]
    choices = Choices([], 0)
    walk = Walk(setup.with_deck(choices.random), "plain")
    blank = walk.engine.view()
    for _ in walk.steps(choices):
        if walk.over:
            break
        walk.see(int(walk.g.to_act))
        legal = walk.legal()
        for move in [legal[choices.below(len(legal))] for _ in range(FEW)]:
            assert advise(advise_source(walk.g, blank), move) == advise(walk.v, move)
