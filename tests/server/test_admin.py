"""`theriac admin` beside a running server: keys, mute, kick, tables, announcements, audit; bans of
people and addresses.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.command import call
from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, open_socket, seat_players
from theriac.server.auth import new_id

Admin = Callable[..., str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a store of its own."""
    from tests.server.server_process import started_servers

    running = ServerProcess(tmp_path_factory.mktemp("admin"))
    started_servers.pop_all()
    yield running
    assert running.stop() == 0
    assert [line for line in running.unexpected_log_lines() if "not compiled" not in line] == []


@pytest.fixture
def admin(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> Admin:
    """Runs a command of `theriac admin` that must succeed; its output."""

    def run(*arguments: str) -> str:
        outcome = call(
            capsys, "admin", "--database", str(server.database), "--by", "op", *arguments
        )
        assert outcome.status == 0, outcome.err
        return outcome.out

    return run


def until(holds: Callable[[], Any]) -> None:
    """Wait until a condition holds: servers follow within a second or so."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def status(player: Player) -> int:
    """The status of a request with the player's key."""
    return player.http.get("/api/me/tables").status_code


def audited(admin: Admin, person: str) -> list[str]:
    """The actions about a person."""
    rows = json.loads(admin("audit", "--json"))
    assert all(row["by"] in ("op", row["person"]) and row["at"] > 0 for row in rows)
    return [row["action"] for row in rows if row["person"] == person]


def test_a_person_renews_the_key_and_the_old_one_stops_at_once(
    server: ServerProcess, admin: Admin
) -> None:
    ana = server.new_player()
    client = SocketClient(server, ana.open("poison", [None, "easy", "easy"]), ana)
    response = ana.http.post("/api/me/key", json={})
    assert response.status_code == 201, response.text
    assert status(ana) == 401
    assert client.wait_closed() == (4403, "this key has been replaced by a new one")
    key = response.json()["key"]
    assert key.partition(".")[0] == ana.id and key != ana.key
    ana.http.headers["Authorization"] = f"Bearer {key}"
    assert len(ana.get("/api/me/tables")) == 0 and status(ana) == 200
    assert audited(admin, ana.id) == ["renew key"]


def test_the_operator_revokes_and_renews_a_key(server: ServerProcess, admin: Admin) -> None:
    ana = server.new_player()
    client = SocketClient(server, ana.open("poison", [None, "easy", "easy"]), ana)
    admin("revoke-key", ana.id)
    assert client.wait_closed()[0] == 4403
    until(lambda: status(ana) == 401)
    key = admin("renew-key", ana.id).strip()
    ana.http.headers["Authorization"] = f"Bearer {key}"
    until(lambda: status(ana) == 200)
    assert audited(admin, ana.id) == ["revoke key", "renew key"]


def test_a_banned_person_is_refused_until_the_ban_ends(server: ServerProcess, admin: Admin) -> None:
    ana = server.new_player("Ana Banana")
    table = ana.open("poison", [None, "easy", "easy"])
    client = SocketClient(server, table, ana)
    admin("ban", ana.id, "--hours", "1")
    assert client.wait_closed() == (4403, "the operator of this server has banned you")
    until(lambda: status(ana) == 403)
    assert "banned you" in ana.http.get("/api/me/tables").json()["why"]
    shown = json.loads(admin("people", "--search", "Banana", "--json"))
    assert [row["person"] for row in shown] == [ana.id] and shown[0]["banned_until"]
    admin("unban", ana.id)
    until(lambda: status(ana) == 200)
    assert audited(admin, ana.id) == ["ban", "unban"]


BANNED_ADDRESS = "the operator of this server has banned your address"


def new_player_from(server: ServerProcess, address: str) -> httpx.Response:
    """Ask for a key from an address."""
    return server.http.post(
        "/api/players", json={"name": "Ana"}, headers={"X-Forwarded-For": address}
    )


def wait_refused(server: ServerProcess, address: str) -> None:
    """Wait until an address is banned."""
    headers = {"X-Forwarded-For": address}
    until(lambda: server.http.get("/api/games", headers=headers).status_code == 403)


def stored_texts(server: ServerProcess) -> str:
    """Every row of every table of the store."""
    with contextlib.closing(sqlite3.connect(server.database)) as store:
        names = [
            row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return "\n".join(
            str(row) for name in names for row in store.execute(f"SELECT * FROM {name}")
        )


def test_a_banned_address_is_refused_everywhere_until_the_ban_is_lifted(
    server: ServerProcess, admin: Admin
) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("poison", [None, "easy", "easy"])
    clients = [SocketClient(server, table, player) for player in (ana, bo)]
    assert admin("ban", "--address", ana.address) == f"banned {ana.address}/32\n"
    assert clients[0].wait_closed() == (4403, BANNED_ADDRESS)
    clients[1].do("ping")
    wait_refused(server, ana.address)
    refused = new_player_from(server, ana.address)
    assert refused.status_code == 403 and refused.json()["why"] == BANNED_ADDRESS
    assert status(ana) == 403, "a key from before does not help"
    headers = {"X-Forwarded-For": ana.address}
    for path in ("/", "/healthz"):
        assert server.http.get(path, headers=headers).status_code != 403, "the page says why"
    socket = open_socket(server, table, address=ana.address)
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(60)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4403, BANNED_ADDRESS)
    assert status(bo) == 200 and new_player_from(server, bo.address).status_code == 201

    ban = next(row for row in json.loads(admin("bans", "--json")))
    assert ban["network"] == f"{ana.address}/32" and f"{ana.address}/32" in stored_texts(server)
    assert "for ever" in admin("bans")
    assert admin("unban", "--address", ana.address) == f"lifted the ban of {ana.address}/32\n"
    until(lambda: status(ana) == 200)
    assert new_player_from(server, ana.address).status_code == 201
    assert admin("bans") == "none\n"
    rows = [row for row in json.loads(admin("audit", "--json")) if "address" in row["action"]]
    assert [(row["action"], row["by"], row["details"]["ban"]) for row in rows[-2:]] == [
        ("ban address", "op", ban["ban"]),
        ("unban address", "op", ban["ban"]),
    ]
    assert ana.address not in stored_texts(server), "nothing is left of the address"


@pytest.mark.parametrize(
    ("banned", "inside", "outside"),
    [
        ("203.0.113.7/24", "203.0.113.250", "203.0.114.7"),
        ("2001:db8:1:2::7", "2001:db8:1:2:3::9", "2001:db8:1:3::7"),
        ("2001:db8:4::/48", "2001:db8:4:ffff::1", "2001:db8:5::1"),
        ("::ffff:198.51.100.7", "198.51.100.7", "198.51.100.8"),
    ],
)
def test_a_ban_covers_a_network(
    server: ServerProcess, admin: Admin, banned: str, inside: str, outside: str
) -> None:
    admin("ban", "--address", banned, "--hours", "1")
    wait_refused(server, inside)
    assert new_player_from(server, outside).status_code == 201
    admin("unban", "--address", banned)
    until(lambda: new_player_from(server, inside).status_code == 201)


def test_an_address_is_deleted_when_its_ban_ends(server: ServerProcess, admin: Admin) -> None:
    address = "192.0.2.99"
    admin("ban", "--address", address, "--hours", "1")
    wait_refused(server, address)
    with contextlib.closing(sqlite3.connect(server.database, timeout=60)) as store, store:
        store.execute("UPDATE address_bans SET until = 1")  # the hour is over
    until(lambda: address not in stored_texts(server))
    until(lambda: new_player_from(server, address).status_code == 201)
    assert address not in server.log_text()


def test_no_id_looks_like_an_option() -> None:
    assert not any(new_id().startswith("-") for _ in range(1000))


def test_a_muted_person_plays_but_does_not_talk(server: ServerProcess, admin: Admin) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    admin("mute", ana.id)
    until(lambda: "refused" in one.ask("say", text="hello"))
    assert one.refused("say", text="hello")["why"] == "the operator of this server has muted you"
    assert one.refused("gesture", sign="wave")["code"] == "denied"
    assert ana.ask(table, "say", text="hello")["refused"]["code"] == "denied"
    mover = (one, two)[one.view["to_act"]]
    mover.play(mover.view["legal"][0])
    two.do("say", text="the other one may")
    admin("unmute", ana.id)
    until(lambda: "refused" not in one.ask("say", text="again"))


def test_a_kicked_person_loses_the_seat_and_a_bot_plays_on(
    server: ServerProcess, admin: Admin
) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    assert "removed from 1 tables" in admin("kick", ana.id)
    assert one.wait_closed()[0] == 4403
    two.until(lambda: "removed" in two.kinds)
    assert two.last("removed") == {
        "kind": "removed",
        "seat": 0,
        "by": "operator",
        "level": "medium",
    }
    assert two.table_info["seats"][0]["bot"] == "medium"
    back = SocketClient(server, table, ana)
    assert back.seat is None
    assert "removed from this table" in back.refused("say", text="let me in")["why"]


def test_tables_are_listed_closed_and_deleted(server: ServerProcess, admin: Admin) -> None:
    ana = server.new_player()
    table = ana.open("poison", [None, None, None])
    client = SocketClient(server, table, ana)
    client.sit(0)
    rows = {row["table"]: row for row in json.loads(admin("tables", "--json"))}
    assert rows[table]["opener"] == ana.id and rows[table]["people"] == 1
    admin("close-table", table)
    client.until(lambda: client.table_info["stage"] == "closed")
    assert table in admin("tables", "--stage", "closed")
    admin("delete-table", table)
    assert client.wait_closed() == (4404, "there is no such table")
    assert ana.http.get(f"/api/tables/{table}").status_code == 404
    assert table not in admin("tables")


def test_an_announcement_reaches_everybody(server: ServerProcess, admin: Admin) -> None:
    ana = server.new_player()
    table = ana.open("poison", [None, None, None])
    clients = [SocketClient(server, table, ana), SocketClient(server, table)]
    admin("announce", "we restart at noon")
    for client in clients:
        client.until(lambda: client.announcements == ["we restart at noon"])  # noqa: B023


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("ban", "nobody"), "there is no person nobody: theriac admin people lists them"),
        (("close-table", "none"), "there is no table none: theriac admin tables lists them"),
        (("close-report", "99"), "there is no report 99"),
        (("announce", " "), "the text is empty"),
        (("ban",), "give the id of a person, or --address: one of them"),
        (("unban", "ana", "--address", "192.0.2.1"), "or --address: one of them"),
        (("ban", "--address", "club.example"), "club.example is no address: give one such as"),
        (("ban", "--address", "192.0.2.1/33"), "192.0.2.1/33 is no address"),
        (
            ("ban", "--address", "0.0.0.0/0"),
            "0.0.0.0/0 has too many addresses: ban a network of /8",
        ),
        (("ban", "--address", "2001::/15"), "2000::/15 has too many addresses"),
        (("unban", "--address", "192.0.2.1"), "192.0.2.1/32 is not banned: theriac admin bans"),
    ],
)
def test_what_does_not_exist_is_an_error(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], why: str
) -> None:
    outcome = call(capsys, "admin", "--database", str(server.database), *arguments)
    assert outcome.status == 2 and why in outcome.err


def test_an_address_within_a_banned_network_is_named_with_it(
    server: ServerProcess, admin: Admin, capsys: pytest.CaptureFixture[str]
) -> None:
    admin("ban", "--address", "198.18.0.0/15")
    database = ("--database", str(server.database))
    outcome = call(capsys, "admin", *database, "unban", "--address", "198.18.7.7")
    assert outcome.status == 2
    assert "198.18.7.7/32 is not banned by itself: lift the ban of 198.18.0.0/15" in outcome.err
    admin("unban", "--address", "198.18.0.0/15")


def test_a_store_that_does_not_exist_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.sqlite"
    outcome = call(capsys, "admin", "--database", str(file), "tables")
    assert outcome.status == 2 and "there is no file" in outcome.err and not file.exists()
