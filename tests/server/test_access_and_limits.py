"""Access and limits: keys, seats, origins, hello, sizes, rates, headers."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess, open_clients
from tests.server.socket_client import SocketClient, open_socket, seat_players
from theriac.server.app import MAX_BODY_BYTES
from theriac.server.rate_limit import TokenBucket
from theriac.server.serve import SECURITY_HEADERS
from theriac.server.socket.connection import MAX_MESSAGE_BYTES
from theriac.server.socket.protocols import MAX_WAITING

UNKNOWN = ["", "x", ".", "a.b", "a." + "b" * 95, "x" * 100, "é.ü", "'--.x", "\u0000.\u0000"]


def close_reason(connection: Any) -> tuple[int, str]:
    """The code and reason with which the server closes a socket."""
    with pytest.raises(ConnectionClosed) as end:
        while True:
            connection.recv(RESPONSE_TIMEOUT_S)
    assert end.value.rcvd is not None
    return end.value.rcvd.code, end.value.rcvd.reason


# Keys and seats


@pytest.mark.parametrize("key", UNKNOWN)
def test_an_unknown_key_is_refused(server: ServerProcess, key: str) -> None:
    table = server.new_player().open("shokoba", [None, None])
    connection = open_socket(server, table)
    connection.send(json.dumps({"do": "hello", "id": "h", "key": key}))
    assert '"refused":{"code":"denied","why":"this key is not known here"}' in connection.recv(
        RESPONSE_TIMEOUT_S
    )
    assert close_reason(connection) == (4401, "this key is not known here")
    credentials = {b"Authorization": (b"Bearer " + key.replace("\u0000", "0").encode()).strip()}
    for answer in (
        server.http.get("/api/me/tables", headers=credentials),
        server.http.get(f"/api/tables/{table}", headers=credentials),
        server.http.post(
            "/api/tables", headers=credentials, json={"game": "shokoba", "seats": [None] * 2}
        ),
        server.http.post(
            f"/api/tables/{table}", headers=credentials, json={"do": "close", "id": "c"}
        ),
    ):
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"


def test_a_player_id_with_the_secret_of_another_is_refused(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    mixed = f"{ana.id}.{bo.key.partition('.')[2]}"
    answer = server.http.get("/api/me/tables", headers={"Authorization": f"Bearer {mixed}"})
    assert answer.status_code == 401
    basic = server.http.get("/api/me/tables", headers={"Authorization": f"Basic {ana.key}"})
    assert basic.status_code == 401


def test_a_seat_at_another_table_gives_no_rights_here(server: ServerProcess) -> None:
    ana, bo, eve = server.new_players("Ana", "Bo", "Eve")
    here = ana.open("shokoba", [None, None])
    one, two = seat_players(here, ana, bo)
    seat_players(eve.open("shokoba", [None, "easy"]), eve)
    spy = SocketClient(server, here, eve)
    assert spy.seat is None and "hand" not in spy.view and spy.view["legal"] == []
    mover = (one, two)[one.view["to_act"]]
    move = mover.view["legal"][0]
    before = one.do("ping")
    for what in (
        {"do": "move", "move": move, "version": before},
        {"do": "undo"},
        {"do": "answer", "agree": True},
        {"do": "stand"},
        {"do": "return"},
        {"do": "ready", "nonce": "x"},
        {"do": "close"},
        {"do": "hand", "seat": 0, "level": "easy"},
    ):
        assert spy.refused(**what)["code"] in ("seat", "denied")
    assert one.do("ping") == before
    welcome = eve.get_table(here, since=0)
    assert "seat" not in welcome and "hand" not in welcome["view"]
    assert here not in [row["table"] for row in eve.get("/api/me/tables")]


def test_without_a_key_a_client_can_only_watch(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, None])
    client = SocketClient(server, table)
    for what in ("stand", "close", "undo", "typing"):
        assert client.refused(what)["why"] == "you only watch: get a key to take part"
    answer = server.http.post(f"/api/tables/{table}", json={"do": "close", "id": "c"})
    assert answer.status_code == 401


# The socket


def test_a_page_of_another_origin_gets_no_socket(server: ServerProcess) -> None:
    table = server.new_player().open("shokoba", [None, None])
    for origin in ("https://evil.example", "null", f"http://{server.host}.evil.example", "http://"):
        with pytest.raises(InvalidStatus) as refused:
            open_socket(server, table, origin)
        assert refused.value.response.status_code == 403
    own = open_socket(server, table, f"http://{server.host}")
    own.send('{"do": "hello", "id": "h"}')
    assert "welcome" in own.recv(RESPONSE_TIMEOUT_S)


def test_a_page_of_an_allowed_origin_gets_a_socket(tmp_path: Path) -> None:
    page = "https://club.example"
    server = ServerProcess(tmp_path, "--origin", page)
    try:
        table = server.new_player().open("shokoba", [None, None])
        connection = open_socket(server, table, page)
        connection.send('{"do": "hello", "id": "h"}')
        assert "welcome" in connection.recv(RESPONSE_TIMEOUT_S)
        with pytest.raises(InvalidStatus):
            open_socket(server, table, "https://other.example")
    finally:
        open_clients.close()
        assert server.stop() == 0


@pytest.mark.parametrize("first", ['{"do": "ping", "id": "p"}', "nonsense", "", "[]"])
def test_the_first_message_must_be_hello(server: ServerProcess, first: str) -> None:
    connection = open_socket(server, server.new_player().open("shokoba", [None, None]))
    connection.send(first)
    code, why = close_reason(connection)
    assert code == 4408 and why == "the first message must be a hello"


def test_a_socket_without_hello_is_closed(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, "--limit", "hello_timeout_s=1")
    table = server.new_player().open("shokoba", [None, None])
    started = time.monotonic()
    connection = open_socket(server, table)
    assert close_reason(connection) == (4408, "say hello first")
    assert time.monotonic() - started >= 1


def test_a_socket_of_an_unknown_table_is_closed(server: ServerProcess) -> None:
    assert close_reason(open_socket(server, "nosuch")) == (4404, "there is no such table")


def test_a_message_that_is_too_long_closes_the_socket(server: ServerProcess) -> None:
    ana = server.new_player()
    client = SocketClient(server, ana.open("shokoba", [None, None]), ana)
    fits = '{"do": "say", "id": "s", "text": "%s"}'
    client.socket.send(fits % ("x" * (MAX_MESSAGE_BYTES - len(fits) + 2)))
    client.until(lambda: "s" in client.answers)
    assert client.answers["s"][0]["refused"]["code"] == "unreadable"
    client.socket.send(fits % ("x" * MAX_MESSAGE_BYTES))
    assert client.wait_closed()[0] == 1009


def test_too_many_messages_close_the_sockets_of_that_player_only(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    flood, quiet = SocketClient(server, table, ana), SocketClient(server, table, bo)
    flood.bucket = TokenBucket(10_000, 10_000)
    with contextlib.suppress(ConnectionClosed):
        for _ in range(MAX_WAITING - 1):  # more that wait are cut off without a reason
            flood.send("ping")
    assert flood.wait_closed() == (4429, "too many messages: wait a moment")
    assert quiet.do("ping") == 1
    time.sleep(1)
    assert SocketClient(server, table, ana).do("ping") == 1


def test_a_flood_of_messages_ends_the_socket_of_that_player_only(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    flood, quiet = SocketClient(server, table, ana), SocketClient(server, table, bo)
    with pytest.raises(ConnectionClosed):
        for _ in range(100_000):
            flood.socket.send('{"do": "ping", "id": "p"}')
    assert quiet.do("ping") == 1


def test_the_rate_of_messages_is_that_of_a_player_over_all_sockets(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, None])
    clients = [SocketClient(server, table, ana) for _ in range(8)]
    with pytest.raises(ConnectionClosed) as closed:
        for _ in range(1000):  # each for itself would stay below the limit for long
            for client in clients:
                client.socket.send('{"do": "ping", "id": "p"}')
            for client in clients:
                client.receive()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429


# HTTP


def test_too_many_requests_of_one_player_are_refused(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    body = {"do": "react", "id": "r", "to": 0, "sign": "wow"}  # refused, so nothing is written
    for tried in range(300):  # noqa: B007 - the count is checked below
        answer = ana.http.post(f"/api/tables/{table}", json=body)
        if answer.status_code == 429:
            break
        assert answer.status_code == 200
    assert answer.json() == {"why": "too many requests: wait a moment"} and tried >= 30
    assert bo.ask(table, "react", to=1, sign="wow")["version"]


def test_too_many_new_tables_and_players_from_one_address_are_refused(
    server: ServerProcess,
) -> None:
    ana = server.new_player()
    for _ in range(40):
        assert ana.open("shokoba", [None, None])
    for tried in range(300):  # noqa: B007 - the count is checked below
        answer = ana.http.post("/api/players", json={"name": "x"})
        if answer.status_code == 429:
            break
        assert answer.status_code == 201
    assert "from your address" in answer.json()["why"] and tried >= 15
    assert server.new_player().open("shokoba", [None, None])


def pipeline_requests(server: ServerProcess, path: str, address: str, times: int) -> list[bytes]:
    """Send the same request many times without waiting for responses; their status codes."""
    host, _, port = server.host.partition(":")
    request = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nX-Forwarded-For: {address}\r\n"
    with socket.create_connection((host, int(port)), RESPONSE_TIMEOUT_S) as client:
        last = f"{request}Connection: close\r\n\r\n".encode()
        sending = threading.Thread(
            target=client.sendall, args=(f"{request}\r\n".encode() * (times - 1) + last,)
        )
        sending.start()
        responses = b"".join(iter(lambda: client.recv(1 << 20), b""))
        sending.join()
    return re.findall(rb"HTTP/1.1 (\d+)", responses)


@pytest.mark.parametrize(
    ("path", "burst"), [("/api/games/shokoba/deck", 500), ("/assets/none.js", 2000)]
)
def test_too_many_requests_from_one_address_are_refused(
    server: ServerProcess, path: str, burst: int
) -> None:
    address, other = f"10.254.{len(path)}.1", f"10.254.{len(path)}.2"
    answers = pipeline_requests(server, path, address, 2 * burst)
    usual = answers[0]
    assert set(answers) == {usual, b"429"} and usual != b"429"
    assert answers.count(usual) >= burst
    assert answers[:burst] == [usual] * burst
    assert pipeline_requests(server, path, other, 2) == [usual] * 2
    # Monitoring is answered even when its address sends too many other requests.
    assert pipeline_requests(server, "/healthz", address, 2) == [b"200"] * 2


def test_a_body_that_is_too_large_is_refused(server: ServerProcess) -> None:
    ana = server.new_player()
    body = b'{"deck": "' + b"x" * MAX_BODY_BYTES + b'"}'
    answer = ana.http.post("/api/games/poison/deck", content=body)
    assert answer.status_code == 413 and answer.json()["why"]


def test_every_response_has_the_security_headers(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, None])
    answers = [
        server.http.get("/healthz"),
        server.http.get("/metrics"),
        server.http.get("/api/games"),
        server.http.get("/api/games/poison/rules"),
        server.http.get("/api/openapi.json"),
        server.http.get(f"/api/tables/{table}"),
        server.http.get("/api/tables/nosuch"),
        server.http.get("/nosuch"),
        server.http.get("/"),
        server.http.get("/api/me/tables"),
        server.http.delete("/api/tables"),
        server.http.options("/api/tables"),
        server.http.head("/healthz"),
        ana.http.post("/api/tables", content=b"{"),
        ana.http.post("/api/tables", content=b"x" * (MAX_BODY_BYTES + 1)),
        ana.http.post(f"/api/tables/{table}", json={"do": "ping", "id": "x"}),
    ]
    for answer in answers:
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.get(name) == value, (answer.request.url, answer.status_code, name)
        assert "server" not in answer.headers and "set-cookie" not in answer.headers


def test_scripts_styles_and_fonts_lack_the_headers_of_documents(server: ServerProcess) -> None:
    documents = {"Content-Security-Policy", "Cross-Origin-Opener-Policy", "Permissions-Policy"}
    index = server.http.get("/").text
    for kind in ("js", "css", "woff2"):
        address = re.search(rf"/assets/[\w-]+\.{kind}", index)
        assert address, kind
        headers = server.http.get(address[0]).headers
        for name, value in SECURITY_HEADERS.items():
            assert headers.get(name) == (None if name in documents else value), (kind, name)
    for path in ("/icon.svg", "/assets/nothing.svg", "/table/x.js?/assets/a.js"):
        assert "Content-Security-Policy" in server.http.get(path).headers, path


def test_long_polls_do_not_delay_other_requests(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, None])
    welcomes: list[Any] = []
    polls = [
        threading.Thread(target=lambda: welcomes.append(ana.get_table(table, since=1, wait=20)))
        for _ in range(5)
    ]
    for poll in polls:
        poll.start()
    time.sleep(0.3)
    assert not welcomes
    version = ana.ask(table, "say", text="now")["version"]
    for poll in polls:
        poll.join(RESPONSE_TIMEOUT_S)
    assert [welcome["version"] for welcome in welcomes] == [version] * 5
