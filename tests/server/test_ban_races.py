"""A ban holds even if it comes while its person is just being let in."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from sqlalchemy import create_engine, update
from websockets.exceptions import ConnectionClosed

from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess
from tests.server.socket_client import SocketClient, open_socket
from theriac.server.auth import Banned, Players, hash_of, new_key
from theriac.server.store import schema
from theriac.server.store.audit import action_row
from theriac.server.store.store import PlayerRow

FOR_EVER = 1 << 60


def test_a_ban_closes_a_socket_that_waits_to_join(tmp_path: Path) -> None:
    """While a write of the table hangs, a hello waits for it; the ban comes just then."""
    server = ServerProcess(tmp_path)
    ana, eve = server.new_players("Ana", "Eve")
    table = ana.open("poison", [None, None, None])
    client = SocketClient(server, table, ana)
    assert eve.get("/api/me/tables") == []
    engine = create_engine(f"sqlite:///{server.database}", isolation_level="AUTOCOMMIT")
    with engine.connect() as store:
        store.exec_driver_sql("BEGIN IMMEDIATE")
        said = client.send("say", text="this write hangs")
        time.sleep(0.5)
        socket = open_socket(server, table, address=eve.address)
        socket.send(json.dumps({"do": "hello", "id": "h", "key": eve.key}))
        time.sleep(0.5)
        players = schema.players
        store.execute(
            update(players).where(players.c.player == eve.id).values(banned_until=FOR_EVER)
        )
        store.execute(action_row("op", "ban", eve.id))
        store.exec_driver_sql("COMMIT")
        store.exec_driver_sql("BEGIN IMMEDIATE")
        time.sleep(2.5)  # the server has carried the ban out, and the write still hangs
        store.exec_driver_sql("ROLLBACK")
    engine.dispose()
    client.until(lambda: said in client.answers)
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            socket.recv(RESPONSE_TIMEOUT_S)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code in (4401, 4403)
    assert "banned" in closed.value.rcvd.reason
    assert server.stop() == 0


class SlowStore:
    """Knows one player, and lets something happen while that player's row is on its way."""

    def __init__(self, row: PlayerRow) -> None:
        self.row = row
        self.reading = asyncio.Event()
        self.go_on = asyncio.Event()

    async def find_player(self, player: str) -> PlayerRow:
        row = self.row
        self.reading.set()
        await self.go_on.wait()
        return row


def test_what_was_read_before_a_ban_is_not_remembered_after_it() -> None:
    async def run() -> None:
        key = new_key()
        before = PlayerRow("Eve", hash_of(key), seen=FOR_EVER)
        store = SlowStore(before)
        players = Players(store)  # type: ignore[arg-type]
        first = asyncio.create_task(players.find(str(key)))
        await store.reading.wait()
        store.row = before._replace(banned_until=FOR_EVER)
        players.forget(key.player)
        store.go_on.set()
        await first
        with pytest.raises(Banned):
            await players.find(str(key))

    asyncio.run(run())
