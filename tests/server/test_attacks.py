"""What an attacker found, each tried again."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness
from tests.server.test_connections import (
    HANDSHAKE,
    client_frame,
    established,
    is_closed,
    limited_server,
    open_raw_socket,
    raw,
    shake_hands,
    wait_until,
    write_long_log,
)
from theriac.deck import parse_deck
from theriac.engine.records import View
from theriac.faults import BadDeck
from theriac.match import Match
from theriac.server.tables import previews


def receive_until(connection: socket.socket, end: bytes) -> bytes:
    """What a connection receives until a text has come."""
    received = b""
    while end not in received:
        part = connection.recv(1 << 16)
        assert part, received
        received += part
    return received


def test_an_export_does_not_tell_the_cards_of_a_game_in_play(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    seat_players(table, ana, bo)
    exported = ana.get("/api/me/export")
    assert {event["event"]["kind"] for event in exported["events"]} >= {"opened", "sat"}
    for name in ("secret", "seed", "nonces"):
        assert f'"{name}"' not in json.dumps(exported)


def test_a_deal_that_is_called_off_does_not_tell_the_next_one(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = (SocketClient(server, table, player) for player in (ana, bo))
    one.reveals = two.reveals = False
    one.sit(0)
    two.sit(1)
    two.until(lambda: two.table_info["stage"] == "sealing")
    two.do("stand")
    exported = bo.get("/api/me/export")
    assert "called_off" in json.dumps(exported)
    assert '"secret"' not in json.dumps(exported)


@pytest.mark.parametrize("opcode", [9, 10], ids=["pings", "pongs"])
def test_a_flood_of_control_frames_is_cut_off(server: ServerProcess, opcode: int) -> None:
    table = server.new_player().open("shokoba", [None, None])
    connection = open_raw_socket(server, table)
    connection.sendall(client_frame(opcode, b"x") * 500)
    assert wait_until(lambda: is_closed(connection), 30)


def test_a_handshake_with_too_many_headers_is_answered(server: ServerProcess) -> None:
    table = server.new_player().open("shokoba", [None, None])
    connection = raw(server)
    handshake = HANDSHAKE.format(table=table, host=server.host).removesuffix("\r\n")
    more = "".join(f"X-{number}: x\r\n" for number in range(150))
    connection.sendall(f"{handshake}{more}\r\n".encode())
    assert connection.recv(4096).startswith(b"HTTP/1.1 400 ")
    assert wait_until(lambda: is_closed(connection), 30)


def test_no_socket_is_opened_while_a_response_is_due(server: ServerProcess) -> None:
    """The response would be written into the socket; after its end, it was an error in the log."""
    table = server.new_player().open("shokoba", [None, None])
    connection = raw(server)
    poll = f"GET /api/tables/{table}?since=1&wait=2 HTTP/1.1\r\nHost: {server.host}\r\n\r\n"
    handshake = HANDSHAKE.format(table=table, host=server.host)
    connection.sendall((poll + handshake).encode())
    assert connection.recv(4096) == b""
    time.sleep(2.5)  # the request ends; the fixture looks for errors in the log


def test_a_frame_inside_a_frame_is_not_taken_for_a_message(server: ServerProcess) -> None:
    table = server.new_player().open("shokoba", [None, None])
    connection = shake_hands(server, table)
    connection.sendall(client_frame(1, b'{"do":"hello","id":"h"}'))
    inner = client_frame(1, b'{"do":"ping","id":"inner"}')
    outer = client_frame(2, inner)
    connection.sendall(outer[:6])
    time.sleep(0.2)  # so that the head comes alone
    connection.sendall(outer[6:])
    connection.sendall(client_frame(1, b'{"do":"ping","id":"last"}'))
    assert b'"inner"' not in receive_until(connection, b'"last"')


def test_a_client_that_is_sent_away_and_does_not_read_does_nothing_more(tmp_path: Path) -> None:
    table = write_long_log(tmp_path / "tables.sqlite", 6000)
    pages = ("page_bytes=100000000", "page_events=100000", "log_bytes=100000000")
    server = limited_server(tmp_path, "stalled_timeout_s=1000", *pages)
    ana = server.new_player()
    thief = shake_hands(server, table, buffer_bytes=4096)
    hello = json.dumps({"do": "hello", "id": "h", "key": ana.key, "since": 0})
    thief.sendall(client_frame(1, hello.encode()))
    assert thief.recv(1, socket.MSG_PEEK), "the welcome comes, and stays unread"
    assert ana.http.post("/api/me/key", json={}).status_code == 201
    thief.sendall(client_frame(1, b'{"do":"say","id":"s","text":"still here"}'))
    time.sleep(1)
    ana.http.close()
    bo = server.new_player("Bo")
    bo.ask(table, "say", text="and now?")
    said = bo.get(f"/api/tables/{table}/events", after=6000)
    assert "and now?" in json.dumps(said)
    assert "still here" not in json.dumps(said)
    bo.http.close()
    process = psutil.Process(server.process.pid)
    assert wait_until(lambda: not established(process), 30), "it is held"


def test_a_socket_that_was_open_before_a_table_is_loaded_again_joins_the_new_one(
    server: ServerProcess,
) -> None:
    ana, bo = server.new_players("Anna Deleted", "Bo")
    table = bo.open("shokoba", [None, None])
    SocketClient(server, table, ana).do("say", text="my private words")
    early = shake_hands(server, table)
    assert ana.http.request("DELETE", "/api/me", json={}).status_code in (200, 204)
    assert wait_until(lambda: "Anna Deleted" not in json.dumps(bo.get_table(table)), 30)
    early.sendall(client_frame(1, b'{"do":"hello","id":"h","since":0}'))
    assert b"my private words" not in receive_until(early, b'"id":"h"')


def test_a_key_of_many_parts_in_a_deck_is_refused_at_once(server: ServerProcess) -> None:
    source = "a" + ".a" * 9000 + "=1"
    with pytest.raises(BadDeck, match="more than 1000 characters"):
        parse_deck(source)
    ana = server.new_player()
    response = ana.http.post("/api/games/poison/deck", json={"deck": source})
    assert "more than 1000 characters" in response.text


def test_a_late_spectator_does_not_learn_from_gestures(server: ServerProcess) -> None:
    ana, bo, cy = server.new_players("Ana", "Bo", "Cy")
    table = ana.open("poison", [None, None, "easy"], delay=600)
    late = SocketClient(server, table, cy)
    before = late.refused("gesture", sign="wave", at="R1")["why"]
    seat_players(table, ana, bo)
    assert late.refused("gesture", sign="wave", at="R1")["why"] == before


@pytest.mark.parametrize("path", ["/%00", "/assets/%00", "/" + 300 * "a"])
def test_a_path_that_no_file_has_is_not_found(server: ServerProcess, path: str) -> None:
    assert server.http.get(path).status_code == 404


def test_an_origin_that_is_none_is_refused(server: ServerProcess) -> None:
    headers = {"Origin": "http://[evil", "Content-Type": "application/json"}
    response = server.http.post("/api/players", content=b'{"name": "Ana"}', headers=headers)
    assert response.status_code == 403
    assert server.unexpected_log_lines() == []


def test_trailers_without_end_are_cut_off(server: ServerProcess) -> None:
    connection = raw(server)
    head = f"POST /api/players HTTP/1.1\r\nHost: {server.host}\r\nTransfer-Encoding: chunked\r\n"
    connection.sendall(f"{head}Content-Type: application/json\r\n\r\n0\r\n".encode())
    trailer = b"X-More: " + b"a" * 4000 + b"\r\n"
    sent = 0
    with contextlib.suppress(OSError):
        while sent < 50_000_000:
            connection.sendall(trailer)
            sent += len(trailer)
    assert sent < 20_000_000, "it would be kept in memory"


def test_a_trailer_is_no_header(server: ServerProcess) -> None:
    request = (
        f"POST /api/me/key HTTP/1.1\r\nHost: {server.host}\r\nTransfer-Encoding: chunked\r\n"
        "Content-Type: application/json\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n"
        f"Authorization: Bearer {server.new_player().key}\r\n\r\n"
    )
    connection = raw(server)
    connection.sendall(request.encode())
    assert connection.recv(4096).startswith(b"HTTP/1.1 401 ")


def finished_game(player: Player) -> str:
    """A table where a player has finished a game alone."""
    table = player.open("dungeon", [None], options={"minutes": 0})
    (client,) = seat_players(table, player)
    while client.table_info["stage"] == "playing":
        client.reach(client.do("move", move=client.view["legal"][0], version=client.version))
        client.reach(client.do("ping"))
    return table


@pytest.mark.parametrize("what", ["replay", "verify"])
def test_replays_and_checks_are_limited_by_address(tmp_path: Path, what: str) -> None:
    """A replay takes fifty milliseconds and has 600 kB: much more than other requests."""
    server = limited_server(tmp_path, "tutorial_rate=0.001", "tutorial_burst=3")
    ana = server.new_player()
    address = f"/api/tables/{finished_game(ana)}/games/1/{what}"
    assert [ana.http.get(address).status_code for _ in range(4)] == [200, 200, 200, 429]


def test_new_names_and_keys_are_limited(tmp_path: Path) -> None:
    limits = ("player_rate=0.001", "player_burst=2", "creation_rate=0.001", "creation_burst=2")
    server = limited_server(tmp_path, *limits)
    ana = server.new_player()
    renamed = [ana.http.put("/api/me", json={"name": "Ana"}).status_code for _ in range(3)]
    assert renamed == [200, 200, 429]
    first = ana.http.post("/api/me/key", json={})
    again = {"Authorization": f"Bearer {first.json()['key']}"}
    assert ana.http.post("/api/me/key", json={}, headers=again).status_code == 429


def test_a_move_is_sampled_once_for_all_previews_of_a_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sampled: list[str] = []

    threads: set[int] = set()

    def sample(match: Match, seat: int, seen: View, move: str) -> dict[str, Any]:
        sampled.append(move)
        threads.add(threading.get_ident())
        return {"after": move}

    monkeypatch.setattr(previews, "_certain_after", sample)
    harness = TableHarness("shokoba", [None, None])
    harness.sit("ana", "bo")
    kept, match = previews.Previews(), harness.table.current_match

    def ask(*moves: str) -> dict[str, dict[str, Any]]:
        return asyncio.run(kept.of(harness.table.turn_version, match, moves, asyncio.to_thread))

    one, two = match.legal()[:2]
    for _ in range(3):
        assert ask(*[one] * 15, "nonsense") == {one: {"after": one}}
    assert ask(one, two).keys() == {one, two}
    assert sampled == [one, two]
    harness.play(one)
    new = match.legal()[0]
    assert ask(new) == {new: {"after": new}}
    assert sampled == [one, two, new]
    assert threading.get_ident() not in threads, "the event loop goes on meanwhile"


def test_previews_are_limited_by_address(tmp_path: Path) -> None:
    """Many keys of one person used up the event loop: each preview samples positions."""
    server = limited_server(
        tmp_path, "tutorial_burst=2", "tutorial_rate=0.001", proxies="127.0.0.1"
    )
    ana, bo = server.new_players("Ana", "Bo")
    bo.http.headers["X-Forwarded-For"] = ana.address
    tables = {ana: ana.open("dungeon", [None]), bo: bo.open("dungeon", [None])}
    for player, table in tables.items():
        player.ask(table, "sit", seat=0, nonce="mine")
    statuses = [
        player.http.post(f"/api/tables/{table}/preview", json={"moves": ["nonsense"]}).status_code
        for player, table in [*tables.items(), *tables.items()]
    ]
    assert statuses == [200, 200, 429, 429]
