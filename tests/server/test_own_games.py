"""A person's finished games: listed page by page, filled from old logs, deleted with the person."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.server.server_process import Player, ServerProcess, open_clients, started_servers
from tests.server.socket_client import SocketClient, seat_players, share_events
from theriac.record import replay
from theriac.server.admin import tables as admin_tables
from theriac.server.store import migrate
from theriac.server.store.database import database_url
from theriac.server.store.index import FinishedGame, game_finished
from theriac.server.store.store import GAMES_PAGE, Store

COMPATIBILITY = Path(__file__).parents[1] / "compatibility" / "server"


def play_on(*clients: SocketClient) -> None:
    """Play until the game is over. Bots have the other seats."""
    seats = {client.seat: client for client in clients}
    while clients[0].table_info["stage"] == "playing":
        mover = seats.get(clients[0].view["to_act"])
        if mover is None or clients[0].view["over"]:
            clients[0].receive()
            continue
        mover.reach(clients[0].version)
        mover.play(mover.view["legal"][0])
        clients[0].reach(mover.version)
    for client in clients:
        client.reach(clients[0].version)


def own_games(player: Player, **params: Any) -> list[dict[str, Any]]:
    """A page of the games of a player."""
    answer = player.http.get("/api/me/games", params=params)
    assert answer.status_code == 200, answer.text
    games: list[dict[str, Any]] = answer.json()
    return games


class Played(NamedTuple):
    """Ana and Bo have played twice at a table; then Ana played with a bot at another."""

    server: ServerProcess
    ana: Player
    bo: Player
    table: str


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    server = ServerProcess(tmp_path_factory.mktemp("played"))
    ana, bo = server.new_players("Ana", "Bo")
    started_servers.pop_all()  # they outlive this test
    own = open_clients.pop_all()
    table = ana.open("shokoba", [None, None])
    clients = seat_players(table, ana, bo)
    play_on(*clients)
    for client in clients:
        client.do("ready", nonce="again")
    share_events(clients)
    play_on(*clients)
    clients[1].do("stand")
    alone = ana.open("dungeon", [None, "easy"], options={"minutes": 0})
    play_on(*seat_players(alone, ana))
    yield Played(server, ana, bo, table)
    own.close()
    assert server.stop() == 0


def test_all_games_are_listed_also_those_before_a_table_played_again(played: Played) -> None:
    games = own_games(played.ana)
    assert [(game["game"], game["number"]) for game in games] == [
        ("dungeon", 1),
        ("shokoba", 2),
        ("shokoba", 1),
    ]
    assert [game["at"] for game in games] == sorted((game["at"] for game in games), reverse=True)
    for game in games:
        record = played.ana.get(f"/api/tables/{game['table']}/games/{game['number']}")
        end = replay(record, "plain").view()
        assert (game["scores"], game["winners"]) == (end["scores"], end["winners"])
        assert [seat["bot"] for seat in game["seats"]] == record["x_bots"]
        assert [seat["name"] for seat in game["seats"]] == record["x_names"]
        assert game["seat"] == 0 and game["replayable"] is True
    assert [(game["table"], game["number"], game["seat"]) for game in own_games(played.bo)] == [
        (played.table, 2, 1),
        (played.table, 1, 1),
    ], "also after standing up"


def test_a_page_and_one_game_only(played: Played) -> None:
    ana = played.ana
    assert [game["number"] for game in own_games(ana, skip=2)] == [1]
    assert [game["game"] for game in own_games(ana, game="dungeon")] == ["dungeon"]
    assert own_games(ana, game="poison") == [] == own_games(ana, skip=3)
    assert own_games(played.server.new_player("Cy")) == []
    assert played.server.http.get("/api/me/games").status_code == 401
    for wrong in ({"skip": -1}, {"skip": "x"}, {"game": "x" * 41}):
        assert ana.http.get("/api/me/games", params=wrong).status_code == 400


def rows_of(file: Path | str) -> list[Any]:
    """What the index has of finished games."""
    with sqlite3.connect(file) as store:
        games = list(store.execute("SELECT * FROM finished_games ORDER BY 1, 2"))
        seats = list(store.execute("SELECT * FROM finished_seats ORDER BY 1, 2, 3"))
    store.close()
    return [games, seats]


def test_an_older_store_gets_its_games_from_the_logs(
    played: Played, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "copy.sqlite"
    with sqlite3.connect(played.server.database) as source, sqlite3.connect(file) as copy:
        source.backup(copy)
    source.close()
    copy.close()
    url, before = database_url(str(file)), rows_of(file)
    assert [len(part) for part in before] == [3, 5]
    asyncio.run(migrate.downgrade(url, "0005", "op"))
    with sqlite3.connect(file) as store:
        names = [row[0] for row in store.execute("SELECT name FROM sqlite_master")]
        store.execute("INSERT INTO rooms VALUES ('gone', 'gone', 0, 'over', 5, NULL, 0)")
        events = [{"kind": "opened", "game": "gone"}, {"kind": "offered"}]
        for number, event in enumerate(events, 1):
            text = json.dumps(event, separators=(",", ":"))
            store.execute("INSERT INTO log VALUES ('gone', ?, 5, NULL, ?)", (number, text))
    store.close()
    assert not [name for name in names if name.startswith("finished")]
    asyncio.run(migrate.upgrade(url))
    assert rows_of(file) == before
    assert "the finished games of table gone are not listed: " in caplog.text


def test_a_store_of_an_earlier_version_lists_the_games_of_its_people(tmp_path: Path) -> None:
    seen = json.loads((COMPATIBILITY / "seen.json").read_text(encoding="utf-8"))
    with sqlite3.connect(tmp_path / "tables.sqlite") as store:
        store.executescript((COMPATIBILITY / "store.sql").read_text(encoding="utf-8"))
    store.close()
    asyncio.run(migrate.upgrade(database_url(str(tmp_path / "tables.sqlite"))))
    games, seats = rows_of(tmp_path / "tables.sqlite")
    finished = {
        table: views[""]["room"]["games"]
        for table, views in seen["tables"].items()
        if views[""]["room"]["games"]
    }
    assert finished and seats
    listed: dict[str, int] = {}
    for table, *_ in games:
        listed[table] = listed.get(table, 0) + 1
    assert {table: listed[table] for table in finished} == finished


def test_a_page_has_fifty_games(tmp_path: Path) -> None:
    url = database_url(str(tmp_path / "t.sqlite"))

    async def run() -> None:
        await migrate.upgrade(url)
        store = Store(url)
        await store.add_player("ana", "Ana", "hash", 1)
        with sqlite3.connect(tmp_path / "t.sqlite") as database:
            database.execute(
                "INSERT INTO rooms VALUES ('t', 'poison', 0, 'over', 5, NULL, 0, NULL)"
            )
        database.close()
        for number in range(1, GAMES_PAGE + 12):
            game = FinishedGame(number, "poison", [None, "easy"], ["ana", None], [1, 2], [0])
            await store.write(*game_finished("t", 1000 + number, game))
        first, second = await store.games_of("ana"), await store.games_of("ana", GAMES_PAGE)
        assert [row.number for row in first + second] == [*range(GAMES_PAGE + 11, 0, -1)]
        assert len(first) == GAMES_PAGE
        assert first[0].names == {0: "Ana"} and first[0].bots == [None, "easy"]
        await store.close()

    asyncio.run(run())


def test_what_is_deleted_is_in_no_list(played: Played) -> None:
    """The last test of the played: first a person is deleted, then a table."""
    server, ana, bo, table = played
    export = ana.get("/api/me/export")
    assert [(game["number"], game["seat"]) for game in export["games"]] == [(1, 0), (2, 0), (1, 0)]
    assert export["games"][0]["table"] == table
    assert ana.http.request("DELETE", "/api/me", json={}).status_code == 204
    assert {row[3] for row in rows_of(server.database)[1]} == {bo.id}
    assert [seat["name"] for seat in own_games(bo)[0]["seats"]] == ["deleted", "Bo"]

    async def delete() -> None:
        store = Store(database_url(str(server.database)))
        await admin_tables.delete_table(store, "op", table)
        await store.close()

    asyncio.run(delete())
    assert own_games(bo) == []
    assert [len(part) for part in rows_of(server.database)] == [1, 0]
