"""Keys and shuffle secrets: in no log, in no message, and in the store only where they must be."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.server.server_process import Player, ServerProcess, open_clients
from tests.server.socket_client import SocketClient
from tests.server.test_whole_games import play_on


@pytest.fixture
def verbose_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that logs as much as it can."""
    server = ServerProcess(tmp_path, "--log-level", "debug")
    yield server
    open_clients.close()
    assert server.stop() == 0
    assert server.unexpected_log_lines() == []


def secrets_in_log(server: ServerProcess) -> list[str]:
    """The secrets of all shuffles of all tables, read from the store."""
    with sqlite3.connect(server.database) as store:
        rows = store.execute("SELECT event FROM log ORDER BY number").fetchall()
    store.close()
    return [
        event["secret"] for event in map(json.loads, (row[0] for row in rows)) if "secret" in event
    ]


def all_responses(people: list[Player], table: str) -> list[str]:
    """The responses to every kind of request by each player."""
    paths = ["/api/games", "/api/tables", "/api/me/tables", "/metrics", "/healthz"]
    paths += [f"/api/tables/{table}{more}" for more in ("", "?since=0", "/games/1")]
    answers = [player.http.get(path) for player in people for path in paths]
    answers += [player.http.post("/api/tables", json={"game": player.key}) for player in people]
    answers += [player.http.get(f"/api/tables/{player.key}") for player in people]
    return [answer.text for answer in answers]


def test_no_secret_is_sent_or_logged(verbose_server: ServerProcess) -> None:
    people = verbose_server.new_players("Ana", "Bo", "Cy")
    ana, bo, cy = people
    table = ana.open("anaphylaxis", [None, None, "easy"], listed=True)
    clients = [SocketClient(verbose_server, table, player) for player in people]
    clients[0].sit(0, "nonce-of-ana")
    clients[1].do("ping")
    early = "".join(clients[1].received + clients[2].received + all_responses([bo, cy], table))
    assert "nonce-of-ana" not in early
    clients[1].sit(1, "nonce-of-bo")
    clients[0].until(lambda: clients[0].table_info["stage"] == "playing")
    clients[0].refused("move", move=ana.key[:60], version=clients[0].version)
    play_on(clients[:2], Random(1), 5)
    responses = all_responses(people, table)
    for client in clients:
        client.do("ping")
    (secret,) = secrets_in_log(verbose_server)
    sent = "".join([*responses, *(text for client in clients for text in client.received)])
    assert secret not in sent
    play_on(clients[:2], Random(1), 1000)
    clients[2].until(lambda: clients[2].table_info["stage"] == "over")
    socket_messages = "".join(text for client in clients for text in client.received)
    first, offered = secrets_in_log(verbose_server)
    assert first == secret and first not in socket_messages, "it is only in the record"
    assert ana.get(f"/api/tables/{table}/games/1")["seal"]["secret"] == first
    sent = socket_messages + "".join(responses + all_responses(people, table))
    log = verbose_server.log_text()
    assert "websocket" in log.lower(), "it did log something"
    assert offered not in sent and offered not in log and first not in log
    for player in people:
        player_id, _, proof = player.key.partition(".")
        for secret in (proof, hashlib.sha256(proof.encode()).hexdigest()):
            assert secret not in log
            assert secret not in sent.replace(quoted_back(player), "")
        assert player_id not in sent.replace(quoted_back(player), "")


def quoted_back(player: Player) -> str:
    """A key sent where a move belongs, which the refusal quotes to its sender."""
    return player.key[:60]


def test_the_store_has_hashes_of_keys_and_no_key(verbose_server: ServerProcess) -> None:
    ana = verbose_server.new_player()
    client = SocketClient(verbose_server, ana.open("shokoba", [None, "easy"]), ana)
    client.sit(0)
    player_id, _, proof = ana.key.partition(".")
    with sqlite3.connect(verbose_server.database) as store:
        rows: list[Any] = store.execute("SELECT player, key_hash FROM players").fetchall()
    store.close()
    assert rows == [(player_id, hashlib.sha256(proof.encode()).hexdigest())]
    files = list(verbose_server.folder.glob("tables.sqlite*"))
    assert files and not any(proof.encode() in file.read_bytes() for file in files)
