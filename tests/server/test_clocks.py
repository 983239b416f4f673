"""Clocks: for a move, for a game, the dungeon's own; when they stand still; when time is up."""

from __future__ import annotations

import pytest

from tests.server.alone import START, Alone
from theriac.server.store import events
from theriac.server.tables import messages, views
from theriac.server.tables.decisions import Denied, ms_until_timeout


def alone_with_clock(per: str, *outages: tuple[int, int]) -> Alone:
    """Ana and Bo at Shokoba with half a minute each."""
    clock = {"per": per, "seconds": 30}
    alone = Alone("shokoba", [None, None], outages, clock=clock, options={"first": 1})
    alone.sit("ana", "bo")
    assert alone.table.to_act == 0
    return alone


def left(alone: Alone) -> list[int | None]:
    """What the clocks of the seats show, in seconds."""
    view = views.view_of_table(alone.table, 0, alone.now)
    assert view is not None
    return [None if ms is None else ms // 1000 for ms in view["clock"]["seats"]]


def test_a_clock_for_each_move_runs_for_the_seat_to_act_and_begins_anew() -> None:
    alone = alone_with_clock("move")
    alone.wait(12)
    assert left(alone) == [18, 30] and ms_until_timeout(alone.table, alone.now) == 18_000
    alone.play()
    assert left(alone) == [30, 30]
    alone.wait(3)
    assert left(alone) == [30, 27]


def test_a_clock_for_a_game_goes_on_where_it_stood() -> None:
    alone = alone_with_clock("game")
    alone.wait(12)
    alone.play()
    alone.wait(5)
    alone.play()
    assert left(alone) == [18, 25]
    alone.wait(18)
    assert left(alone) == [0, 25]


def test_whoever_runs_out_of_time_is_played_for_by_a_bot() -> None:
    alone = alone_with_clock("move")
    alone.wait(29.9)
    assert alone.time_out() == []
    alone.wait(0.1)
    assert alone.time_out() == [events.Handed(0, "medium", "time")]
    assert alone.table.bot_to_act == (0, "medium")
    assert left(alone) == [None, 30] and ms_until_timeout(alone.table, alone.now) is None
    with pytest.raises(Denied, match="a bot plays for you"):
        alone.ask(
            "ana", messages.Play("id", alone.table.current_match.legal()[0], alone.table.version)
        )


def test_with_a_clock_for_each_move_one_may_return() -> None:
    alone = alone_with_clock("move")
    alone.wait(30)
    alone.time_out()
    alone.wait(10)
    alone.ask("ana", messages.Return("back"))
    assert alone.table.bot_to_act is None and left(alone) == [30, 30]


def test_with_a_clock_for_a_game_the_bot_plays_to_its_end() -> None:
    alone = alone_with_clock("game")
    alone.wait(30)
    alone.time_out()
    with pytest.raises(Denied, match="your time for this game is used up"):
        alone.ask("ana", messages.Return("back"))
    while alone.table.stage == "playing":
        alone.play()
    assert alone.table.seats[0].level is None, "the next game is hers again"
    alone.ask("ana", messages.Ready("r1", "x"))
    alone.ask("bo", messages.Ready("r2", "y"))
    assert left(alone) == [30, 30]


def test_what_a_bot_thinks_for_an_absent_person_is_not_on_that_persons_clock() -> None:
    alone = alone_with_clock("game")
    alone.wait(4)
    alone.ask("bo", messages.Hand("hand", 0, "easy"))
    alone.wait(20)
    alone.play()
    alone.play()
    alone.ask("ana", messages.Return("back"))
    assert left(alone)[0] == 26, "the four seconds before count, the bot's twenty do not"


def test_a_bot_from_the_beginning_has_no_clock() -> None:
    alone = Alone("shokoba", [None, "easy"], clock={"per": "move", "seconds": 30})
    alone.sit("ana")
    while alone.table.to_act == 0:
        alone.play()
    assert ms_until_timeout(alone.table, alone.now) is None and left(alone)[1] is None


@pytest.mark.parametrize("per", ["move", "game"])
def test_time_without_a_server_does_not_count(per: str) -> None:
    down = (START + 10_000, START + 3_600_000)
    alone = alone_with_clock(per, down)
    alone.now = down[1] + 5_000
    assert left(alone)[0] == 15
    assert alone.time_out() == []
    alone.play()
    assert left(alone)[0] == (30 if per == "move" else 15)


def test_the_dungeons_minutes_run_for_all_and_end_it() -> None:
    alone = Alone("dungeon", [None, None], options={"minutes": 2})
    alone.sit("ana", "bo")
    with pytest.raises(Denied, match="timeout is the clock's move"):
        alone.ask("ana", messages.Play("id", "timeout", alone.table.version))
    alone.wait(119)
    assert ms_until_timeout(alone.table, alone.now) == 1000 and alone.time_out() == []
    alone.wait(1)
    happened = alone.time_out()
    assert happened[0] == events.Moved(None, "timeout")
    assert isinstance(happened[1], events.Offered)
    view = alone.table.current_match.view()
    assert (view["table"]["outcome"], view["table"]["why"]) == ("lost", "KKD-23")
    assert alone.table.finished[0]["moves"][-1] == "timeout"


def test_an_outage_stops_the_dungeons_minutes_too() -> None:
    alone = Alone("dungeon", [None, None], [(START, START + 600_000)], options={"minutes": 2})
    alone.sit("ana", "bo")
    alone.wait(601)
    assert alone.table.game_ms_left(alone.now) == 119_000


def test_without_minutes_the_dungeon_has_no_clock() -> None:
    alone = Alone("dungeon", [None, None], options={"minutes": 0})
    alone.sit("ana", "bo")
    alone.wait(1e6)
    assert ms_until_timeout(alone.table, alone.now) is None and alone.time_out() == []
    view = views.view_of_table(alone.table, 0, alone.now)
    assert view is not None and "clock" not in view


def test_a_move_taken_back_gives_its_time_back_for_the_move_only() -> None:
    alone = alone_with_clock("game")
    alone.wait(10)
    alone.play()
    alone.wait(2)
    alone.ask("ana", messages.TakeBack("undo"))
    alone.ask("bo", messages.Answer("answer", agree=True))
    assert alone.table.to_act == 0
    assert left(alone) == [20, 30]
