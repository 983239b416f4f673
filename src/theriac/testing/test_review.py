"""The account of a finished game adds up, whatever was played."""

from __future__ import annotations

from random import Random

import pytest

from theriac.review import review
from theriac.review.results import PARTS
from theriac.testing.playing import some_move
from theriac.testing.profiles import often
from theriac.testing.setups import SETUPS, Setup, only

#: Of the sets of options of a game one in this many is reviewed. How an account is made does not
#: depend on them.
ONE_IN = often(8, 1)


def is_reviewed(setup: Setup) -> bool:
    """Is it one of those?"""
    return [each for each in SETUPS if each.game is setup.game].index(setup) % ONE_IN == 0


@only(is_reviewed)
@pytest.mark.parametrize("number", range(often(1, 40)))
def test_skill_and_luck_add_up_to_the_result(setup: Setup, number: int) -> None:
    random = Random(f"{setup} {number}")
    match = setup.match(random.getrandbits(200), speed="cpu")
    while not match.over:
        match.play(some_move(match, random))
    found = review(match.record(), budget=1000, seed=number)
    results = match.results()
    scores = match.look(None).scores[: match.players].tolist()
    for account in found.seats:
        own = sum(results) if match.game.together else results[account.seat]
        for each, right in ((account, own), (account.points, scores[account.seat])):
            assert each.result == pytest.approx(right, abs=1e-9)
            assert sum(getattr(each, part) for part in PARTS) == pytest.approx(right, abs=1e-9)
