"""Nobody gets in who should not: keys, seats, origins, hello, sizes, limits, headers."""

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

from tests.server.club import PATIENCE, Club, visits
from tests.server.line import Line, dial, seated
from theriac.server.app import MAX_BODY_BYTES
from theriac.server.rate_limit import TokenBucket
from theriac.server.serve import SECURITY_HEADERS
from theriac.server.socket.connection import HELLO_TIMEOUT_S, MAX_MESSAGE_BYTES

UNKNOWN = ["", "x", ".", "a.b", "a." + "b" * 95, "x" * 100, "é.ü", "'--.x", "\u0000.\u0000"]


def closing(line: Any) -> tuple[int, str]:
    """How the server closes a socket."""
    with pytest.raises(ConnectionClosed) as end:
        while True:
            line.recv(PATIENCE)
    assert end.value.rcvd is not None
    return end.value.rcvd.code, end.value.rcvd.reason


# Keys and seats


@pytest.mark.parametrize("key", UNKNOWN)
def test_an_unknown_key_opens_nothing(club: Club, key: str) -> None:
    table = club.person().open("shokoba", [None, None])
    line = dial(club, table)
    line.send(json.dumps({"do": "hello", "id": "h", "key": key}))
    assert '"refused":{"code":"denied","why":"this key is not known here"}' in line.recv(PATIENCE)
    assert closing(line) == (4408, "this key is not known here")
    shown = {b"Authorization": (b"Bearer " + key.replace("\u0000", "0").encode()).strip()}
    for answer in (
        club.web.get("/api/me/tables", headers=shown),
        club.web.get(f"/api/tables/{table}", headers=shown),
        club.web.post("/api/tables", headers=shown, json={"game": "shokoba", "seats": [None] * 2}),
        club.web.post(f"/api/tables/{table}", headers=shown, json={"do": "close", "id": "c"}),
    ):
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"


def test_a_name_with_anothers_secret_is_nobody(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    mixed = f"{ana.player}.{bo.key.partition('.')[2]}"
    answer = club.web.get("/api/me/tables", headers={"Authorization": f"Bearer {mixed}"})
    assert answer.status_code == 401
    basic = club.web.get("/api/me/tables", headers={"Authorization": f"Basic {ana.key}"})
    assert basic.status_code == 401


def test_a_seat_elsewhere_is_none_here(club: Club) -> None:
    ana, bo, eve = club.persons("Ana", "Bo", "Eve")
    here = ana.open("shokoba", [None, None])
    one, two = seated(here, ana, bo)
    seated(eve.open("shokoba", [None, "easy"]), eve)
    spy = Line(club, here, eve)
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
    told = eve.look(here, since=0)
    assert "seat" not in told and "hand" not in told["view"]
    assert here not in [told["table"] for told in eve.get("/api/me/tables")]


def test_without_a_key_one_only_watches(club: Club) -> None:
    ana = club.person()
    table = ana.open("shokoba", [None, None])
    line = Line(club, table)
    for what in ("stand", "close", "undo", "typing"):
        assert line.refused(what)["why"] == "you only watch: get a key to take part"
    answer = club.web.post(f"/api/tables/{table}", json={"do": "close", "id": "c"})
    assert answer.status_code == 401


# The socket


def test_a_page_of_another_server_gets_no_socket(club: Club) -> None:
    table = club.person().open("shokoba", [None, None])
    for origin in ("https://evil.example", "null", f"http://{club.host}.evil.example", "http://"):
        with pytest.raises(InvalidStatus) as refused:
            dial(club, table, origin)
        assert refused.value.response.status_code == 403
    own = dial(club, table, f"http://{club.host}")
    own.send('{"do": "hello", "id": "h"}')
    assert "welcome" in own.recv(PATIENCE)


def test_a_page_that_was_allowed_gets_one(tmp_path: Path) -> None:
    page = "https://club.example"
    club = Club(tmp_path, "--origin", page)
    try:
        table = club.person().open("shokoba", [None, None])
        line = dial(club, table, page)
        line.send('{"do": "hello", "id": "h"}')
        assert "welcome" in line.recv(PATIENCE)
        with pytest.raises(InvalidStatus):
            dial(club, table, "https://other.example")
    finally:
        visits.close()
        assert club.stop() == 0


@pytest.mark.parametrize("first", ['{"do": "ping", "id": "p"}', "nonsense", "", "[]"])
def test_the_first_message_is_hello(club: Club, first: str) -> None:
    line = dial(club, club.person().open("shokoba", [None, None]))
    line.send(first)
    code, why = closing(line)
    assert code == 4408 and why == "the first message must be a hello"


def test_who_says_nothing_is_sent_away(club: Club) -> None:
    started = time.monotonic()
    line = dial(club, club.person().open("shokoba", [None, None]))
    assert closing(line) == (4408, "say hello first")
    assert time.monotonic() - started >= HELLO_TIMEOUT_S


def test_there_is_no_socket_of_a_table_that_is_not_there(club: Club) -> None:
    assert closing(dial(club, "nosuch")) == (4404, "there is no such table")


def test_a_message_that_is_too_long_ends_the_line(club: Club) -> None:
    ana = club.person()
    line = Line(club, ana.open("shokoba", [None, None]), ana)
    fits = '{"do": "say", "id": "s", "text": "%s"}'
    line.socket.send(fits % ("x" * (MAX_MESSAGE_BYTES - len(fits) + 2)))
    line.until(lambda: "s" in line.answers)
    assert line.answers["s"][0]["refused"]["code"] == "unreadable"
    line.socket.send(fits % ("x" * MAX_MESSAGE_BYTES))
    assert line.closed()[0] == 1009


def test_too_many_messages_end_the_line_and_only_that(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    flood, quiet = Line(club, table, ana), Line(club, table, bo)
    flood._bucket = TokenBucket(10_000, 10_000)
    with contextlib.suppress(ConnectionClosed):
        for _ in range(100_000):
            flood.send("ping")
    assert flood.closed() == (4429, "too many messages: wait a moment")
    assert quiet.do("ping") == 1
    assert Line(club, table, ana).do("ping") == 1


# HTTP


def test_too_many_requests_of_one_person_are_refused(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    body = {"do": "react", "id": "r", "to": 0, "sign": "wow"}  # refused, so nothing is written
    for tried in range(300):  # noqa: B007 - how often is looked at below
        answer = ana.web.post(f"/api/tables/{table}", json=body)
        if answer.status_code == 429:
            break
        assert answer.status_code == 200
    assert answer.json() == {"why": "too many requests: wait a moment"} and tried >= 30
    assert bo.ask(table, "react", to=1, sign="wow")["version"]


def test_too_many_new_tables_and_persons_from_one_place_are_refused(club: Club) -> None:
    ana = club.person()
    for _ in range(40):
        assert ana.open("shokoba", [None, None])
    for tried in range(300):  # noqa: B007 - how often is looked at below
        answer = ana.web.post("/api/players", json={"name": "x"})
        if answer.status_code == 429:
            break
        assert answer.status_code == 201
    assert "from your address" in answer.json()["why"] and tried >= 15
    assert club.person().open("shokoba", [None, None])


def ask_at_once(club: Club, path: str, place: str, times: int) -> list[bytes]:
    """Ask for the same again and again without waiting for answers; their first lines."""
    host, _, port = club.host.partition(":")
    asked = f"GET {path} HTTP/1.1\r\nHost: {club.host}\r\nX-Forwarded-For: {place}\r\n"
    with socket.create_connection((host, int(port)), PATIENCE) as line:
        last = f"{asked}Connection: close\r\n\r\n".encode()
        sending = threading.Thread(
            target=line.sendall, args=(f"{asked}\r\n".encode() * (times - 1) + last,)
        )
        sending.start()
        heard = b"".join(iter(lambda: line.recv(1 << 20), b""))
        sending.join()
    return re.findall(rb"HTTP/1.1 (\d+)", heard)


@pytest.mark.parametrize(
    ("path", "burst"), [("/api/games/shokoba/deck", 500), ("/assets/none.js", 2000)]
)
def test_too_many_questions_from_one_place_are_refused(club: Club, path: str, burst: int) -> None:
    place, other = f"10.254.{len(path)}.1", f"10.254.{len(path)}.2"
    answers = ask_at_once(club, path, place, 2 * burst)
    usual = answers[0]
    assert set(answers) == {usual, b"429"} and usual != b"429"
    assert answers.count(usual) >= burst
    assert answers[:burst] == [usual] * burst
    assert ask_at_once(club, path, other, 2) == [usual] * 2
    # Whoever looks after the server is answered, also when others ask too much from there.
    assert ask_at_once(club, "/healthz", place, 2) == [b"200"] * 2


def test_a_body_that_is_too_large_is_refused(club: Club) -> None:
    ana = club.person()
    body = b'{"deck": "' + b"x" * MAX_BODY_BYTES + b'"}'
    answer = ana.web.post("/api/games/poison/deck", content=body)
    assert answer.status_code == 413 and answer.json()["why"]


def test_every_answer_has_the_headers_that_protect_the_page(club: Club) -> None:
    ana = club.person()
    table = ana.open("shokoba", [None, None])
    answers = [
        club.web.get("/healthz"),
        club.web.get("/metrics"),
        club.web.get("/api/games"),
        club.web.get("/api/games/poison/rules"),
        club.web.get("/api/openapi.json"),
        club.web.get(f"/api/tables/{table}"),
        club.web.get("/api/tables/nosuch"),
        club.web.get("/nosuch"),
        club.web.get("/"),
        club.web.get("/api/me/tables"),
        club.web.delete("/api/tables"),
        club.web.options("/api/tables"),
        club.web.head("/healthz"),
        ana.web.post("/api/tables", content=b"{"),
        ana.web.post("/api/tables", content=b"x" * (MAX_BODY_BYTES + 1)),
        ana.web.post(f"/api/tables/{table}", json={"do": "ping", "id": "x"}),
    ]
    for answer in answers:
        for name, value in SECURITY_HEADERS.items():
            assert answer.headers.get(name) == value, (answer.request.url, answer.status_code, name)
        assert "server" not in answer.headers and "set-cookie" not in answer.headers


def test_a_slow_request_keeps_nobody_waiting(club: Club) -> None:
    """A long poll is one of many: others are answered meanwhile."""
    ana = club.person()
    table = ana.open("shokoba", [None, None])
    told: list[Any] = []
    polls = [
        threading.Thread(target=lambda: told.append(ana.look(table, since=1, wait=20)))
        for _ in range(5)
    ]
    for poll in polls:
        poll.start()
    time.sleep(0.3)
    assert not told
    version = ana.ask(table, "say", text="now")["version"]
    for poll in polls:
        poll.join(PATIENCE)
    assert [t["version"] for t in told] == [version] * 5
