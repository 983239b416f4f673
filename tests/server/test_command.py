"""`theriac serve` on the command line: help, errors, exit."""

from __future__ import annotations

import contextlib
import inspect
import json
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.command import Outcome, call, process
from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess, open_clients
from tests.server.socket_client import SocketClient, seat_players
from theriac.cli.serve import run
from theriac.faults import Fault
from theriac.server.app import Config
from theriac.server.serve import bind


def serve(home: Path, *arguments: str) -> Outcome:
    """The output and exit status of a `theriac serve` that cannot start."""
    return process(home, "serve", "--port", "0", "--database", str(home / "t.sqlite"), *arguments)


def test_help_lists_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = call(capsys, "serve", "--help")
    assert outcome.status == 0
    options = (
        "host port database channels origin trusted-proxies bot-workers bot-delay log-level".split()
    )
    for word in [*(f"--{option}" for option in options), "theriac serve --host 0.0.0.0 --port 80"]:
        assert word in outcome.out


def test_bots_leave_the_pace_to_the_page() -> None:
    """A page that shows one move after another must not wait for the server as well."""
    default = inspect.signature(run).parameters["bot_delay"].default
    assert default == Config(database="").bot_delay <= 0.2


@pytest.mark.parametrize(
    ("host", "port"), [("127.0.0.1", 65536), ("127.0.0.1", -1), ("256.0.0.1", 0), ("::2", 0)]
)
def test_an_address_that_cannot_be_used_is_an_error(host: str, port: int) -> None:
    with pytest.raises(Fault, match=f"^cannot listen on {host} port {port}"):
        bind(host, port)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--database", "mysql://x/y"], "--database: use a path or postgresql://…"),
        (["--database", "postgresql://u:hush@127.0.0.1:1/x"], "--database: it cannot be used"),
        (["--database", "/dev/null/t.sqlite"], "--database: it cannot be used"),
        (["--port", "65536"], "Invalid value for '--port'"),
    ],
)
def test_an_error_at_the_start_is_one_line(tmp_path: Path, arguments: list[str], why: str) -> None:
    outcome = serve(tmp_path, *arguments)
    assert outcome.status == 2 and outcome.out == ""
    assert why in outcome.err and "hush" not in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1, outcome.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--port", "eighty"], "Invalid value for '--port'"),
        (["--log-level", "loud"], "--log-level: loud is not debug, info, warning or error"),
        (["--channels", "redis://localhost"], "give --database too"),
        (["--bot-workers", "0"], "Invalid value for '--bot-workers'"),
        (["--bot-delay", "-1"], "Invalid value for '--bot-delay'"),
        (["--origin", "club.example"], "--origin: club.example is not an address such as"),
        (["--origin", "https://club.example/page"], "is not an address such as"),
    ],
)
def test_bad_options_are_refused_before_the_server_starts(
    capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    outcome = call(capsys, "serve", *arguments)
    assert outcome.status == 2 and outcome.out == "" and why in outcome.err


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        outcome = serve(tmp_path, "--port", str(taken.getsockname()[1]))
    assert outcome.status == 2 and "Address already in use" in outcome.err
    assert not (tmp_path / "t.sqlite").exists()


def test_a_missing_package_is_reported_with_the_extra_to_install(tmp_path: Path) -> None:
    hide = "import sys; sys.modules['litestar'] = None; from theriac.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", hide, "serve", "--database", str(tmp_path / "t.sqlite")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "litestar is missing: pip install theriac-games\n"


def test_the_server_prints_its_address_and_keeps_its_tables(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    table = server.new_player().open("poison", [None, "easy", "easy"])
    assert server.stop() == 0
    assert server.database.exists()
    server.start()
    assert server.http.get(f"/api/tables/{table}").json()["welcome"]["version"] == 1
    assert server.stop() == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_on_a_signal_the_server_says_goodbye_and_exits_soon(
    tmp_path: Path, how: signal.Signals
) -> None:
    server = ServerProcess(tmp_path)
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None, "master"])
    clients = [*seat_players(table, ana, bo), SocketClient(server, table)]
    version = clients[0].do("ping")
    waiting = HTTPConnection(server.host, timeout=RESPONSE_TIMEOUT_S)
    waiting.request("GET", f"/api/tables/{table}?since={version + 1000}&wait=25")
    for _ in range(5):  # so that the poll has reached the server
        assert server.http.get("/healthz").status_code == 200
    started = time.monotonic()
    status = server.stop(how)
    assert time.monotonic() - started < 20, "it waits neither for the bot nor for the poll"
    assert status == (0 if how == signal.SIGTERM else 130)
    for client in clients:
        assert client.wait_closed()[0] in (1001, 1012)
        assert client.bye == "the server stops: come back in a moment"
    with contextlib.closing(waiting):
        response = json.loads(waiting.getresponse().read())
    assert response["welcome"]["version"] >= version, "the poll is answered"
    assert server.unexpected_log_lines() == []
    open_clients.close()


def test_a_restart_loses_nothing(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    mover = (one, two)[one.view["to_act"]]
    mover.play(mover.view["legal"][0])
    one.reach(mover.version)
    transient = {"now": None, "present": None}
    before = ana.get_table(table, since=0) | transient
    open_clients.close()
    assert server.stop() == 0
    server.start()
    ana.http = server.http
    ana.http.headers["Authorization"] = f"Bearer {ana.key}"
    assert ana.get_table(table, since=0) | transient == before
    back = SocketClient(server, table, ana, since=one.version)
    assert back.events == [] and back.view == one.view
    open_clients.close()
    assert server.stop() == 0
