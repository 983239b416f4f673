"""One game played at two speeds is the same game, byte for byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from theriac.engine.contract import REFEREE, SPECTATOR
from theriac.testing.setups import Setup
from theriac.testing.walk import LONG, Choices, Walk, choices


def same_views(slow: Walk, fast: Walk) -> None:
    """All views and their encodings are the same."""
    for seat in range(slow.players):
        assert slow.see(seat) == fast.see(seat), f"seat {seat} sees a difference"
        numbers = slow.encoded()
        assert fast.encoded() == numbers, f"seat {seat} has another encoding"
        fast.take_aliased_fields()
        assert fast.encoded() == numbers, "rows of the state are not those of the view"
    for other in (SPECTATOR, REFEREE):
        assert slow.see(other) == fast.see(other)


def same_advice(slow: Walk, fast: Walk) -> None:
    """`advise` gives the same for every legal move."""
    for walk in (slow, fast):
        walk.see(int(walk.g.to_act))
    for move in slow.legal():
        assert slow.engine.advise(slow.v, move) == fast.engine.advise(fast.v, move)


def play_side_by_side(setup: Setup, choices: Choices, every: int) -> None:
    """Compare the states after every step, and the views every `every` steps."""
    slow, fast = Walk(setup, "plain"), Walk(setup, "cpu")
    for step in range(LONG):
        if slow.over:
            break
        options = slow.options()
        assert options == fast.options()
        if slow.deciding and step % every == 0:
            same_views(slow, fast)
            same_advice(slow, fast)
            assert slow.scores() == fast.scores()
        option = fast.pick(choices)
        slow.take(option)
        fast.take(option)
        assert slow.g.tobytes() == fast.g.tobytes(), f"after step {step}, {option}"
    same_views(slow, fast)
    assert slow.scores() == fast.scores()


@given(choices=choices(), every=st.integers(8, 60))
def test_same_game_at_both_speeds(setup: Setup, choices: Choices, every: int) -> None:
    play_side_by_side(setup.with_deck(choices.random), choices, every)


def test_same_whole_game_at_both_speeds(setup: Setup) -> None:
    """With the shipped deck; most steps compare the states only."""
    play_side_by_side(setup, Choices([], 1), every=40)
