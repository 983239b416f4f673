"""The schedule: which games are played, with every rotation on the same deals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.arena.samples import play_here, schedule_of, without_times
from theriac.arena.schedule import TableSetup, check_distinct, deals_for, line_ups
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


def test_each_pair_of_bots_meets_one_against_many() -> None:
    found = line_ups(("a", "b", "c"), 4)
    assert len(found) == 3 * 2 * 4
    for pair in combinations("abc", 2):
        of_pair = [line_up for line_up in found if set(line_up) == set(pair)]
        assert sorted(line_up.count(pair[0]) for line_up in of_pair) == [1] * 4 + [3] * 4


def test_together_each_bot_has_all_seats() -> None:
    assert line_ups(("a", "b"), 3, together=True) == [("a",) * 3, ("b",) * 3]


def test_all_line_ups_play_the_same_deals() -> None:
    games = list(schedule_of("random", "greedy", deals=3).games())
    assert len({spec.key for spec in games}) == len(games) == 3 * 8
    seeds = {(spec.key[1], spec.seed) for spec in games}
    assert len(seeds) == 3
    assert len({seed for _, seed in seeds}) == 3
    bots = {(spec.key[1], *pair) for spec in games for pair in spec.seeds.items()}
    assert len(bots) == 3 * 2


def test_deals_depend_on_all_parameters() -> None:
    schedules = [
        schedule_of("random", "greedy"),
        schedule_of("random", "greedy", options={"players": 4}),
        schedule_of("random", "greedy", options={"players": 5}),
        schedule_of("random", "greedy", game="shock", options={"players": 4}),
    ]
    assert len({next(schedule.games()).seed for schedule in schedules}) == 4


def test_games_are_rounded_up_to_whole_deals() -> None:
    settings = [TableSetup("", {"players": n}, line_ups(("a", "b"), n)) for n in (3, 4)]
    assert [deals_for(n, settings) for n in (1, 14, 15, 28)] == [1, 1, 2, 2]


def test_a_game_can_be_played_again_identically() -> None:
    games = list(schedule_of("random", "greedy").games())[:3]
    assert without_times([play_here(one) for one in games]) == without_times(
        [play_here(one) for one in games]
    )


def test_a_bot_is_named_once() -> None:
    with pytest.raises(Fault, match="bot a is named twice"):
        check_distinct(["a", "b", "a"])
