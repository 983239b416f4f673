"""A person exports and deletes all of their data; what is too old is deleted."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.command import call
from tests.server.server_process import ServerProcess
from tests.server.short_games import SHORT_FOR_TWO
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness
from theriac.record import replay
from theriac.sealed_deal import SealedDeal
from theriac.server.admin import erase
from theriac.server.admin.people import find_person
from theriac.server.auth import Players
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry
from theriac.server.store.index import table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store, StoreFault
from theriac.verification import Kept, Receipt, read_receipt, verify


def stored(server: ServerProcess) -> str:
    """Everything in the store except the audit log, as text."""
    with sqlite3.connect(server.database) as store:
        rows = [
            list(store.execute(f"SELECT * FROM {table}"))
            for table in (*"players rooms seats log reports finished_games finished_seats".split(),)
        ]
    store.close()
    return json.dumps(rows, ensure_ascii=False)


def play_on(*clients: SocketClient) -> None:
    """Play until the game is over."""
    while clients[0].table_info["stage"] == "playing":
        mover = clients[clients[0].view["to_act"]]
        version = mover.play(mover.view["legal"][0])
        for client in clients:
            client.reach(version)
        if mover.view["over"]:
            for client in clients:
                client.until(lambda: client.table_info["stage"] == "over")  # noqa: B023


def receipt_of(record: Any) -> Receipt:
    """What a spectator's client kept of a game."""
    seal = record["seal"]
    deal = {key: seal[key] for key in seal if key in SealedDeal.__struct_fields__}
    deal |= {"game": record["game"], "options": record["options"]}
    kept = {"theriac_receipt": 3, "deal": deal, "nonces": seal["nonces"], "code": seal["code"]}
    return read_receipt(json.dumps(kept))


def test_everything_about_a_person_is_exported_and_deleted(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    ana, bo = server.new_players("Anastasia", "Bo")
    table = ana.open("shokoba", [None, None], options=SHORT_FOR_TWO)
    one, two = seat_players(table, ana, bo)
    one.do("say", text="my little secret")
    two.do("say", text="a word of Bo")
    play_on(one, two)
    ana.http.post(f"/api/tables/{table}/report", json={"why": "my complaint"})
    second = ana.open("poison", [None, None, None])
    watcher = SocketClient(server, second, bo)
    three = SocketClient(server, second, ana)
    three.sit(0)

    export = ana.get("/api/me/export")
    assert export["person"]["name"] == "Anastasia" and len(export["reports"]) == 1
    texts = [row["event"].get("text") for row in export["events"]]
    assert "my little secret" in texts and "a word of Bo" not in texts
    assert "key_hash" not in json.dumps(export)

    before = bo.get(f"/api/tables/{table}/games/1")
    assert ana.http.request("DELETE", "/api/me", json={}).status_code == 204
    assert one.wait_closed()[0] == 4403
    assert ana.http.get("/api/me/tables").status_code == 401
    left = stored(server)
    for trace in ("Anastasia", ana.id, "my little secret", "my complaint"):
        assert trace not in left, trace
    assert "a word of Bo" in left
    record = bo.get(f"/api/tables/{table}/games/1")
    assert record["x_names"] == ["deleted", "Bo"]
    assert replay(record).over
    assert [seat["name"] for seat in record["seal"]["seats"]] == ["deleted", "Bo"]
    assert ["salt" in seat for seat in record["seal"]["seats"]] == [False, True]
    assert before["seal"]["seats"][0]["salt"] not in left
    steps = verify(record, kept=Kept(receipt_of(before)))
    assert "the name of seat 0 was deleted: its hash is still part of the seed" in steps
    assert watcher.wait_closed()[0] in (1012,)
    again = SocketClient(server, second, bo)
    assert not again.table_info["seats"][0]["taken"]
    again.sit(0)
    assert server.stop() == 0


def test_a_person_is_deleted_while_a_sealed_game_is_in_play(tmp_path: Path) -> None:
    """The others continue with the same deal, and the game verifies at its end."""
    server = ServerProcess(tmp_path)
    ana, bo = server.new_players("Anastasia", "Bo")
    table = ana.open("shokoba", [None, None])
    _, two = seat_players(table, ana, bo)
    shown = two.table_info["sealed"]["deal"]
    assert ana.http.request("DELETE", "/api/me", json={}).status_code == 204
    assert two.wait_closed()[0] == 1012
    assert "Anastasia" not in stored(server) and shown["seats"][0]["salt"] not in stored(server)
    again = SocketClient(server, table, bo)
    deal = again.table_info["sealed"]["deal"]
    assert deal["seats"][0] == {
        "name": "deleted",
        "bot": None,
        "name_hash": shown["seats"][0]["name_hash"],
    }
    assert deal["seats"][1:] == shown["seats"][1:]
    while again.table_info["stage"] == "playing":
        if again.view["to_act"] == again.seat:
            again.play(again.view["legal"][0])
        else:
            again.receive()
    assert verify(bo.get(f"/api/tables/{table}/games/1"))
    assert server.stop() == 0


async def open_talkative_tables(store: Store, player: str) -> None:
    """Two tables where a player has said 25 things each."""
    opened = TableHarness("shokoba", [None, None]).table.opened
    for table in ("one", "two"):
        said = [
            LogEntry(number, 1, events.Said("Ana", f"my words {number}"), f"{player}:{number}")
            for number in range(2, 27)
        ]
        await store.append(table, [LogEntry(1, 1, opened), *said], table_opened(table, opened, 1))


def test_a_long_history_is_exported_and_deleted_in_portions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once it held up everybody else. A deletion that was interrupted can be asked for again."""
    monkeypatch.setattr(erase, "ROWS_AT_ONCE", 10)
    read: list[int] = []
    written: list[int] = []

    class Watched(Store):
        async def fetch(self, query: Any) -> list[Any]:
            read.append(len(rows := await super().fetch(query)))
            return rows

        async def write(self, *statements: Any) -> None:
            written.append(len(statements))
            if len(written) == 8:  # in the middle of the deletion
                raise StoreFault("the disk is full")
            await super().write(*statements)

    async def run() -> None:
        url = database_url(str(tmp_path / "tables.sqlite"))
        await upgrade(url)
        store = Watched(url)
        ana, _ = await Players(store).add("Ana")
        await open_talkative_tables(store, ana.id)
        exported = await erase.export_person(store, ana.id, ana.id)
        assert [row["number"] for row in exported["events"]] == 2 * list(range(2, 27))
        pieces = [piece async for piece in await erase.export_in_pieces(store, "op", ana.id)]
        assert max(len(piece) for piece in pieces) < 2000, "not all of it is in memory at once"
        with pytest.raises(StoreFault):
            await erase.delete_person(store, ana.id, ana.id)
        assert (await find_person(store, ana.id)).name == "deleted", "the operator can see it"
        await erase.delete_person(store, "op", ana.id)
        for table in ("one", "two"):
            texts = {entry.event.text for entry in (await store.read_log(table))[1:]}  # type: ignore[union-attr]
            assert texts == {"[deleted]"}
        await store.close()

    asyncio.run(run())
    assert max(read) == 10
    assert max(written) == 10


def test_a_person_cannot_ask_for_many_exports_at_once(server: ServerProcess) -> None:
    """Each reads all logs."""
    ana, bo = server.new_players("Ana", "Bo")
    assert [ana.http.get("/api/me/export").status_code for _ in range(4)] == [200, 200, 200, 429]
    assert bo.http.get("/api/me/export").status_code == 200


def test_quotas_of_open_tables_of_deletions_and_of_reports(tmp_path: Path) -> None:
    """With each deletion, everybody at the tables of that person had to connect again. A report
    takes up to 150 kB of the store.
    """
    few = ("deletion_burst=0.5", "report_burst=1")
    limits = [part for limit in few for part in ("--limit", limit)]
    server = ServerProcess(tmp_path, "--max-open-tables", "2", *limits)
    ana, bo = server.new_players("Ana", "Bo")
    assert ana.http.delete("/api/me").status_code == 429
    tables = [ana.open("poison", [None, None, None]) for _ in range(2)]
    path, report = f"/api/tables/{tables[0]}/report", {"why": "rude"}
    assert [ana.http.post(path, json=report).status_code for _ in range(2)] == [204, 429]
    third = {"game": "poison", "seats": [None, None, None]}
    refused = ana.http.post("/api/tables", json=third)
    assert refused.status_code == 429
    assert refused.json()["why"].startswith("you have 2 open tables of the last day: close one")
    bo.open("poison", [None, None, None])
    assert "version" in ana.ask(tables[0], "close")
    ana.open("poison", [None, None, None])
    assert server.stop() == 0


def age(server: ServerProcess, days: float) -> None:
    """Make everything in the store older."""
    by = int(days * 24 * 3_600_000)
    with sqlite3.connect(server.database) as store:
        store.execute("UPDATE log SET at = at - ?", (by,))
        store.execute("UPDATE rooms SET changed = changed - ?", (by,))
        store.execute("UPDATE players SET made = made - ?, seen = seen - ?", (by, by))
    store.close()


def test_what_is_too_old_is_deleted_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = ServerProcess(tmp_path)
    ana, bo, cy = server.new_players("Ana", "Bo", "Cy")
    gathering = cy.open("poison", [None, None, None])
    playing = ana.open("shokoba", [None, None])
    one, _ = seat_players(playing, ana, bo)
    one.do("say", text="old words")
    assert server.stop() == 0
    age(server, 40)
    server.start()
    dee = server.new_player("Dee")
    fresh = dee.open("poison", [None, None, None])
    dee.ask(fresh, "say", text="new words")
    run = ["admin", "--database", str(server.database), "prune", "--keep-tables", "30"]
    run += ["--keep-chat", "30", "--keep-people", "30"]
    before = stored(server)
    assert "would delete 1 tables, 1 messages, 1 people" in call(capsys, *run, "--dry-run").out
    assert stored(server) == before
    assert "deleted 1 tables, 1 messages, 1 people" in call(capsys, *run).out
    left = stored(server)
    assert gathering not in left and "old words" not in left and cy.id not in left
    assert playing in left and fresh in left and "new words" in left and ana.id in left
    assert "deleted 0 tables, 0 messages, 0 people" in call(capsys, *run).out
    assert server.stop() == 0


def test_a_server_deletes_by_itself_what_is_too_old(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    table = server.new_player().open("poison", [None, None, None])
    assert server.stop() == 0
    age(server, 2)
    keeping = ServerProcess(tmp_path, "--keep-tables", "1")
    deadline = time.monotonic() + 60
    while keeping.http.get(f"/api/tables/{table}").status_code != 404:
        assert time.monotonic() < deadline
    assert keeping.stop() == 0


def test_what_was_on_its_way_when_a_person_is_deleted_is_deleted_too(tmp_path: Path) -> None:
    """A server follows within a second. What it stored until then stayed, with the name."""

    async def run() -> None:
        url = database_url(str(tmp_path / "tables.sqlite"))
        await upgrade(url)
        store = Store(url)
        ana, _ = await Players(store).add("Ana")
        await open_talkative_tables(store, ana.id)
        deleting = asyncio.create_task(erase.delete_person(store, "op", ana.id))
        await asyncio.sleep(1)  # a server has not read the audit log before
        last = events.Said("Ana", "my last words")
        await store.append("one", [LogEntry(27, 1, last, f"{ana.id}:27")])
        assert await deleting == 2
        left = [entry for table in ("one", "two") for entry in await store.read_log(table)]
        await store.close()
        assert len(left) == 2 * 26 + 1
        assert not any(entry.idempotency_key for entry in left)
        said = {entry.event for entry in left if isinstance(entry.event, events.Said)}
        assert said == {events.Said("deleted", "[deleted]")}

    asyncio.run(run())


def test_tables_that_are_opened_at_the_same_time_count(tmp_path: Path) -> None:
    """Each was counted before the others were stored, and all were opened."""
    server = ServerProcess(tmp_path, "--max-open-tables", "2")
    ana = server.new_player()
    body = {"game": "shokoba", "seats": [None, None]}
    with ThreadPoolExecutor(12) as threads:
        asked = [threads.submit(ana.http.post, "/api/tables", json=body) for _ in range(12)]
    statuses = sorted(answer.result().status_code for answer in asked)
    assert statuses.count(201) <= 2 and set(statuses) <= {201, 429}
    for _ in range(2 - statuses.count(201)):
        ana.open("shokoba", [None, None])
    assert ana.http.post("/api/tables", json=body).status_code == 429
