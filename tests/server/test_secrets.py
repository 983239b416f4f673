"""Keys and secrets of shuffles: in no log, in no message, and in the store only as they must be."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.server.club import Club, Person, visits
from tests.server.line import Line
from tests.server.test_whole_games import play_on


@pytest.fixture
def talkative(tmp_path: Path) -> Iterator[Club]:
    """A server that writes down all that it can."""
    club = Club(tmp_path, "--log-level", "debug")
    yield club
    visits.close()
    assert club.stop() == 0
    assert club.complaints() == []


def secrets_in_log(club: Club) -> list[str]:
    """The secrets of all shuffles of all tables, as the store has them."""
    with sqlite3.connect(club.database) as store:
        rows = store.execute("SELECT event FROM log ORDER BY number").fetchall()
    store.close()
    return [
        event["secret"] for event in map(json.loads, (row[0] for row in rows)) if "secret" in event
    ]


def asked_everything(people: list[Person], table: str) -> list[str]:
    """What the server answers to each person's every question."""
    paths = ["/api/games", "/api/tables", "/api/me/tables", "/metrics", "/healthz"]
    paths += [f"/api/tables/{table}{more}" for more in ("", "?since=0", "/games/1")]
    answers = [person.web.get(path) for person in people for path in paths]
    answers += [person.web.post("/api/tables", json={"game": person.key}) for person in people]
    answers += [person.web.get(f"/api/tables/{person.key}") for person in people]
    return [answer.text for answer in answers]


def test_nothing_secret_leaves_or_is_written_down(talkative: Club) -> None:
    people = talkative.persons("Ana", "Bo", "Cy")
    ana, bo, cy = people
    table = ana.open("anaphylaxis", [None, None, "easy"], listed=True)
    lines = [Line(talkative, table, person) for person in people]
    lines[0].sit(0, "nonce-of-ana")
    lines[1].do("ping")
    early = "".join(lines[1].heard + lines[2].heard + asked_everything([bo, cy], table))
    assert "nonce-of-ana" not in early
    lines[1].sit(1, "nonce-of-bo")
    lines[0].until(lambda: lines[0].room["stage"] == "playing")
    lines[0].refused("move", move=ana.key[:60], version=lines[0].version)
    play_on(lines[:2], Random(1), 5)
    heard = asked_everything(people, table)
    for line in lines:
        line.do("ping")
    (secret,) = secrets_in_log(talkative)
    told = "".join([*heard, *(text for line in lines for text in line.heard)])
    assert secret not in told
    play_on(lines[:2], Random(1), 1000)
    lines[2].until(lambda: lines[2].room["stage"] == "over")
    spoken = "".join(text for line in lines for text in line.heard)
    first, offered = secrets_in_log(talkative)
    assert first == secret and first not in spoken, "it is in the record alone"
    assert ana.get(f"/api/tables/{table}/games/1")["seal"]["secret"] == first
    told = spoken + "".join(heard + asked_everything(people, table))
    log = talkative.log_text()
    assert "websocket" in log.lower(), "it did write something down"
    assert offered not in told and offered not in log and first not in log
    for person in people:
        player, _, proof = person.key.partition(".")
        for secret in (proof, hashlib.sha256(proof.encode()).hexdigest()):
            assert secret not in log
            assert secret not in told.replace(quoted_back(person), "")
        assert player not in told.replace(quoted_back(person), "")


def quoted_back(person: Person) -> str:
    """A key that was sent in the place of something else is told to its sender as it was sent."""
    return person.key[:60]


def test_the_store_has_hashes_of_keys_and_no_key(talkative: Club) -> None:
    ana = talkative.person()
    line = Line(talkative, ana.open("shokoba", [None, "easy"]), ana)
    line.sit(0)
    player, _, proof = ana.key.partition(".")
    with sqlite3.connect(talkative.database) as store:
        rows: list[Any] = store.execute("SELECT player, key_hash FROM players").fetchall()
    store.close()
    assert rows == [(player, hashlib.sha256(proof.encode()).hexdigest())]
    files = list(talkative.folder.glob("tables.sqlite*"))
    assert files and not any(proof.encode() in file.read_bytes() for file in files)
