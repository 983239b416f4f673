"""Spectators of a table with a delay get every event, and no request shows them a newer one."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Any

import pytest

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness, sit_down
from tests.server.test_unstored import FaultyStore
from theriac.server.bots.bot_pool import BotPool
from theriac.server.running.metrics import Metrics
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied, Requester, decide
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService
from theriac.server.tables.session import Client

#: Delays in seconds: one that a test waits for, and one longer than any test.
SHORT, LONG = 2, 3600
#: The events that begin a game of two players.
BEGUN = ["opened", "sat", "sat", "sealed", "revealed", "revealed", "begun"]


def playing(server: ServerProcess, delay: int) -> tuple[str, list[Player], list[SocketClient]]:
    """Ana and Bo at a table whose spectators get events later."""
    people = server.new_players("Ana", "Bo")
    name = people[0].open("shokoba", [None, None], delay=delay, listed=True)
    return name, people, seat_players(name, *people)


def play_some(clients: list[SocketClient], moves: int) -> None:
    """Make some moves; both clients receive each of them."""
    for _ in range(moves):
        mover = clients[clients[0].view["to_act"]]
        mover.play(mover.view["legal"][0])
        for client in clients:
            client.reach(mover.version)


def test_a_spectator_gets_every_event_once_and_late(server: ServerProcess) -> None:
    name, _, clients = playing(server, SHORT)
    spectator = SocketClient(server, name)
    received_at = dict.fromkeys(range(2, spectator.version + 1), time.time())
    play_some(clients, 2)
    while spectator.version < clients[0].version:
        spectator.receive()
        received_at.setdefault(spectator.version, time.time())
    for update in spectator.events[1:]:
        late = received_at[update["version"]] - update["at"] / 1000
        assert late >= SHORT - 0.05, "sent too early"
    assert spectator.kinds == [*BEGUN, "moved", "moved"]
    assert spectator.view["table"] == clients[0].view["table"]


def test_no_request_shows_a_spectator_newer_events(server: ServerProcess) -> None:
    name, people, clients = playing(server, LONG)
    wu = server.new_player("Wu")
    spectator = SocketClient(server, name, wu)
    play_some(clients, 2)
    assert clients[0].version == len(BEGUN) + 2
    assert people[0].get_table(name)["version"] == len(BEGUN) + 2, "players see everything"
    welcome = wu.get_table(name)
    assert (welcome["version"], welcome["room"]["stage"], "view" in welcome) == (
        1,
        "gathering",
        False,
    )
    assert all(update["version"] == 1 for update in welcome["events"])
    assert wu.get_table(name, since=0)["version"] == 1
    assert wu.get_table(name, since=1, wait=1)["version"] == 1
    assert server.http.get(f"/api/tables/{name}").json()["welcome"]["version"] == 1
    assert SocketClient(server, name).version == 1
    assert spectator.do("ping") == 1
    preview = wu.http.post(f"/api/tables/{name}/preview", json={"moves": ["S1"]}).json()
    assert preview == {"version": 1, "previews": {}}
    assert not spectator.present and not SocketClient(server, name).present
    lobby = next(t for t in server.http.get("/api/tables").json() if t["table"] == name)
    assert (lobby["stage"], lobby.get("to_act")) == ("gathering", None)
    assert lobby["changed"] <= spectator.events[0]["at"]
    assert spectator.do("ping") == 1 and spectator.kinds == ["opened"]


def test_nobody_reacts_to_an_event_that_they_cannot_see() -> None:
    harness = TableHarness("shokoba", [None, None])
    harness.sit("ana", "bo")
    late = Requester("wu", "Wu", frozenset(), visible_version=1)
    with pytest.raises(Denied, match="there is no event 2 to react to"):
        decide(harness.table, late, messages.React("id", 2, "wow"))


def replies(spectator: SocketClient) -> list[Any]:
    """The replies that a late spectator gets to requests that depend on the stage of the table."""
    requests: list[dict[str, Any]] = [
        {"do": "sit", "seat": 0, "nonce": "x"},
        {"do": "sit", "seat": 2, "nonce": "x"},
        {"do": "sit", "seat": 3, "nonce": "x"},
        {"do": "hand", "seat": 0},
        {"do": "say", "text": "hi"},
        {"do": "react", "to": 1, "sign": "wow"},
        {"do": "gesture", "sign": "wave"},
        {"do": "gesture", "sign": "look", "at": "S3"},
        {"do": "typing"},
        {"do": "close"},
        {"do": "stand"},
        {"do": "undo"},
        {"do": "hint"},
    ]
    return [spectator.ask(**request).get("refused") for request in requests]


def test_no_refusal_tells_a_spectator_what_happens_now(server: ServerProcess) -> None:
    """With the first seat taken, in play, and when the game is over: always the same refusals."""
    seen = []
    for players in (1, 2):
        people = server.new_players("Ana", "Bo", "Wu")
        name = people[0].open("shokoba", [None, None, "easy"], delay=LONG, options={"first": 2})
        spectator = SocketClient(server, name, people[2])
        clients = seat_players(name, *people[:players])
        seen.append(replies(spectator))
        if players == 2:
            play_some(clients, 1)
            seen.append(replies(spectator))
    assert seen[0] == seen[1] == seen[2]
    assert [refusal["code"] for refusal in seen[0]] == [
        "stale", "seat", "seat", "denied", "silence", "silence", "silence", "silence", "silence",
        "denied", "seat", "seat", "seat",
    ]  # fmt: skip


def test_the_lobby_shows_a_table_until_its_end_is_due(server: ServerProcess) -> None:
    ana = server.new_player("Ana")
    for delay in (LONG, 0):
        name = ana.open("shokoba", [None, None], delay=delay, listed=True)
        ana.ask(name, "close")
        listed = {row["table"]: row["stage"] for row in server.http.get("/api/tables").json()}
        assert listed.get(name) == ("gathering" if delay else None)


def test_a_spectator_who_joins_late_misses_no_event(server: ServerProcess) -> None:
    """Events from before they joined, not yet due, arrive when they are."""
    name, _, clients = playing(server, SHORT)
    play_some(clients, 1)
    spectator = SocketClient(server, name)
    spectator.reach(clients[0].version)  # `SocketClient` asserts that no version is missing
    assert spectator.view["table"] == clients[0].view["table"]


def test_a_player_who_sits_down_gets_all_events_at_once(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    name = ana.open("shokoba", [None, None], delay=LONG)
    one = SocketClient(server, name, ana)
    one.sit(0)
    two = SocketClient(server, name, bo)
    assert two.version == 1 and not two.table_info["seats"][0]["taken"]
    two.sit(1)
    two.until(lambda: two.table_info["stage"] == "playing")
    one.until(lambda: one.table_info["stage"] == "playing")
    assert two.kinds == BEGUN
    assert len(two.view["hand"]) == 3 and two.table_info == one.table_info
    welcome: Any = bo.get_table(name)
    assert (two.version, two.table_info, two.view) == (
        welcome["version"],
        welcome["room"],
        welcome["view"],
    )


def test_a_player_who_stands_up_gets_events_late_again(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    name = ana.open("shokoba", [None, None, None], delay=SHORT)
    one, two = SocketClient(server, name, ana), SocketClient(server, name, bo)
    two.sit(1)
    two.do("stand")
    two.until(lambda: not two.table_info["seats"][1]["taken"])
    one.sit(0)
    two.until(lambda: two.table_info["seats"][0]["taken"])
    assert time.time() - two.events[-1]["at"] / 1000 >= SHORT - 0.05, "sent too early"
    assert two.kinds == ["opened", "sat", "stood", "sat"]


def has_end_if_over(client: SocketClient) -> bool:
    """Has the client received the end of the game, if its last move was made?"""
    received: bool = client.table_info["stage"] == "over" or not client.view["over"]
    return received


def play_through(clients: list[SocketClient]) -> None:
    """Play until the game is over."""
    while clients[0].table_info["stage"] == "playing":
        play_some(clients, 1)
        for client in clients:
            client.until(partial(has_end_if_over, client))


@pytest.mark.parametrize("delay", [SHORT, LONG])
def test_a_spectator_gets_the_record_when_the_end_is_due(server: ServerProcess, delay: int) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    name = ana.open("dungeon", [None, None], delay=delay, options={"minutes": 0})
    play_through(seat_players(name, ana, bo))
    path = f"/api/tables/{name}/games/1"
    paths = [path, f"{path}/replay", f"{path}/verify"]
    assert [ana.http.get(path).status_code for path in paths] == [200, 200, 200]
    spectator = SocketClient(server, name)
    if delay == LONG:
        assert [server.http.get(path).status_code for path in paths] == [404, 404, 404]
    else:
        spectator.until(lambda: spectator.table_info["stage"] == "over")
        assert [server.http.get(path).status_code for path in paths] == [200, 200, 200]


def test_how_far_a_table_is_cannot_be_inferred_from_the_time_that_a_reply_takes() -> None:
    """The store was read for versions that the table had not reached, and not for the others: that
    takes longer, and so tells a late spectator how many moves were made.
    """

    async def run() -> None:
        store = FaultyStore(keeps=False)
        service = TableService(store, BotPool(1), PubSub(), Metrics(), bot_delay=0)  # type: ignore[arg-type]
        opened = TableHarness("poison", [None] * 3, delay=3600).table.opened
        session = await service.open("table", opened)
        await sit_down(service, session, "ana", "bo", "cy")
        seen, live = session.visible_to("eve").version, session.table.version
        assert live > seen + 3

        async def reads(version: int) -> list[int]:
            """How often the store is read for each kind of request that names a version."""
            counts = []
            eve = service.requester(session, "eve", "Eve")
            client = Client("eve", lambda message: None, lambda code, why: None)
            for request in (
                service.look(session, "eve", version),
                service.join(session, client, version),
                service.handle(session, eve, messages.React(f"r{version}", version, "wow")),
                service.handle(session, eve, messages.Play(f"p{version}", "R1", version)),
            ):
                before = len(store.read_after)
                await request
                counts.append(len(store.read_after) - before)
            service.leave(session, client)
            return counts

        assert await reads(seen) == [0, 0, 0, 0]
        assert await reads(seen + 1) == await reads(live) == await reads(live + 1) == [1, 1, 1, 1]
        await service.stop()

    asyncio.run(run())
