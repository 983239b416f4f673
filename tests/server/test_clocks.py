"""Clocks for each move, for a game, and of the dungeon: when they run, stop and run out."""

from __future__ import annotations

import pytest

from tests.server.table_harness import START, TableHarness
from theriac.server.store import events
from theriac.server.tables import messages, views
from theriac.server.tables.decisions import Denied, ms_until_timeout


def harness_with_clock(per: str, *downtime: tuple[int, int]) -> TableHarness:
    """Ana and Bo at Shokoba with half a minute each."""
    clock = {"per": per, "seconds": 30}
    harness = TableHarness("shokoba", [None, None], downtime, clock=clock, options={"first": 1})
    harness.sit("ana", "bo")
    assert harness.table.to_act == 0
    return harness


def seconds_left(harness: TableHarness) -> list[int | None]:
    """The seconds left on the clock of each seat."""
    view = views.view_of_table(harness.table, 0, harness.now)
    assert view is not None
    return [None if ms is None else ms // 1000 for ms in view["clock"]["seats"]]


def test_a_clock_per_move_runs_for_the_seat_to_act_and_restarts_for_each_move() -> None:
    harness = harness_with_clock("move")
    harness.wait(12)
    assert (
        seconds_left(harness) == [18, 30] and ms_until_timeout(harness.table, harness.now) == 18_000
    )
    harness.play()
    assert seconds_left(harness) == [30, 30]
    harness.wait(3)
    assert seconds_left(harness) == [30, 27]


def test_a_clock_per_game_keeps_the_time_that_was_used() -> None:
    harness = harness_with_clock("game")
    harness.wait(12)
    harness.play()
    harness.wait(5)
    harness.play()
    assert seconds_left(harness) == [18, 25]
    harness.wait(18)
    assert seconds_left(harness) == [0, 25]


def test_a_bot_plays_for_a_player_whose_time_has_run_out() -> None:
    harness = harness_with_clock("move")
    harness.wait(29.9)
    assert harness.time_out() == []
    harness.wait(0.1)
    assert harness.time_out() == [events.Handed(0, "medium", "time")]
    assert harness.table.bot_to_act == (0, "medium")
    assert (
        seconds_left(harness) == [None, 30] and ms_until_timeout(harness.table, harness.now) is None
    )
    with pytest.raises(Denied, match="a bot plays for you"):
        harness.ask(
            "ana",
            messages.Play("id", harness.table.current_match.legal()[0], harness.table.version),
        )


def test_with_a_clock_per_move_a_player_may_return_after_a_timeout() -> None:
    harness = harness_with_clock("move")
    harness.wait(30)
    harness.time_out()
    harness.wait(10)
    harness.ask("ana", messages.Return("back"))
    assert harness.table.bot_to_act is None and seconds_left(harness) == [30, 30]


def test_with_a_clock_per_game_the_bot_plays_the_game_to_its_end() -> None:
    harness = harness_with_clock("game")
    harness.wait(30)
    harness.time_out()
    with pytest.raises(Denied, match="your time for this game is used up"):
        harness.ask("ana", messages.Return("back"))
    while harness.table.stage == "playing":
        harness.play()
    assert harness.table.seats[0].level is None, "the next game is hers again"
    harness.ask("ana", messages.Ready("r1", **harness.commit(0, "x")))
    harness.ask("bo", messages.Ready("r2", **harness.commit(1, "y")))
    harness.reveal()
    assert seconds_left(harness) == [30, 30]


def test_a_stand_in_bot_uses_no_time_of_the_player_it_plays_for() -> None:
    harness = harness_with_clock("game")
    harness.wait(4)
    harness.ask("bo", messages.Hand("hand", 0))
    harness.wait(20)
    harness.play()
    harness.play()
    harness.ask("ana", messages.Return("back"))
    assert seconds_left(harness)[0] == 26, "the four seconds before count, the bot's twenty do not"


def test_the_seat_of_a_bot_has_no_clock() -> None:
    harness = TableHarness("shokoba", [None, "easy"], clock={"per": "move", "seconds": 30})
    harness.sit("ana")
    while harness.table.to_act == 0:
        harness.play()
    assert ms_until_timeout(harness.table, harness.now) is None and seconds_left(harness)[1] is None


@pytest.mark.parametrize("per", ["move", "game"])
def test_downtime_does_not_count(per: str) -> None:
    down = (START + 10_000, START + 3_600_000)
    harness = harness_with_clock(per, down)
    harness.now = down[1] + 5_000
    assert seconds_left(harness)[0] == 15
    assert harness.time_out() == []
    harness.play()
    assert seconds_left(harness)[0] == (30 if per == "move" else 15)


def test_the_dungeons_clock_runs_for_all_players_and_ends_the_game() -> None:
    harness = TableHarness("dungeon", [None, None], options={"minutes": 2})
    harness.sit("ana", "bo")
    with pytest.raises(Denied, match="timeout is the clock's move"):
        harness.ask("ana", messages.Play("id", "timeout", harness.table.version))
    harness.wait(119)
    assert ms_until_timeout(harness.table, harness.now) == 1000 and harness.time_out() == []
    harness.wait(1)
    happened = harness.time_out()
    assert happened[0] == events.Moved(None, "timeout")
    assert isinstance(happened[1], events.Offered)
    view = harness.table.current_match.view()
    assert (view["table"]["outcome"], view["table"]["why"]) == ("lost", "KKD-23")
    assert harness.table.finished[0]["moves"][-1] == "timeout"


def test_downtime_does_not_count_on_the_dungeons_clock() -> None:
    harness = TableHarness(
        "dungeon", [None, None], [(START, START + 600_000)], options={"minutes": 2}
    )
    harness.sit("ana", "bo")
    harness.wait(601)
    assert harness.table.game_ms_left(harness.now) == 119_000


def test_the_dungeon_without_minutes_has_no_clock() -> None:
    harness = TableHarness("dungeon", [None, None], options={"minutes": 0})
    harness.sit("ana", "bo")
    harness.wait(1e6)
    assert ms_until_timeout(harness.table, harness.now) is None and harness.time_out() == []
    view = views.view_of_table(harness.table, 0, harness.now)
    assert view is not None and "clock" not in view


def test_taking_a_move_back_does_not_give_its_time_back() -> None:
    harness = harness_with_clock("game")
    harness.wait(10)
    harness.play()
    harness.wait(2)
    harness.ask("ana", messages.TakeBack("undo"))
    harness.ask("bo", messages.Answer("answer", agree=True))
    assert harness.table.to_act == 0
    assert seconds_left(harness) == [20, 30]
