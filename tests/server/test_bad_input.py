"""Every kind of bad input gets one clear reply and changes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players

#: Messages with a readable id, and the code of their refusal.
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
    ("unreadable", {"do": "sit", "seat": 0, "commitment": "0" * 63, "to": "0" * 64}),
    ("unreadable", {"do": "sit", "seat": 0, "commitment": "0" * 64 + "\n", "to": "0" * 64}),
    ("unreadable", {"do": "sit", "seat": 0, "commitment": "A" * 64, "to": "0" * 64}),
    ("unreadable", {"do": "sit", "seat": 0, "commitment": "0" * 64}),
    ("stage", {"do": "sit", "seat": 0, "nonce": "x"}),
    ("seat", {"do": "sit", "seat": 9, "nonce": "x"}),
    ("unreadable", {"do": "reveal", "nonce": ""}),
    ("unreadable", {"do": "reveal", "nonce": "x" * 65}),
    ("denied", {"do": "reveal", "nonce": "another"}),
    ("denied", {"do": "reveal", "nonce": "tab\t"}),
    ("stage", {"do": "call_off"}),
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
    '{"do": "ping", "id": "x\\n"}',
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


def table_without_time(player: Player, table: str) -> Any:
    """Everything about a table except the time of day."""
    return {**player.get_table(table, since=0), "now": None}


def test_every_bad_message_gets_one_reply_and_changes_nothing(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None], options={"first": 1})
    seat_players(table, ana, bo)
    before = table_without_time(ana, table)
    for first in range(0, len(NAMED), 20):
        client = SocketClient(server, table, ana)
        for code, message in NAMED[first : first + 20]:
            refusal = (
                client.refused(**{"do": None, **message}) if "do" in message else refuse(client)
            )
            assert refusal["code"] == code, (message, refusal)
        client.do("ping")
        assert all(len(answers) == 1 for answers in client.answers.values())
        client.close()
    assert table_without_time(ana, table) == before


def refuse(client: SocketClient) -> Any:
    """The refusal of a message without `do`."""
    client.socket.send('{"id": "nothing"}')
    client.until(lambda: "nothing" in client.answers)
    return client.answers["nothing"][0]["refused"]


def test_a_message_without_a_readable_id_gets_a_reply_without_an_id(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    seat_players(table, ana, bo)
    before = table_without_time(ana, table)
    client = SocketClient(server, table, ana)
    for number, text in enumerate(NAMELESS):
        client.socket.send(text)
        client.until(lambda number=number: len(client.answers.get(None, [])) > number)  # type: ignore[misc]
        refusal = client.answers[None][-1]["refused"]
        assert refusal["code"] == "unreadable" and len(refusal["why"]) < 300, text
    client.socket.send(b'{"do": "ping", "id": "binary"}')
    client.until(lambda: len(client.answers[None]) > len(NAMELESS))
    assert "send JSON as text" in client.answers[None][-1]["refused"]["why"]
    assert client.do("ping") == client.version
    assert table_without_time(ana, table) == before


@pytest.mark.parametrize(
    "move", ["S1@1", "x", "=", "~H7", "timeout", "pass", "S1 ", "\u202e", "💎"]
)
def test_illegal_moves_are_refused(server: ServerProcess, move: str) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None], options={"first": 1})
    one, _ = seat_players(table, ana, bo)
    before = table_without_time(ana, table)
    refusal = one.refused("move", move=move, version=one.version)
    assert refusal["code"] == "illegal" and refusal["clause"].startswith("SHO-")
    assert table_without_time(ana, table) == before


BAD_TABLES: list[Any] = [
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


@pytest.mark.parametrize("fields", BAD_TABLES, ids=lambda fields: json.dumps(fields)[:60])
def test_a_table_with_bad_fields_is_not_opened(server: ServerProcess, fields: Any) -> None:
    ana = server.new_player()
    answer = ana.http.post("/api/tables", content=json.dumps(fields))
    assert answer.status_code == 400, answer.text
    assert set(answer.json()) <= {"why", "clause"} and 10 < len(answer.json()["why"]) < 400
    assert ana.get("/api/me/tables") == []


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"[" * 60_000, b'{"game":' * 5000, b'{"game": "\\ud800", "seats": []}'],
    ids=["nothing", "half", "no text", "deep list", "deep object", "half a character"],
)
@pytest.mark.parametrize("path", ["/api/players", "/api/tables", "/api/games/poison/deck"])
def test_a_body_that_is_not_json_is_refused(server: ServerProcess, body: bytes, path: str) -> None:
    answer = server.new_player().http.post(path, content=body)
    assert answer.status_code == 400 and answer.json()["why"]


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "a\nb\u0000", "\u202e", 7, None])
def test_bad_nicknames_are_refused(server: ServerProcess, name: Any) -> None:
    ana = server.new_player()
    for answer in (
        ana.http.post("/api/players", json={"name": name}),
        ana.http.put("/api/me", json={"name": name}),
    ):
        assert answer.status_code == 400
        assert "this nickname cannot be used" in answer.text or "str" in answer.text


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
def test_unknown_paths_are_refused_with_a_reason(
    server: ServerProcess, path: str, status: int
) -> None:
    table = server.new_player().open("shokoba", [None, None])
    answer = server.http.get(path.replace("{table}", table))
    assert answer.status_code == status, answer.text
    assert answer.json()["why"]
