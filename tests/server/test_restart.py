"""Clocks over the wire, and over a stop of the server."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.club import PATIENCE, Club, Person, visits
from tests.server.line import Line, seated

HOUR = 3_600_000


def test_who_runs_out_of_time_is_played_for_and_may_return(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    clock = {"per": "move", "seconds": 5}
    table = ana.open("shokoba", [None, None], clock=clock, options={"first": 1})
    one, two = seated(table, ana, bo)
    assert one.view["clock"]["game"] is None
    assert 0 < one.view["clock"]["seats"][0] <= 5000 == one.view["clock"]["seats"][1]
    two.until(lambda: "handed" in two.kinds)
    assert two.last("handed") == {"kind": "handed", "seat": 0, "level": "medium", "why": "time"}
    assert two.view["clock"]["seats"][0] is None
    two.until(lambda: two.view["to_act"] == 1)
    assert two.last("moved")["bot"] == "medium"
    again = Line(club, table, ana)
    assert again.room["seats"][0]["stand_in"] == "medium", "only who asks for it plays again"
    again.do("return")
    two.until(lambda: two.room["seats"][0]["stand_in"] is None)


def shift(club: Club, log: int, beats: int = 0) -> None:
    """Let all that happened have happened earlier, and the server have stopped earlier."""
    with sqlite3.connect(club.database) as store:
        store.execute("UPDATE log SET at = at - ?", (log,))
        store.execute("UPDATE beats SET at = at - ?", (beats,))
        store.execute("UPDATE outages SET since = since - ?, until = until - ?", (log, log))
    store.close()


def wait_for(club: Club, word: str) -> None:
    """Wait until there is something in the log of a table."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        with sqlite3.connect(club.database) as store:
            found = store.execute("SELECT 1 FROM log WHERE event LIKE ?", (f"%{word}%",)).fetchall()
        store.close()
        if found:
            return
        time.sleep(0.1)
    raise AssertionError(f"{word} was never written")


def again(club: Club, person: Person, table: str) -> Any:
    """What somebody is told of a table by the server that was started again."""
    shown = {"Authorization": f"Bearer {person.key}"}
    return club.web.get(f"/api/tables/{table}", headers=shown).json()["welcome"]


@pytest.mark.clause("KKD-07")
def test_no_clock_runs_while_no_server_does_and_all_go_on_after_it(tmp_path: Path) -> None:
    club = Club(tmp_path)
    ana, bo = club.persons("Ana", "Bo")
    timed = ana.open("dungeon", [None, None], options={"minutes": 1})
    seated(timed, ana, bo)
    clock = {"per": "game", "seconds": 60}
    waiting = ana.open("shokoba", [None, None], clock=clock, options={"first": 1})
    seated(waiting, ana, bo)
    visits.close()
    assert club.stop() == 0
    shift(club, HOUR + 20_000, HOUR)
    club.start()
    told = again(club, ana, timed)
    most = 45_000  # what came after the last sign of life, up to 5 s, does not count
    assert told["room"]["stage"] == "playing" and 1000 < told["view"]["clock"]["game"] <= most
    assert 1000 < again(club, ana, waiting)["view"]["clock"]["seats"][0] <= most
    assert club.stop() == 0
    shift(club, 60_000)
    club.start()
    wait_for(club, '"move":"timeout"')  # although nobody has asked for the table
    line = Line(club, timed)
    line.until(lambda: line.room["stage"] == "over")
    assert line.last("moved") == {"kind": "moved", "move": "timeout", "seat": None}
    assert line.view["table"]["why"] == "KKD-23"
    other = Line(club, waiting)
    other.until(lambda: other.room["seats"][0]["stand_in"] == "medium")
    visits.close()
    assert club.stop() == 0
    assert club.complaints() == []
