"""Repeated requests are applied once; a move for another position is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness
from theriac.sealed_deal import seat_commitment
from theriac.server.bots.bot_pool import BotPool
from theriac.server.limits import Limits
from theriac.server.running.metrics import Metrics
from theriac.server.store.events import LogEntry
from theriac.server.store.writer import VersionTaken
from theriac.server.tables import messages
from theriac.server.tables.messages import Reply
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService
from theriac.server.tables.session import TableSession
from theriac.server.tables.unlogged import UnloggedReplies


class MemoryStore:
    """The log of one table, in memory."""

    def __init__(self) -> None:
        self.log: list[LogEntry] = []

    async def append(
        self, table: str, entries: Sequence[LogEntry], updates: Sequence[Any] = ()
    ) -> None:
        if entries[0].number != len(self.log) + 1:
            raise VersionTaken
        self.log += entries

    async def read_log(self, table: str, after: int = 0) -> list[LogEntry]:
        return self.log[after:]


def new_service(store: MemoryStore, pubsub: PubSub) -> TableService:
    return TableService(store, BotPool(1), pubsub, Metrics(), bot_delay=0)  # type: ignore[arg-type]


async def open_table(store: MemoryStore, pubsub: PubSub) -> tuple[TableService, TableSession]:
    service = new_service(store, pubsub)
    opened = TableHarness("shokoba", [None, None]).table.opened
    return service, await service.open("table", opened)


def pair(server: ServerProcess) -> tuple[str, list[Player], list[SocketClient]]:
    """Ana and Bo at Shokoba, Ana to act."""
    people = server.new_players("Ana", "Bo")
    table = people[0].open("shokoba", [None, None], options={"first": 1})
    return table, people, seat_players(table, *people)


def test_a_request_repeated_over_any_connection_is_applied_once(server: ServerProcess) -> None:
    table, (ana, _), (one, two) = pair(server)
    move = {"do": "move", "id": "my-move", "move": one.view["legal"][0], "version": one.version}
    first = one.do(**move)
    assert one.do(**move) == first
    again = SocketClient(server, table, ana)
    assert again.do(**move) == first
    assert ana.ask(table, **move) == {"id": "my-move", "version": first}
    one.close()
    assert ana.ask(table, **move) == {"id": "my-move", "version": first}
    assert two.do("ping") == first
    two.reach(first)
    assert two.kinds.count("moved") == 1


def has_two_replies(client: SocketClient, name: str) -> bool:
    return len(client.answers.get(name, [])) == 2


def test_a_request_sent_over_two_connections_at_once_is_applied_once(server: ServerProcess) -> None:
    table, (ana, _), (one, two) = pair(server)
    other = SocketClient(server, table, ana)
    for turn in range(5):
        said = {"do": "say", "id": f"hello-{turn}", "text": "hello"}
        for client in (one, other, one, other):
            client.send(**said)
        for client in (one, other):
            client.until(partial(has_two_replies, client, said["id"]))
        versions = {a["version"] for client in (one, other) for a in client.answers[said["id"]]}
        assert len(versions) == 1
        two.reach(*versions)
    assert two.kinds.count("said") == 5


def test_every_stored_request_is_applied_once(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, None, None])
    client = SocketClient(server, table, ana)
    requests: list[dict[str, Any]] = [
        {"do": "sit", "id": "a", "seat": 0, "nonce": "x"},
        {"do": "say", "id": "b", "text": "hi"},
        {"do": "react", "id": "c", "to": 1, "sign": "wow"},
        {"do": "hand", "id": "d", "seat": 1, "level": "easy"},
        {"do": "stand", "id": "e"},
        {"do": "close", "id": "f"},
    ]
    for request in requests:
        version = client.do(**request)
        assert client.do(**request) == version
    client.reach(client.do("ping"))
    assert client.kinds == ["opened", "sat", "said", "reacted", "handed", "stood", "closed"]


def test_a_copy_of_a_refused_request_is_refused_even_if_it_would_be_accepted_now(
    server: ServerProcess,
) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = (SocketClient(server, table, player) for player in (ana, bo))
    one.sit(0)
    sit: dict[str, Any] = {"do": "sit", "id": "s", "seat": 0, "nonce": "x"}
    refusal = two.refused(**sit)
    assert refusal["why"] == "Ana has this seat: take another"
    one.do("stand")
    assert two.refused(**sit) == refusal
    two.close()
    again = SocketClient(server, table, bo)
    assert again.refused(**sit) == refusal
    assert again.do(**sit | {"id": "another"}) > 0
    again.reach(again.do("ping"))
    assert again.kinds.count("sat") == 2


def test_a_copy_of_a_request_that_changed_nothing_changes_nothing_later(
    server: ServerProcess,
) -> None:
    ana = server.new_player()
    client = SocketClient(server, ana.open("shokoba", [None, None]), ana)
    nothing = client.do("lock", id="a", locked=False)
    client.do("lock", id="b", locked=True)
    assert client.do("lock", id="a", locked=False) == nothing
    client.reach(client.do("ping"))
    assert client.kinds.count("locked") == 1


def test_a_copy_of_a_request_of_before_a_mute_gets_its_reply() -> None:
    """And one that was refused for the mute is refused after it."""

    async def run() -> None:
        service, session = await open_table(MemoryStore(), PubSub())
        free = service.requester(session, "ana", "Ana")
        muted = service.requester(session, "ana", "Ana", muted=True)
        before, during = messages.Say("a", "hello"), messages.Say("b", "hello?")
        said = await service.handle(session, free, before)
        refused = await service.handle(session, muted, during)
        assert said.version and refused.refused
        assert await service.handle(session, muted, before) == said
        assert await service.handle(session, free, during) == refused
        await service.stop()

    asyncio.run(run())


def test_a_process_answers_for_what_another_has_accepted() -> None:
    """It reads what the other has written before it refuses a copy."""

    async def run() -> None:
        store, pubsub = MemoryStore(), PubSub()
        pubsub.alone = False
        here, ours = await open_table(store, pubsub)
        there = new_service(store, pubsub)
        theirs = await there.tables.find("table")
        assert theirs is not None
        to = ours.table.commitment
        sit = messages.Sit("sit", 0, seat_commitment(to, 0, "x"), to)

        async def ask(player: str, request: messages.TableRequest, *, at: TableService) -> Reply:
            session = ours if at is here else theirs
            return await at.handle(session, at.requester(session, player, player), request)

        await ask("cy", sit, at=here)
        await there.catch_up("table")
        await ask("cy", messages.Stand("stand"), at=here)
        sat = await ask("ana", sit, at=here)
        assert sat.version == 4 and theirs.table.version == 2
        assert await ask("ana", sit, at=there) == sat
        assert theirs.table.version == 4
        await here.stop()
        await there.stop()

    asyncio.run(run())


def test_the_replies_that_are_kept_are_bounded() -> None:
    limits = Limits(unlogged_replies_per_player=2, unlogged_replies=5)
    kept = UnloggedReplies(limits)
    for player in "abc":
        for key in "xyz":
            kept.add(player, "table", key, Reply(key, 1))
    found = [player + key for player in "abc" for key in "xyz" if kept.get(player, "table", key)]
    assert found == ["by", "bz", "cy", "cz"], "six would be too many: those of a go first"


def test_players_may_use_the_same_id(server: ServerProcess) -> None:
    _, _, (one, two) = pair(server)
    assert one.do("say", id="same", text="I") < two.do("say", id="same", text="me too")


def test_a_move_for_another_position_is_stale(server: ServerProcess) -> None:
    _, _, (one, two) = pair(server)
    before = one.version
    one.play(one.view["legal"][0])
    two.reach(one.version)
    legal = two.view["legal"][0]
    refusal = two.refused("move", move=legal, version=before)
    assert refusal["code"] == "stale" and str(two.version) in refusal["why"]
    assert two.refused("move", move=legal, version=two.version + 1)["code"] == "stale"
    said = one.do("say", text="your turn")
    assert two.do("move", move=legal, version=said - 1) > said, "talk does not change the position"


def test_a_move_out_of_turn_is_refused(server: ServerProcess) -> None:
    _, _, (one, two) = pair(server)
    assert two.refused("move", move=one.view["legal"][0], version=two.version) == {
        "code": "turn",
        "why": "it is Ana's turn",
    }
