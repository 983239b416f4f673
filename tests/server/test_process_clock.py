"""The time of a process does not stop when somebody sets the clock of the machine back."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest

from tests.server.server_process import ServerProcess, open_clients
from tests.server.socket_client import SocketClient, seat_players
from theriac.server.running.clock import ProcessClock
from theriac.server.store.events import now_ms

HOUR_MS = 3_600_000


def test_the_time_does_not_stop_when_the_wall_clock_is_set_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, wall = now_ms(), time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: wall - HOUR_MS * 1_000_000)
    first = now_ms()
    time.sleep(0.02)
    assert before <= first < first + 15 <= now_ms() < before + HOUR_MS


def test_a_clock_starts_at_what_the_store_has() -> None:
    clock = ProcessClock()
    now = clock.now_ms()
    assert clock.start_at(now - HOUR_MS) == 0
    assert HOUR_MS - 1000 < clock.start_at(now + HOUR_MS) <= HOUR_MS
    assert now + HOUR_MS <= clock.now_ms() < now + HOUR_MS + 1000


def test_after_a_restart_with_the_clock_set_back_clocks_run_and_spectators_see(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path)
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None], delay=1, clock={"per": "move", "seconds": 5})
    seat_players(table, ana, bo)
    open_clients.close()
    assert server.stop() == 0
    # As if the machine's clock had been an hour ahead until now.
    with sqlite3.connect(server.database) as database:
        database.execute("UPDATE log SET at = at + ?", (HOUR_MS,))
        database.execute("UPDATE beats SET at = at + ?", (HOUR_MS,))
    database.close()
    server.start()
    spectator = SocketClient(server, table)
    spectator.until(lambda: "begun" in spectator.kinds)
    spectator.until(lambda: "handed" in spectator.kinds)
    handed = next(u for u in spectator.events if u["event"]["kind"] == "handed")
    begun = next(u for u in spectator.events if u["event"]["kind"] == "begun")
    assert handed["event"]["why"] == "time"
    assert 5000 <= handed["at"] - begun["at"] < 120_000
    open_clients.close()
    assert server.stop() == 0
    assert "behind the store" in server.log_text()
