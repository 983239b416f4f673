"""Connections: how many, how quickly, and what becomes of half-open ones and those never read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.server_process import (
    RESPONSE_TIMEOUT_S,
    Player,
    ServerProcess,
    open_clients,
    started_servers,
)
from tests.server.socket_client import SocketClient, open_socket
from tests.server.table_harness import TableHarness
from theriac.faults import Fault
from theriac.server.addresses import Proxies
from theriac.server.store.database import database_url
from theriac.server.store.index import table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store
from theriac.server.tables import messages

HANDSHAKE = (
    "GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def limited_server(folder: Path, *limits: str, proxies: str | None = None) -> ServerProcess:
    """A server with other limits. It plays no game, so it needs no compiled rules."""
    arguments = [part for limit in limits for part in ("--limit", limit)]
    return ServerProcess(folder, *arguments, proxies=proxies)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with short times and few sockets, behind a proxy on this machine."""
    limits = ("request_timeout_s=1", "idle_timeout_s=1")
    sockets = ("sockets_per_address=3", "sockets_per_player=2")
    folder = tmp_path_factory.mktemp("strict")
    running = limited_server(folder, *limits, *sockets, proxies="127.0.0.0/8")
    started_servers.pop_all()  # it outlives this test
    yield running
    assert running.stop() == 0
    assert running.unexpected_log_lines() == []


def raw(server: ServerProcess) -> socket.socket:
    """A connection that has sent nothing yet."""
    host, _, port = server.host.partition(":")
    connection = socket.create_connection((host, int(port)), RESPONSE_TIMEOUT_S)
    return open_clients.enter_context(connection)


def is_closed(connection: socket.socket) -> bool:
    """Has the server closed it? What it sent before is dropped."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


def wait_until(holds: Callable[[], Any], seconds: float) -> bool:
    """Wait until a condition holds, at most some seconds."""
    ends = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > ends:
            return False
        time.sleep(0.05)
    return True


def client_frame(opcode: int, content: bytes = b"", *, last: bool = True) -> bytes:
    """A frame of a client, with a mask of zeros."""
    assert len(content) < 126
    return (
        struct.pack("!BB", opcode | (0x80 if last else 0), 0x80 | len(content)) + bytes(4) + content
    )


def shake_hands(
    server: ServerProcess, table: str, buffer_bytes: int | None = None
) -> socket.socket:
    """A WebSocket before hello; its client may have a small buffer."""
    connection = raw(server)
    if buffer_bytes is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
    connection.sendall(HANDSHAKE.format(table=table, host=server.host).encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += connection.recv(4096)
    assert b" 101 " in answer
    return connection


def open_raw_socket(server: ServerProcess, table: str) -> socket.socket:
    """A WebSocket that has said hello, and whose answers nobody reads."""
    connection = raw(server)
    connection.sendall(HANDSHAKE.format(table=table, host=server.host).encode())
    assert b" 101 " in connection.recv(4096)
    connection.sendall(client_frame(1, b'{"do": "hello", "id": "h"}'))
    return connection


# How many


def test_many_sockets_from_one_address_in_a_second_are_refused(tmp_path: Path) -> None:
    # A slow machine takes more than a second for so many.
    server = limited_server(tmp_path, "connection_rate=1", "connection_burst=100")
    table = server.new_player().open("shokoba", [None, None])
    connections = [raw(server) for _ in range(700)]
    for connection in connections:
        connection.sendall(HANDSHAKE.format(table=table, host=server.host).encode())
    answers = [first_answer(connection) for connection in connections]
    let_in = [answer for answer in answers if answer.startswith(b"HTTP/1.1 101 ")]
    refused = [answer for answer in answers if answer.startswith(b"HTTP/1.1 429 ")]
    assert 50 < len(let_in) < 250 and len(refused) > 200
    assert b"retry-after: 5\r\n" in refused[0] and b"from your address" in refused[0]


def first_answer(connection: socket.socket) -> bytes:
    """What the server sends first; nothing if it has aborted the connection."""
    try:
        return connection.recv(4096)
    except ConnectionError:
        return b""


def test_sockets_of_an_address_and_of_a_player_are_counted(strict: ServerProcess) -> None:
    ana = strict.new_player()
    table = ana.open("shokoba", [None, None])
    clients = [SocketClient(strict, table, ana) for _ in range(2)]
    third = open_socket(strict, table, address=ana.address)
    with pytest.raises(InvalidStatus) as refused:
        open_socket(strict, table, address=ana.address)
    assert refused.value.response.status_code == 429
    third.send(json.dumps({"do": "hello", "id": "h", "key": ana.key}))
    with pytest.raises(ConnectionClosed) as end:
        third.recv(RESPONSE_TIMEOUT_S)
    assert end.value.rcvd is not None
    why = "you have too many sockets: close some"
    assert (end.value.rcvd.code, end.value.rcvd.reason) == (4429, why)
    assert SocketClient(strict, table, strict.new_player("Bo")).do("ping"), "others get in"
    clients[0].close()
    assert wait_until(lambda: _gets_in(strict, table, ana), 10), "a closed one counts no more"


def _gets_in(server: ServerProcess, table: str, player: Player) -> bool:
    try:
        return SocketClient(server, table, player).do("ping") > 0
    except (InvalidStatus, ConnectionClosed):
        return False


def test_a_full_server_answers_503(tmp_path: Path) -> None:
    server = limited_server(tmp_path, "connections=5", "connections_per_address=5")
    held = [raw(server) for _ in range(5)]
    time.sleep(0.2)
    answer = raw(server)
    answer.sendall(b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
    response = answer.recv(4096)
    assert response.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert b"retry-after: 5\r\n" in response and b"nosniff" in response
    assert b'{"why":"the server has too many connections: come back in a moment"}' in response
    held[0].close()
    assert wait_until(lambda: server.http.get("/healthz").status_code == 200, 10)


# Half open


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        (
            b"POST /api/players HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 20\r\n\r\n{"
        ),
    ],
)
def test_half_a_request_is_not_waited_for_forever(strict: ServerProcess, half: bytes) -> None:
    connection = raw(strict)
    connection.sendall(half)
    answer = connection.recv(4096)
    assert answer.startswith(b"HTTP/1.1 408 ") and b"took too long" in answer
    assert connection.recv(4096) == b""


def test_a_request_that_trickles_in_is_not_waited_for_forever(strict: ServerProcess) -> None:
    connection = raw(strict)
    connection.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
    with pytest.raises(OSError):
        for _ in range(100):
            connection.sendall(b"x")
            time.sleep(0.1)


def test_a_head_without_end_is_refused(strict: ServerProcess) -> None:
    connection = raw(strict)
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
    answer = b""
    with contextlib.suppress(ConnectionError):
        for _ in range(64):
            connection.sendall(b"x" * 4096)
            time.sleep(0.005)
    with contextlib.suppress(ConnectionError):
        answer = connection.recv(4096)
    assert answer.startswith(b"HTTP/1.1 431 ") or is_closed(connection)


def test_an_idle_connection_is_closed(strict: ServerProcess) -> None:
    connection = raw(strict)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b" 200 " in connection.recv(4096)
    assert wait_until(lambda: is_closed(connection), 10)


# Never read


def write_long_log(database: Path, events: int) -> str:
    """A table with a long log in a new store."""
    harness = TableHarness("shokoba", [None, None])
    for number in range(events):
        harness.ask("ana", messages.Say(f"s{number}", "\u20ac" * 300))

    async def write() -> None:
        url = database_url(str(database))
        await upgrade(url)
        store = Store(url)
        opened = table_opened("table", harness.table.opened, harness.now)
        await store.append("table", harness.table.log, opened)
        await store.close()

    asyncio.run(write())
    return "table"


@pytest.mark.parametrize(
    ("limits", "talk"),
    [(["stalled_timeout_s=2"], 0), (["stalled_timeout_s=1000", "queue_bytes=5000"], 20)],
    ids=["after a while", "when too much is queued"],
)
def test_sockets_that_never_read_are_cut_off(tmp_path: Path, limits: list[str], talk: int) -> None:
    table = write_long_log(tmp_path / "tables.sqlite", 6000)  # more than the kernel buffers
    # Pages as long as before there were pages, so that the server has something to hold.
    pages = ("page_bytes=100000000", "page_events=100000", "log_bytes=100000000")
    server = limited_server(tmp_path, *limits, *pages)
    for _ in range(8):
        connection = shake_hands(server, table, buffer_bytes=4096)
        connection.sendall(client_frame(1, b'{"do": "hello", "id": "h", "since": 0}'))
        assert connection.recv(1, socket.MSG_PEEK), "the welcome comes, and stays unread"
    process = psutil.Process(server.process.pid)
    ana = server.new_player()
    for _ in range(talk):
        ana.ask(table, "say", text="x" * 300)
    ana.http.close()
    assert wait_until(lambda: not established(process), 30), "they are held"


def established(process: psutil.Process) -> list[Any]:
    """The connections that a process holds."""
    return [c for c in process.net_connections("tcp") if c.status in ("ESTABLISHED", "FIN_WAIT1")]


@pytest.mark.parametrize(
    "flood",
    [client_frame(9, b"x" * 125), client_frame(0, last=False)],
    ids=["pings", "fragments"],
)
def test_a_flood_of_frames_is_cut_off(strict: ServerProcess, flood: bytes) -> None:
    table = strict.new_player().open("shokoba", [None, None])
    connection = open_raw_socket(strict, table)
    connection.sendall(client_frame(1, b"{", last=False))
    with contextlib.suppress(ConnectionError):
        for _ in range(100):
            connection.sendall(flood * 100)
    assert wait_until(lambda: is_closed(connection), 10)


# Where from


@pytest.mark.parametrize(("proxies", "status"), [(None, 429), ("127.0.0.0/8", 201)])
def test_a_forwarded_address_is_not_believed_from_just_anybody(
    tmp_path: Path, proxies: str | None, status: int
) -> None:
    limits = ("creation_burst=3", "creation_rate=0.001")
    server = limited_server(tmp_path, *limits, proxies=proxies)
    answers = []
    for number in range(4):
        headers = {"X-Forwarded-For": f"10.9.8.{number}"}
        answers.append(server.http.post("/api/players", json={"name": "x"}, headers=headers))
    assert answers[-1].status_code == status


def test_a_proxy_that_is_no_address_is_refused() -> None:
    with pytest.raises(Fault, match="is no address: give addresses or networks"):
        Proxies("club.example")


def test_metrics_are_for_programs_on_this_machine(strict: ServerProcess) -> None:
    assert "theriac_sockets" in strict.http.get("/metrics").text


@pytest.mark.parametrize(
    "header",
    [
        ("X-Forwarded-For", "10.0.0.1"), ("X-Forwarded-For", "::1"), ("X-Forwarded-Host", "club"),
        ("X-Forwarded-Proto", "https"), ("Forwarded", "host=club"), ("X-Real-IP", "::1"),
        ("Via", "x"), ("CF-Connecting-IP", "::1"), ("True-Client-IP", "::1"),
    ],
)  # fmt: skip
def test_metrics_are_not_for_requests_through_a_proxy(
    strict: ServerProcess, header: tuple[str, str]
) -> None:
    answer = strict.http.get("/metrics", headers=[header])
    assert answer.status_code == 403 and "--metrics-token" in answer.json()["why"]


def test_metrics_are_for_those_who_show_the_token(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, THERIAC_METRICS_TOKEN="s3cret")
    assert server.http.get("/metrics").status_code == 401
    for shown, status in (("Bearer s3cret", 200), ("Bearer other", 401), ("s3cret", 401)):
        headers = {"Authorization": shown, "X-Forwarded-For": "10.0.0.1"}
        assert server.http.get("/metrics", headers=headers).status_code == status
