"""`theriac serve` as one types it: help, what is wrong with it, and how it ends."""

from __future__ import annotations

import contextlib
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
from tests.server.club import PATIENCE, Club, visits
from tests.server.line import Line, seated
from theriac.faults import Fault
from theriac.server.serve import bind


def serve(home: Path, *arguments: str) -> Outcome:
    """What `theriac serve` leaves behind that cannot serve."""
    return process(home, "serve", "--port", "0", "--database", str(home / "t.sqlite"), *arguments)


def test_help_tells_everything(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = call(capsys, "serve", "--help")
    assert outcome.status == 0
    options = (
        "host port database channels origin trusted-proxies bot-workers bot-delay log-level".split()
    )
    for word in [*(f"--{option}" for option in options), "theriac serve --host 0.0.0.0 --port 80"]:
        assert word in outcome.out


@pytest.mark.parametrize(
    ("host", "port"), [("127.0.0.1", 65536), ("127.0.0.1", -1), ("256.0.0.1", 0), ("::2", 0)]
)
def test_where_one_cannot_listen(host: str, port: int) -> None:
    with pytest.raises(Fault, match=f"^cannot listen on {host} port {port}"):
        bind(host, port)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--database", "mysql://x/y"], "--database: use a path or postgresql://…"),
        (["--database", "postgresql://u:hush@127.0.0.1:1/x"], "--database: it cannot be used"),
        (["--database", "/dev/null/t.sqlite"], "--database: it cannot be used"),
        (["--port", "65536"], "cannot listen on 127.0.0.1 port 65536"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    tmp_path: Path, arguments: list[str], why: str
) -> None:
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
def test_what_is_mistyped_is_said_before_anything_is_done(
    capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    outcome = call(capsys, "serve", *arguments)
    assert outcome.status == 2 and outcome.out == "" and why in outcome.err


def test_a_port_that_is_taken_is_said_to_be(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        outcome = serve(tmp_path, "--port", str(taken.getsockname()[1]))
    assert outcome.status == 2 and "Address already in use" in outcome.err
    assert not (tmp_path / "t.sqlite").exists()


def test_what_is_not_installed_is_said_to_be_missing(tmp_path: Path) -> None:
    hide = "import sys; sys.modules['litestar'] = None; from theriac.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", hide, "serve", "--database", str(tmp_path / "t.sqlite")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "litestar is missing: pip install 'theriac[server]'\n"


def test_it_says_where_it_serves_and_keeps_its_tables_there(tmp_path: Path) -> None:
    club = Club(tmp_path)
    table = club.person().open("poison", [None, "easy", "easy"])
    assert club.stop() == 0
    assert club.database.exists()
    club.start()
    assert club.web.get(f"/api/tables/{table}").json()["welcome"]["version"] == 1
    assert club.stop() == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_says_goodbye_and_ends_soon(tmp_path: Path, how: signal.Signals) -> None:
    club = Club(tmp_path)
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None, "expert"])
    lines = [*seated(table, ana, bo), Line(club, table)]
    version = lines[0].do("ping")
    waiting = HTTPConnection(club.host, timeout=PATIENCE)
    waiting.request("GET", f"/api/tables/{table}?since={version + 1000}&wait=25")
    for _ in range(5):  # what was asked before this is under way when this is answered
        assert club.web.get("/healthz").status_code == 200
    started = time.monotonic()
    status = club.stop(how)
    assert time.monotonic() - started < 20, "nobody waits for the bot, nor for the poll"
    assert status == (0 if how == signal.SIGTERM else 130)
    for line in lines:
        assert line.closed()[0] in (1001, 1012)
        assert line.bye == "the server stops: come back in a moment"
    with contextlib.closing(waiting):
        told = json.loads(waiting.getresponse().read())
    assert told["welcome"]["version"] >= version, "who waits is answered"
    assert club.complaints() == []
    visits.close()


def test_what_was_done_is_there_after_a_stop(tmp_path: Path) -> None:
    club = Club(tmp_path)
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seated(table, ana, bo)
    mover = (one, two)[one.view["to_act"]]
    mover.play(mover.view["legal"][0])
    one.reach(mover.version)
    passing = {"now": None, "present": None}
    before = ana.look(table, since=0) | passing
    visits.close()
    assert club.stop() == 0
    club.start()
    ana.web = club.web
    ana.web.headers["Authorization"] = f"Bearer {ana.key}"
    assert ana.look(table, since=0) | passing == before
    back = Line(club, table, ana, since=one.version)
    assert back.events == [] and back.view == one.view
    visits.close()
    assert club.stop() == 0
