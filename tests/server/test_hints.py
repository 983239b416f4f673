"""Hints use what a seat may know, go to that seat alone, and are marked in the record."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import theriac
from tests.command import call
from tests.server.server_process import Player, ServerProcess, open_clients
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness
from theriac.game import Game
from theriac.server.bots import hints
from theriac.server.bots.bot_pool import BotPool
from theriac.server.limits import Limits
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.index import table_opened
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store
from theriac.server.tables import messages
from theriac.server.tables.decisions import Advice, Denied, Requester, decide, hint_seat
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService
from theriac.testing.playing import some_move

GAMES = list(theriac.all_games().values())
NAMES = [game.name for game in GAMES]


def pair(server: ServerProcess, **fields: Any) -> tuple[str, list[Player], list[SocketClient]]:
    """Ana and Bo at Shokoba, Ana to act."""
    people = server.new_players("Ana", "Bo")
    table = people[0].open("shokoba", [None, None], options={"first": 1}, **fields)
    return table, people, seat_players(table, *people)


def hinted(client: SocketClient) -> list[Any]:
    """The hint events that a client has received."""
    return [update["event"] for update in client.events if update["event"]["kind"] == "hinted"]


def times_asked(server: ServerProcess) -> int:
    """How often a master bot has been asked for a move."""
    found = re.search(
        r'bot_seconds_count\{level="master"\} (\d+)', server.http.get("/metrics").text
    )
    return int(found[1]) if found else 0


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_the_player_gets_a_move_and_the_others_learn_that_a_hint_was_taken(
    server: ServerProcess, game: Game
) -> None:
    people = server.new_players("Ana", "Bo")
    seats = [None, None, *["easy"] * (game.usual_players - 2)]
    table = people[0].open(game.name, seats)
    clients = seat_players(table, *people)
    clients[0].until(lambda: clients[0].view["to_act"] in (0, 1))
    asks = clients[clients[0].view["to_act"]]
    other, watcher = clients[1 - clients.index(asks)], SocketClient(server, table)
    asks.reach(clients[0].version)
    version = asks.do("hint")
    for client in (asks, other, watcher):
        client.reach(version)
    assert asks.view["hint"] in asks.view["legal"]
    seen = {"kind": "hinted", "seat": asks.seat}
    assert hinted(asks) == [{**seen, "move": asks.view["hint"]}]
    assert hinted(other) == hinted(watcher) == [seen]
    assert "hint" not in other.view and "hint" not in watcher.view
    fresh = SocketClient(server, table, people[asks.seat or 0])
    assert fresh.view["hint"] == asks.view["hint"], "a player who reconnects gets it again"
    asks.play(asks.view["hint"])
    assert "hint" not in asks.view


def test_a_bot_is_asked_once_per_position(server: ServerProcess) -> None:
    table, (ana, _), (one, two) = pair(server)
    other = SocketClient(server, table, ana)
    before = times_asked(server)
    names = [client.send("hint") for client in (one, other, one)]
    one.until(lambda: names[0] in one.answers and names[2] in one.answers)
    other.until(lambda: names[1] in other.answers)
    version = one.do("hint")
    assert ana.ask(table, "hint")["version"] == version
    assert times_asked(server) == before + 1
    two.reach(two.do("ping"))
    assert len(hinted(two)) == 1 and two.version == version


def test_a_repeated_hint_request_gets_the_same_reply_after_the_turn(server: ServerProcess) -> None:
    _, _, (one, two) = pair(server)
    version = one.do("hint", id="my-hint")
    one.play(one.view["hint"])
    assert one.do("hint", id="my-hint") == version
    two.reach(one.version)
    assert len(hinted(two)) == 1


def test_a_hint_does_not_block_the_socket(server: ServerProcess) -> None:
    _, _, (one, _) = pair(server)
    name = one.send("hint")
    one.do("ping")
    assert name not in one.answers, "the reply to ping came first"
    one.until(lambda: name in one.answers)


def test_a_hint_is_refused_with_a_reason(server: ServerProcess) -> None:
    table, _, (one, two) = pair(server)
    assert two.refused("hint") == {
        "code": "turn",
        "why": "it is not your turn: ask for a hint when it is",
    }
    cy = server.new_player("Cy")
    assert SocketClient(server, table, cy).refused("hint")["code"] == "seat"
    assert SocketClient(server, table).refused("hint")["code"] == "denied"
    waiting = cy.open("shokoba", [None, None])
    client = SocketClient(server, waiting, cy)
    client.sit(0)
    assert client.refused("hint")["code"] == "stage"
    assert hinted(one) == []


def test_hints_can_be_off(server: ServerProcess) -> None:
    table, (ana, _), (one, _) = pair(server, hints=False, listed=True)
    assert one.table_info["hints"] is False
    assert one.refused("hint") == {"code": "denied", "why": "hints are off at this table"}
    listed = {row["table"]: row for row in ana.get("/api/tables")}
    assert listed[table]["hints"] is False
    with_hints = ana.open("shokoba", [None, None], listed=True)
    assert SocketClient(server, with_hints).table_info["hints"] is True
    listed = {row["table"]: row for row in ana.get("/api/tables")}
    assert "hints" not in listed[with_hints], "hints are on by default"


def test_a_hint_outlives_a_restart_of_the_server(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, compiled=True)
    table, (ana, bo), (one, _) = pair(server)
    version = one.do("hint")
    one.reach(version)
    advised = one.view["hint"]
    open_clients.close()
    assert server.stop() == 0
    server.start()
    again, other = SocketClient(server, table, ana), SocketClient(server, table, bo)
    assert again.view["hint"] == advised and "hint" not in other.view
    assert again.do("hint") == version
    assert times_asked(server) == 0, "the stored hint is sent again"
    again.play(advised)
    open_clients.close()
    assert server.stop() == 0
    assert server.unexpected_log_lines() == []


# Without a server


def pair_in_harness() -> TableHarness:
    """Ana and Bo at Shokoba, Ana to act."""
    harness = TableHarness("shokoba", [None, None], options={"first": 1})
    harness.sit("ana", "bo")
    return harness


def take_hint(harness: TableHarness) -> None:
    """Give the seat to act a hint: the first legal move."""
    seat = harness.table.to_act
    assert seat is not None
    harness.apply(events.Hinted(seat, harness.table.current_match.legal()[0]))


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_the_record_marks_hints_and_can_be_replayed(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(7)
    harness = TableHarness(game.name, [None] * game.usual_players)
    harness.sit(*(f"p{seat}" for seat in range(game.usual_players)))
    marked = []
    while harness.table.stage == "playing":
        table = harness.table.current_match
        if len(table.moves) in (1, 4):
            take_hint(harness)
            assert table.to_act is not None
            marked.append((len(table.moves) + 1, table.to_act, table.legal()[0]))
        harness.play(some_move(table, random))
    (record,) = harness.table.finished
    found = [(hint["move"], hint["seat"], hint["advised"]) for hint in record["x_hints"]]
    assert found == marked and len(marked) == 2
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert call(capsys, "verify", file).status == 0
    assert call(capsys, "replay", file, "--json").status == 0


def test_a_record_without_hints_has_no_mark() -> None:
    harness = pair_in_harness()
    while harness.table.stage == "playing":
        harness.play()
    assert "x_hints" not in harness.table.finished[0]
    assert harness.table.hint is None


def test_taking_a_move_back_restores_the_hint_of_that_position() -> None:
    harness = pair_in_harness()
    take_hint(harness)
    first = harness.table.hint
    harness.play()
    take_hint(harness)
    assert harness.table.hint != first
    harness.ask("ana", messages.TakeBack("undo"))
    harness.ask("bo", messages.Answer("answer", agree=True))
    assert harness.table.to_act == 0 and harness.table.hint == first
    harness.play()
    assert harness.table.hint is None, "the hint of a position that was undone is forgotten"


def requester(player: str) -> Requester:
    """A requester for a player."""
    return Requester(player, player.title(), frozenset(), 0)


def test_a_player_replaced_by_a_bot_gets_no_hint() -> None:
    harness = pair_in_harness()
    harness.ask("bo", messages.Hand("hand", 0, "medium"))
    with pytest.raises(Denied, match="a bot plays for you"):
        hint_seat(harness.table, requester("ana"))


def test_hints_are_rate_limited() -> None:
    advisor = hints.Advisor(BotPool(1), Metrics(), Limits(hint_burst=0.5))
    harness = pair_in_harness()
    request = messages.Hint("hint")
    with pytest.raises(Denied, match="too many hints at once") as refused:
        asyncio.run(advisor.advise(harness.table, requester("ana"), request))
    assert refused.value.code == "rate"
    take_hint(harness)
    hint = asyncio.run(advisor.advise(harness.table, requester("ana"), request))
    assert harness.table.hint is not None and hint.move == harness.table.hint.move


def test_a_hint_for_a_position_that_has_passed_is_refused() -> None:
    harness = pair_in_harness()
    seen = harness.table.version
    harness.play()
    harness.play()
    assert harness.table.to_act == 0
    advisor = hints.Advisor(BotPool(1), Metrics(), Limits())
    with pytest.raises(Denied, match="the position has changed since") as refused:
        asyncio.run(
            advisor.advise(harness.table, requester("ana"), messages.Hint("hint", version=seen))
        )
    assert refused.value.code == "stale"


def test_advice_for_a_position_that_has_passed_is_dropped() -> None:
    harness = pair_in_harness()
    version, advised = harness.table.turn_version, harness.table.current_match.legal()[0]
    harness.play()
    harness.play()
    assert harness.table.to_act == 0
    with pytest.raises(Denied, match="the position changed while the bot was thinking"):
        decide(harness.table, requester("ana"), Advice("id", version, advised))


def test_each_player_has_a_rate_limit_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(hint_rate=1e-9, hint_burst=3)  # a slow machine refills nothing
    monkeypatch.setattr(hints, "HINT_LEVEL", "easy")  # the fastest level
    harness = pair_in_harness()

    async def ask_often() -> None:
        bot_pool = BotPool(1)
        advisor, request = hints.Advisor(bot_pool, Metrics(), limits), messages.Hint("hint")
        for _ in range(3):
            await advisor.advise(harness.table, requester("ana"), request)
        with pytest.raises(Denied, match="too many hints at once"):
            await advisor.advise(harness.table, requester("ana"), request)
        harness.play()
        hint = await advisor.advise(harness.table, requester("bo"), request)
        assert hint.move in harness.table.current_match.legal()
        bot_pool.stop()

    asyncio.run(ask_often())


def test_two_processes_store_one_hint(tmp_path: Path) -> None:
    url = database_url(str(tmp_path / "shared.sqlite"))

    async def ask_both() -> list[str]:
        await upgrade(url)
        stores = [Store(url), Store(url)]
        services = [
            TableService(store, BotPool(1), PubSub(), Metrics(), bot_delay=0) for store in stores
        ]
        harness = pair_in_harness()
        opened = harness.table.opened
        await stores[0].append(
            "table", harness.table.log, table_opened("table", opened, harness.now)
        )
        sessions = [await service.tables.find("table") for service in services]
        done = await asyncio.gather(
            *(
                service.handle(session, requester("ana"), messages.Hint(f"hint{number}"))
                for number, (service, session) in enumerate(zip(services, sessions, strict=True))
                if session is not None
            )
        )
        log = await stores[0].read_log("table")
        for service, store in zip(services, stores, strict=True):
            await service.stop()
            await store.close()
        assert [one.refused for one in done] == [None, None]
        assert {one.version for one in done} == {len(log)}
        return [type(entry.event).__name__ for entry in log[len(harness.table.log) :]]

    assert asyncio.run(ask_both()) == ["Hinted"]
