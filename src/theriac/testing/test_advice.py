"""`advise` gives the same for a whole state, as in a search, as for the view of the seat."""

from __future__ import annotations

from theriac.testing.setups import Setup, only
from theriac.testing.walk import Choices, Walk

#: Moves checked at each decision.
FEW = 6


@only(lambda setup: "advise_source" in setup.game.rules)
def test_a_whole_state_gives_no_other_advice_than_the_view(setup: Setup) -> None:
    advise, advise_source = setup.game.rules["advise"], setup.game.rules["advise_source"]
    choices = Choices([], 0)
    walk = Walk(setup.with_deck(choices.random), "cpu")
    blank = walk.engine.view()
    for _ in walk.steps(choices):
        if walk.over:
            break
        walk.see(int(walk.g.to_act))
        legal = walk.legal()
        for move in [legal[choices.below(len(legal))] for _ in range(FEW)]:
            assert advise(advise_source(walk.g, blank), move) == advise(walk.v, move)
