"""What a table, a socket and a delayed spectator may cost in memory, as docs/server.md says.

Measured in a server process: the growth of its resident memory, divided by their number.
"""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import psutil
import pytest

from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient
from tests.server.test_connections import HANDSHAKE, client_frame, raw

#: The most that each may cost, in bytes: docs/server.md.
SOCKET_BYTES, TABLE_BYTES, DELAYED_SPECTATOR_BYTES = 40_000, 40_000, 45_000
#: How many of each are measured.
SOCKETS, TABLES, GESTURES = 600, 400, 150


@pytest.fixture
def roomy(tmp_path: Path) -> ServerProcess:
    """A server that lets all of them come from one address at once."""
    rates = ("creation_burst", "api_burst", "player_burst", "message_burst", "connection_burst")
    counts = ("connections_per_address", "sockets_per_address")
    limits = [f"{name}=100000" for name in (*rates, *counts)]
    arguments = [part for limit in limits for part in ("--limit", limit)]
    arguments += ["--max-open-tables", "100000"]
    return ServerProcess(tmp_path, *arguments, forked=False)


def memory_of(server: ServerProcess) -> int:
    """The resident memory of a server, in bytes."""
    return int(psutil.Process(server.process.pid).memory_info().rss)


def spectate(server: ServerProcess, table: str, number: int) -> list[socket.socket]:
    """Sockets of spectators who have read their welcome."""
    handshake = HANDSHAKE.format(table=table, host=server.host).encode()
    hello = client_frame(1, json.dumps({"do": "hello", "id": "h"}).encode())
    sockets = [raw(server) for _ in range(number)]
    for message, answer in ((handshake, b"\r\n\r\n"), (hello, b'"id":"h"')):
        for connection in sockets:
            connection.sendall(message)
        for connection in sockets:
            receive_until(connection, answer)
    return sockets


def receive_until(connection: socket.socket, answer: bytes) -> None:
    """Receive until a text has come."""
    received = b""
    while answer not in received:
        part = connection.recv(1 << 16)
        assert part, received
        received += part


def test_an_idle_table_costs_little(roomy: ServerProcess) -> None:
    ana = roomy.new_player()
    for _ in range(50):
        ana.open("poison", [None] * 4)
    before = memory_of(roomy)
    for _ in range(TABLES):
        ana.open("poison", [None] * 4)
    assert (memory_of(roomy) - before) / TABLES < TABLE_BYTES


def test_an_idle_socket_costs_little_and_is_freed(roomy: ServerProcess) -> None:
    ana = roomy.new_player()
    table = ana.open("poison", [None] * 4)
    spectate(roomy, table, 50)
    before = memory_of(roomy)
    sockets = spectate(roomy, table, SOCKETS)
    assert (memory_of(roomy) - before) / SOCKETS < SOCKET_BYTES
    for _ in range(2):
        for connection in sockets:
            connection.close()
        time.sleep(2)
        sockets = spectate(roomy, table, SOCKETS)
    assert (memory_of(roomy) - before) / SOCKETS < SOCKET_BYTES, "what was closed is freed"


def test_a_delayed_spectator_costs_little_more_than_a_socket(roomy: ServerProcess) -> None:
    ana = roomy.new_player()
    table = ana.open("poison", [None] * 4, delay=3600)
    client = SocketClient(roomy, table, ana)
    client.sit(0)
    spectate(roomy, table, 50)
    before = memory_of(roomy)
    spectate(roomy, table, SOCKETS)
    for number in range(GESTURES):
        client.socket.send(json.dumps({"do": "gesture", "id": f"g{number}", "sign": "wave"}))
    client.until(lambda: f"g{GESTURES - 1}" in client.answers)
    assert (memory_of(roomy) - before) / SOCKETS < DELAYED_SPECTATOR_BYTES
