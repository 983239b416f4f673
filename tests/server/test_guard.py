"""Which hosts the server answers for, and which pages may change something."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess
from tests.server.test_connections import HANDSHAKE
from theriac.faults import Fault

PATHS = ["/", "/api/games", "/api/tables", "/healthz", "/assets/x.js", "/table/abc", "/qr.svg"]


def with_host(server: ServerProcess, host: str, path: str = "/api/games") -> Any:
    """The response to a request with a Host header."""
    return server.http.get(path, headers={"Host": host})


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "LOCALHOST:8765", "localhost.", "club.localhost", "127.0.0.1:1", "[::1]:8765",
        "192.168.1.7", "[fe80::1]",
    ],
)  # fmt: skip
def test_the_server_answers_for_this_machine_and_for_addresses(
    server: ServerProcess, host: str
) -> None:
    assert with_host(server, host).status_code == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8765", "localhost.evil"])
def test_another_host_gets_nothing(server: ServerProcess, host: str, path: str) -> None:
    """After DNS rebinding a foreign page's requests have the name of its site."""
    response = with_host(server, host, path)
    assert response.status_code == 421
    assert "start it with --allowed-host" in response.json()["why"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "host", ["a" * 300, "a." * 2000 + "b", "", "a b", "a/b", "[::1", "é", "a:x"]
)
def test_a_bad_host_is_a_bad_request(server: ServerProcess, host: str, path: str) -> None:
    status = raw_status(server, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert status == 400


def test_a_request_has_one_host(server: ServerProcess) -> None:
    for headers in ("", "Host: localhost\r\nHost: evil.example\r\n"):
        assert raw_status(server, f"GET / HTTP/1.1\r\n{headers}Connection: close\r\n\r\n") == 400


def test_a_request_has_at_most_one_origin(server: ServerProcess) -> None:
    """Otherwise the first could be the server's own, and the other that of a foreign page."""
    own = f"Host: {server.host}\r\nOrigin: http://{server.host}\r\n"
    body = "Content-Type: application/json\r\nContent-Length: 15\r\nConnection: close\r\n\r\n"
    post = "POST /api/players HTTP/1.1\r\n"
    assert raw_status(server, f'{post}{own}{body}{{"name": "Ana"}}') == 201
    evil = "Origin: https://evil.example\r\n"
    assert raw_status(server, f'{post}{own}{evil}{body}{{"name": "Ana"}}') == 400
    table = server.new_player().open("shokoba", [None, None])
    handshake = HANDSHAKE.format(table=table, host=server.host).removesuffix("\r\n")
    origin = f"Origin: http://{server.host}\r\n"
    assert raw_status(server, f"{handshake}{origin}\r\n") == 101
    assert raw_status(server, f"{handshake}{origin}{evil}\r\n") == 400


def test_a_head_that_is_too_long_is_refused_even_if_it_comes_at_once(
    server: ServerProcess,
) -> None:
    end = "Host: localhost\r\nConnection: close\r\n\r\n"
    for size, status in ((30_000, 200), (40_000, 431)):
        long = "x" * size
        assert raw_status(server, f"GET /healthz?{long} HTTP/1.1\r\n{end}") == status
        assert raw_status(server, f"GET /healthz HTTP/1.1\r\nX-Long: {long}\r\n{end}") == status
    table = server.new_player().open("shokoba", [None, None])
    handshake = HANDSHAKE.format(table=table, host=server.host).removesuffix("\r\n")
    many = "".join(f"X-{number}: {'x' * 1000}\r\n" for number in range(40))
    assert raw_status(server, f"{handshake}{many}\r\n") == 431


def raw_status(server: ServerProcess, request: str) -> int:
    """The status of the response to these bytes."""
    host, _, port = server.host.partition(":")
    with socket.create_connection((host, int(port)), RESPONSE_TIMEOUT_S) as connection:
        connection.sendall(request.encode())
        return int(connection.makefile("rb").readline().split()[1])


def test_a_socket_for_another_host_is_refused(server: ServerProcess) -> None:
    table = server.new_player().open("shokoba", [None, None])
    host, _, port = server.host.partition(":")
    with (
        socket.create_connection((host, int(port)), RESPONSE_TIMEOUT_S) as connection,
        pytest.raises(InvalidStatus) as refused,
    ):
        address = f"ws://evil.example:{port}/api/tables/{table}/socket"
        connect(address, sock=connection, origin=Origin(f"http://evil.example:{port}"))
    assert refused.value.response.status_code == 421


def test_the_server_answers_for_allowed_hosts(tmp_path: Path) -> None:
    server = ServerProcess(
        tmp_path, "--allowed-host", "Club.example", "--origin", "https://other.example:8443"
    )
    assert with_host(server, "club.example").status_code == 200
    assert with_host(server, "club.example:444").status_code == 200
    assert with_host(server, "other.example").status_code == 200
    assert with_host(server, "sub.club.example").status_code == 421
    assert server.stop() == 0


@pytest.mark.parametrize("host", ["", "https://club.example", "club.example/x", "a b", "x" * 300])
def test_an_allowed_host_is_a_name(host: str) -> None:
    from theriac.server.http.guard import check_host

    with pytest.raises(Fault, match="--allowed-host"):
        check_host(host)


# Writing


def post(server: ServerProcess, **headers: str) -> Any:
    """The response to a request for a new player."""
    sent = {"Content-Type": "application/json"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    return server.http.post("/api/players", content='{"name": "Ana"}', headers=sent)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "", "text/json"]
)
def test_only_json_changes_something(server: ServerProcess, kind: str) -> None:
    """A page of another site can send the other types without asking the server first."""
    response = post(server, Content_Type=kind)
    assert response.status_code == 415 and "application/json" in response.json()["why"]


def test_a_charset_is_allowed(server: ServerProcess) -> None:
    assert post(server, Content_Type="Application/JSON; charset=utf-8").status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_page_of_another_origin_changes_nothing(
    server: ServerProcess, headers: dict[str, str]
) -> None:
    response = post(server, **headers)
    assert response.status_code == 403
    assert response.json() == {"why": "a page of another origin cannot use this server"}


def test_a_page_of_this_server_and_a_program_may_write(server: ServerProcess) -> None:
    own = f"http://{server.host}"
    assert post(server).status_code == 201
    assert post(server, Origin=own).status_code == 201
    assert post(server, Origin=own, Sec_Fetch_Site="same-origin").status_code == 201
    assert post(server, Sec_Fetch_Site="none").status_code == 201
