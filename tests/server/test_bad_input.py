"""Bad input of every kind: one clear answer to each, and nothing has changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.club import Club, Person
from tests.server.line import Line, seated

#: Messages with a readable id, and the code they are refused with.
NAMED: list[tuple[str, dict[str, Any]]] = [
    ("unreadable", {}),
    ("unreadable", {"do": None}),
    ("unreadable", {"do": "dance"}),
    ("unreadable", {"do": ["move"]}),
    ("unreadable", {"do": "MOVE", "move": "S1", "version": 4}),
    ("unreadable", {"do": "move"}),
    ("unreadable", {"do": "move", "move": "S1"}),
    ("unreadable", {"do": "move", "version": 4}),
    ("unreadable", {"do": "move", "move": 7, "version": 4}),
    ("unreadable", {"do": "move", "move": None, "version": 4}),
    ("unreadable", {"do": "move", "move": "", "version": 4}),
    ("unreadable", {"do": "move", "move": "x" * 61, "version": 4}),
    ("unreadable", {"do": "move", "move": "S1", "version": -1}),
    ("unreadable", {"do": "move", "move": "S1", "version": "4"}),
    ("unreadable", {"do": "move", "move": "S1", "version": 4.5}),
    ("unreadable", {"do": "move", "move": "S1", "version": True}),
    ("unreadable", {"do": "move", "move": "S1", "version": 10**30}),
    ("unreadable", {"do": "move", "move": "S1", "version": 4, "seat": 1}),
    ("stale", {"do": "move", "move": "S1", "version": 0}),
    ("stale", {"do": "move", "move": "S1", "version": 2**31}),
    ("unreadable", {"do": "sit", "seat": 16, "nonce": "x"}),
    ("unreadable", {"do": "sit", "seat": -1, "nonce": "x"}),
    ("unreadable", {"do": "sit", "seat": 0, "nonce": ""}),
    ("unreadable", {"do": "sit", "seat": 0, "nonce": "x" * 65}),
    ("stage", {"do": "sit", "seat": 0, "nonce": "x"}),
    ("seat", {"do": "sit", "seat": 9, "nonce": "x"}),
    ("stage", {"do": "stand"}),
    ("stage", {"do": "ready", "nonce": "x"}),
    ("denied", {"do": "undo"}),
    ("denied", {"do": "answer", "agree": True}),
    ("unreadable", {"do": "answer", "agree": "yes"}),
    ("unreadable", {"do": "answer", "agree": 1}),
    ("denied", {"do": "hand", "seat": 1, "level": "genius"}),
    ("denied", {"do": "hand", "seat": 1, "level": "search:ms=1000000"}),
    ("denied", {"do": "hand", "seat": 1, "level": "process:sh"}),
    ("seat", {"do": "hand", "seat": 2, "level": "easy"}),
    ("seat", {"do": "return"}),
    ("unreadable", {"do": "react", "to": 1, "sign": "hate"}),
    ("denied", {"do": "react", "to": 0, "sign": "like"}),
    ("unreadable", {"do": "gesture", "sign": "talk"}),
    ("denied", {"do": "hello"}),
    ("denied", {"do": "hello", "key": "somebody.else"}),
    ("unreadable", {"do": "ping", "extra": 1}),
    ("unreadable", {"do": "ping", "nested": [[[[[[1]]]]]]}),
]

#: Texts whose id cannot be read.
NAMELESS = [
    "",
    " ",
    "{",
    "}",
    "null",
    "7",
    '"ping"',
    "[]",
    '[{"do": "ping", "id": "x"}]',
    "{'do': 'ping'}",
    '{"do": "ping"}',
    '{"do": "ping", "id": null}',
    '{"do": "ping", "id": 7}',
    '{"do": "ping", "id": ""}',
    '{"do": "ping", "id": "with a space"}',
    '{"do": "ping", "id": "é"}',
    json.dumps({"do": "ping", "id": "x" * 41}),
    '{"do": "ping", "id": "\\ud800"}',
    '{"do": "ping", "id": "x"',
    '{"do": "ping", "id": "x"} {"do": "ping", "id": "y"}',
    "\ufeff{}",
    '{"id": NaN}',
    "[" * 4000,
    '{"a":' * 800,
    '{"id": ' + "[" * 4000,
    '{"id": ' + "9" * 4000 + "}",
]


def as_it_is(person: Person, table: str) -> Any:
    """Everything about a table but the time."""
    return {**person.look(table, since=0), "now": None}


def test_every_bad_message_gets_one_answer_and_changes_nothing(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None], options={"first": 1})
    seated(table, ana, bo)
    before = as_it_is(ana, table)
    for first in range(0, len(NAMED), 20):
        line = Line(club, table, ana)
        for code, message in NAMED[first : first + 20]:
            refusal = line.refused(**{"do": None, **message}) if "do" in message else refuse(line)
            assert refusal["code"] == code, (message, refusal)
        line.do("ping")
        assert all(len(answers) == 1 for answers in line.answers.values())
        line.hang_up()
    assert as_it_is(ana, table) == before


def refuse(line: Line) -> Any:
    """The refusal of a message that says not even what to do."""
    line.socket.send('{"id": "nothing"}')
    line.until(lambda: "nothing" in line.answers)
    return line.answers["nothing"][0]["refused"]


def test_what_has_no_readable_id_is_answered_without_one(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    seated(table, ana, bo)
    before = as_it_is(ana, table)
    line = Line(club, table, ana)
    for number, text in enumerate(NAMELESS):
        line.socket.send(text)
        line.until(lambda number=number: len(line.answers.get(None, [])) > number)  # type: ignore[misc]
        refusal = line.answers[None][-1]["refused"]
        assert refusal["code"] == "unreadable" and len(refusal["why"]) < 300, text
    line.socket.send(b'{"do": "ping", "id": "binary"}')
    line.until(lambda: len(line.answers[None]) > len(NAMELESS))
    assert "send JSON as text" in line.answers[None][-1]["refused"]["why"]
    assert line.do("ping") == line.version
    assert as_it_is(ana, table) == before


@pytest.mark.parametrize(
    "move", ["S1@1", "x", "=", "~H7", "timeout", "pass", "S1 ", "\u202e", "💎"]
)
def test_no_illegal_move_gets_through(club: Club, move: str) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None], options={"first": 1})
    one, _ = seated(table, ana, bo)
    before = as_it_is(ana, table)
    refusal = one.refused("move", move=move, version=one.version)
    assert refusal["code"] == "illegal" and refusal["clause"].startswith("SHO-")
    assert as_it_is(ana, table) == before


WISHES: list[Any] = [
    None,
    [],
    "poison",
    {},
    {"game": "poison"},
    {"game": "chess", "seats": [None, None]},
    {"game": "poison", "seats": []},
    {"game": "poison", "seats": [None] * 7},
    {"game": "poison", "seats": [None, None]},
    {"game": "poison", "seats": [None, None, "genius"]},
    {"game": "poison", "seats": [None, None, "process:sh"]},
    {"game": "poison", "seats": [None, None, 3]},
    {"game": "poison", "seats": [None] * 3, "options": []},
    {"game": "poison", "seats": [None] * 3, "options": {"players": 4}},
    {"game": "poison", "seats": [None] * 3, "options": {"players": True}},
    {"game": "poison", "seats": [None] * 3, "options": {"players": 10**30}},
    {"game": "poison", "seats": [None] * 3, "options": {"first": 3}},
    {"game": "poison", "seats": [None] * 3, "options": {"first": -1}},
    {"game": "poison", "seats": [None] * 3, "options": {"unknown": 1}},
    {"game": "poison", "seats": [None] * 3, "options": {"open_piles": "yes"}},
    {"game": "poison", "seats": [None] * 3, "options": {"deck": ["R1"]}},
    {"game": "poison", "seats": [None] * 3, "options": {"deck": "R1"}},
    {"game": "poison", "seats": [None] * 3, "options": {"deck": {"a": [[[[[]]]]]}}},
    {"game": "poison", "seats": [None] * 3, "options": {"deck": ["R1"] * 5000}},
    {"game": "poison", "seats": [None] * 3, "options": {"\ud83d": 1}},
    {"game": "poison", "seats": [None] * 3, "clock": {"per": "day", "seconds": 60}},
    {"game": "poison", "seats": [None] * 3, "clock": {"per": "move", "seconds": 4}},
    {"game": "poison", "seats": [None] * 3, "clock": {"per": "move", "seconds": 10**30}},
    {"game": "poison", "seats": [None] * 3, "clock": 60},
    {"game": "poison", "seats": [None] * 3, "delay": -1},
    {"game": "poison", "seats": [None] * 3, "delay": 3601},
    {"game": "poison", "seats": [None] * 3, "listed": "yes"},
    {"game": "poison", "seats": [None] * 3, "adventure": True},
    {"game": "poison", "seats": [None] * 3, "more": 1},
    {"game": "dungeon", "seats": [None], "adventure": True, "options": {"level": 2}},
    {"game": "dungeon", "seats": [None], "options": {"minutes": 1441}},
    {"game": "dungeon", "seats": [None], "options": {"spells": ["ice", "ice"]}},
]


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: json.dumps(wish)[:60])
def test_a_table_that_cannot_be_is_not_opened(club: Club, wish: Any) -> None:
    ana = club.person()
    answer = ana.web.post("/api/tables", content=json.dumps(wish))
    assert answer.status_code == 400, answer.text
    assert set(answer.json()) <= {"why", "clause"} and 10 < len(answer.json()["why"]) < 400
    assert ana.get("/api/me/tables") == []


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"[" * 60_000, b'{"game":' * 5000, b'{"game": "\\ud800", "seats": []}'],
    ids=["nothing", "half", "no text", "deep list", "deep object", "half a character"],
)
@pytest.mark.parametrize("path", ["/api/players", "/api/tables", "/api/games/poison/deck"])
def test_what_is_no_json_is_refused(club: Club, body: bytes, path: str) -> None:
    answer = club.person().web.post(path, content=body)
    assert answer.status_code == 400 and answer.json()["why"]


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\nb\u0000", "\u202e", 7, None])
def test_a_nickname_that_is_none_is_refused(club: Club, name: Any) -> None:
    ana = club.person()
    for answer in (
        ana.web.post("/api/players", json={"name": name}),
        ana.web.put("/api/me", json={"name": name}),
    ):
        assert (answer.status_code == 400 and "1" in answer.json()["why"]) or "str" in answer.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/tables/nosuch", 404),
        ("/api/tables/%00", 404),
        ("/api/tables/" + "x" * 5000, 404),
        ("/api/tables/..%2f..%2fetc%2fpasswd", 404),
        ("/api/tables/{table}?since=-1", 400),
        ("/api/tables/{table}?since=x", 400),
        ("/api/tables/{table}?since=99999999999999999999", 400),
        ("/api/tables/{table}?wait=-1", 400),
        ("/api/tables/{table}?wait=26", 400),
        ("/api/tables/{table}?wait=nan&since=1", 400),
        ("/api/tables/{table}/games/0", 404),
        ("/api/tables/{table}/games/1", 404),
        ("/api/tables/{table}/games/-1", 404),
        ("/api/tables/{table}/games/x", 404),
        ("/api/tables/{table}/games/99999999999999999999/replay", 404),
        ("/api/games/chess/rules", 404),
        ("/api/games/poison/rules?language=..%2f..%2fstate", 400),
        ("/api/games/poison/rules?language=xx", 400),
        ("/api/me/tables", 401),
        ("/nosuch.txt", 404),
    ],
)
def test_a_path_that_leads_nowhere_says_so(club: Club, path: str, status: int) -> None:
    table = club.person().open("shokoba", [None, None])
    answer = club.web.get(path.replace("{table}", table))
    assert answer.status_code == status, answer.text
    assert answer.json()["why"]
