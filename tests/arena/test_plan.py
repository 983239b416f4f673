"""Which games are played: every rotation, the same deals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.arena.contest import plan_of, sit, timeless
from theriac.arena.plan import Setting, check_bots, line_ups, whole_deals
from theriac.faults import Fault


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_bot_has_every_seat_equally_often(players: int, count: int) -> None:
    bots = tuple("abcd"[:count])
    found = line_ups(bots, players)
    assert len(set(found)) == len(found)
    seats = Counter((bot, seat) for line_up in found for seat, bot in enumerate(line_up))
    assert len(set(seats.values())) == 1
    assert len(seats) == count * players


def test_as_many_bots_as_seats_rotate() -> None:
    found = line_ups(("a", "b", "c", "d"), 4)
    assert len(found) == 4
    assert all(len(set(line_up)) == 4 for line_up in found)
    starts = {"".join(line_up) * 2 for line_up in found}
    assert all("abcd" in twice for twice in starts)


def test_each_two_bots_meet_alone_against_a_crowd() -> None:
    found = line_ups(("a", "b", "c"), 4)
    assert len(found) == 3 * 2 * 4
    for pair in combinations("abc", 2):
        of_pair = [line_up for line_up in found if set(line_up) == set(pair)]
        assert sorted(line_up.count(pair[0]) for line_up in of_pair) == [1] * 4 + [3] * 4


def test_together_each_bot_has_all_seats() -> None:
    assert line_ups(("a", "b"), 3, together=True) == [("a",) * 3, ("b",) * 3]


def test_all_line_ups_play_the_same_deals() -> None:
    seatings = list(plan_of("random", "greedy", deals=3).seatings())
    assert len({seating.key for seating in seatings}) == len(seatings) == 3 * 8
    seeds = {(seating.key[1], seating.seed) for seating in seatings}
    assert len(seeds) == 3
    assert len({seed for _, seed in seeds}) == 3
    bots = {(seating.key[1], *pair) for seating in seatings for pair in seating.seeds.items()}
    assert len(bots) == 3 * 2


def test_deals_depend_on_all_that_is_asked_for() -> None:
    plans = [
        plan_of("random", "greedy"),
        plan_of("random", "greedy", options={"players": 4}),
        plan_of("random", "greedy", options={"players": 5}),
        plan_of("random", "greedy", game="shock", options={"players": 4}),
    ]
    assert len({next(plan.seatings()).seed for plan in plans}) == 4


def test_games_are_rounded_up_to_whole_deals() -> None:
    settings = [Setting("", {"players": n}, line_ups(("a", "b"), n)) for n in (3, 4)]
    assert [whole_deals(n, settings) for n in (1, 14, 15, 28)] == [1, 1, 2, 2]


def test_a_game_is_played_alike_again() -> None:
    seatings = list(plan_of("random", "greedy").seatings())[:3]
    assert timeless([sit(one) for one in seatings]) == timeless([sit(one) for one in seatings])


def test_names_are_told_apart() -> None:
    with pytest.raises(Fault, match="bot a is named twice"):
        check_bots(["a", "b", "a"])
