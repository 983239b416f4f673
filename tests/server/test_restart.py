"""Clocks over the wire, and across a restart of the server."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.server_process import RESPONSE_TIMEOUT_S, Player, ServerProcess, open_clients
from tests.server.socket_client import SocketClient, seat_players

HOUR = 3_600_000


def test_a_bot_plays_after_a_timeout_until_the_player_returns(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    clock = {"per": "move", "seconds": 5}
    table = ana.open("shokoba", [None, None], clock=clock, options={"first": 1})
    one, two = seat_players(table, ana, bo)
    assert one.view["clock"]["game"] is None
    assert 0 < one.view["clock"]["seats"][0] <= 5000 == one.view["clock"]["seats"][1]
    two.until(lambda: "handed" in two.kinds)
    assert two.last("handed") == {"kind": "handed", "seat": 0, "level": "medium", "why": "time"}
    assert two.view["clock"]["seats"][0] is None
    two.until(lambda: two.view["to_act"] == 1)
    assert two.last("moved")["bot"] == "medium"
    again = SocketClient(server, table, ana)
    assert again.table_info["seats"][0]["stand_in"] == "medium", "a player returns only by asking"
    again.do("return")
    two.until(lambda: two.table_info["seats"][0]["stand_in"] is None)


def shift(server: ServerProcess, log: int, beats: int = 0) -> None:
    """Move all events and the server's heartbeats into the past, by milliseconds."""
    with sqlite3.connect(server.database) as store:
        store.execute("UPDATE log SET at = at - ?", (log,))
        store.execute("UPDATE beats SET at = at - ?", (beats,))
        store.execute("UPDATE outages SET since = since - ?, until = until - ?", (log, log))
    store.close()


def wait_for_event(server: ServerProcess, text: str) -> None:
    """Wait until an event of the log contains this text."""
    ends = time.monotonic() + RESPONSE_TIMEOUT_S
    while time.monotonic() < ends:
        with sqlite3.connect(server.database) as store:
            found = store.execute("SELECT 1 FROM log WHERE event LIKE ?", (f"%{text}%",)).fetchall()
        store.close()
        if found:
            return
        time.sleep(0.1)
    raise AssertionError(f"{text} was never written")


def get_table_again(server: ServerProcess, player: Player, table: str) -> Any:
    """The welcome of a table after a restart, when the port may be another."""
    credentials = {"Authorization": f"Bearer {player.key}"}
    return server.http.get(f"/api/tables/{table}", headers=credentials).json()["welcome"]


@pytest.mark.clause("KKD-07")
def test_clocks_stop_during_downtime_and_run_after_it(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    ana, bo = server.new_players("Ana", "Bo")
    timed = ana.open("dungeon", [None, None], options={"minutes": 1})
    seat_players(timed, ana, bo)
    clock = {"per": "game", "seconds": 60}
    waiting = ana.open("shokoba", [None, None], clock=clock, options={"first": 1})
    seat_players(waiting, ana, bo)
    open_clients.close()
    assert server.stop() == 0
    shift(server, HOUR + 20_000, HOUR)
    server.start()
    welcome = get_table_again(server, ana, timed)
    most = 45_000  # up to 5 s after the last heartbeat count as downtime
    assert welcome["room"]["stage"] == "playing" and 1000 < welcome["view"]["clock"]["game"] <= most
    assert 1000 < get_table_again(server, ana, waiting)["view"]["clock"]["seats"][0] <= most
    assert server.stop() == 0
    shift(server, 60_000)
    server.start()
    wait_for_event(server, '"move":"timeout"')  # although no client has asked for the table
    client = SocketClient(server, timed)
    client.until(lambda: client.table_info["stage"] == "over")
    assert client.last("moved") == {"kind": "moved", "move": "timeout", "seat": None}
    assert client.view["table"]["why"] == "KKD-23"
    other = SocketClient(server, waiting)
    other.until(lambda: other.table_info["seats"][0]["stand_in"] == "medium")
    open_clients.close()
    assert server.stop() == 0
    assert server.unexpected_log_lines() == []
