"""Nobody starves others: bots and hints are shared out by person, and tables of bots are capped."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random

import pytest

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from theriac.game import find
from theriac.match import Match
from theriac.server.bots import bot_pool
from theriac.server.bots.bot_pool import Asker, BotPool
from theriac.server.bots.fair_queue import FairQueue, Urgency
from theriac.server.bots.thinking_budget import ThinkingBudget

#: How long an easy bot may take to answer, however much others ask of the bots, in seconds: a
#: second for the answer of another's master that is being worked on, and some for a busy machine.
QUICK_S = 10.0


def test_fifty_tables_of_experts_do_not_delay_the_easy_bot_of_another(tmp_path: Path) -> None:
    limits = ("--bot-workers", "1", "--limit", "bot_tables_per_player=50")
    server = ServerProcess(tmp_path, *limits, compiled=True)
    greedy, ana = server.new_players("Greedy", "Ana")
    # The master of Poison takes half a second: in turns, Ana's bot would wait for all of them.
    tables = [greedy.open("poison", ["master"] * 4) for _ in range(50)]
    first = SocketClient(server, tables[0])
    first.until(lambda: "moved" in first.kinds)  # the bot process has started
    first.close()
    (client,) = seat_players(ana.open("shokoba", [None, "easy"], options={"first": 1}), ana)
    for number in range(4):
        client.until(lambda: client.view["to_act"] == 0)
        client.play(client.view["legal"][0])
        started = time.monotonic()
        client.until(lambda: client.view["to_act"] == 0, 100)
        # The first answer of a level may include that the process loads or compiles what it needs.
        assert not number or time.monotonic() - started < QUICK_S
    waiting = server.http.get("/metrics").text
    assert 'theriac_bot_queue{for="alone"} 49.0' in waiting, "the experts wait"
    assert "theriac_bot_wait_seconds_count" in waiting


def test_tables_of_bots_alone_are_capped(tmp_path: Path) -> None:
    limits = ("--limit", "bot_tables_per_player=2", "--limit", "bot_tables=3")
    server = ServerProcess(tmp_path, *limits, "--bot-workers", "1")
    ana, bo = server.new_players("Ana", "Bo")
    for _ in range(2):
        ana.open("shokoba", ["master"] * 4)
    assert refusal(ana) == "you have too many tables where only bots play: wait for one"
    assert ana.open("shokoba", [None, "master"]), "a person plays there"
    # Nor can it be done through empty seats.
    table = ana.open("shokoba", [None, "master"])
    client = SocketClient(server, table, ana)
    assert client.refused("hand", seat=0, level="master")["code"] == "rate"
    bo.open("shokoba", ["master"] * 4)
    assert refusal(bo) == "there are too many tables where only bots play: wait for one"


def refusal(player: Player) -> str:
    """Why a player cannot open a table of bots."""
    body = {"game": "shokoba", "seats": ["master"] * 4}
    response = player.http.post("/api/tables", json=body)
    assert response.status_code == 429
    why: str = response.json()["why"]
    return why


class Charges(list[float]):
    """Notes what a table is charged."""

    def spend(self, seconds: float) -> None:
        """A bot has thought for so long."""
        self.append(seconds)


def test_who_asks_first_does_not_pay_for_what_the_process_loads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten seconds on a busy machine: the others' master bots came first for minutes."""
    estimate_s = 1e-4
    monkeypatch.setattr(bot_pool, "FIRST_ESTIMATE_S", estimate_s)
    charges = Charges()

    async def ask() -> None:
        pool = BotPool(1)
        try:
            match = Match(find("poison"), {"players": 4}, seed=bytes(32))
            for _ in range(2):
                await pool.ask(match, "medium", Asker("ana", budget=charges))
        finally:
            await asyncio.to_thread(pool.stop)

    asyncio.run(ask())
    first, second = charges
    assert first <= estimate_s
    assert second > 0


def test_a_move_without_a_choice_takes_as_long_as_any_other() -> None:
    """Else a quick answer would tell the others what the bot has in its hand."""
    match = Match(find("shokoba"), {"players": 2}, seed=bytes(32))
    forced = Match(find("shokoba"), {"players": 2}, seed=bytes(32))
    while len(forced.legal()) > 1:
        forced.play(forced.legal()[0])

    async def ask() -> tuple[float, float]:
        pool = BotPool(1)
        try:
            for _ in range(3):  # the first loads what it needs
                started = time.monotonic()
                await pool.ask(match, "master")
            chosen = time.monotonic() - started
            await pool.ask(forced, "master")
            started = time.monotonic()
            await pool.ask(forced, "master")
            return chosen, time.monotonic() - started
        finally:
            await asyncio.to_thread(pool.stop)

    chosen, unchosen = asyncio.run(ask())
    assert unchosen > chosen / 2


# The queue


def test_each_person_gets_the_same_time() -> None:
    queue, random, used = FairQueue[int](), Random(1), {"ana": 0.0, "bo": 0.0, "cy": 0.0}
    costs = {"ana": 1.0, "bo": 0.1, "cy": 0.02}
    for number in range(20_000):
        for person, cost in costs.items():
            queue.put(number, person, Urgency.PLAYED, cost)
    for _ in range(3000):
        waiting = queue.get()
        assert waiting is not None
        actual = costs[waiting.person] * random.uniform(0.5, 1.5)
        used[waiting.person] += actual
        queue.charge(waiting, actual)
    assert max(used.values()) - min(used.values()) < 2.0, used


def test_many_new_people_with_slow_bots_do_not_delay_a_quick_one() -> None:
    queue = FairQueue[str]()
    for number in range(100):
        queue.put("slow", f"person {number}", Urgency.PLAYED, 1.0)
    queue.get()
    queue.put("quick", "ana", Urgency.PLAYED, 0.1)
    waiting = queue.get()
    assert waiting is not None and waiting.item == "quick"


def test_nobody_saves_time_up() -> None:
    queue = FairQueue[str]()
    for _ in range(100):
        queue.put("ana", "ana", Urgency.PLAYED, 1.0)
        queue.get()
    for _ in range(10):
        queue.put("bo", "bo", Urgency.PLAYED, 1.0)
        queue.put("ana", "ana", Urgency.PLAYED, 1.0)
    served = [waiting.item for _ in range(10) if (waiting := queue.get())]
    assert served.count("ana") in (4, 5), served


def test_tables_where_people_are_come_first() -> None:
    queue = FairQueue[str]()
    alone = queue.put("alone", "ana", Urgency.ALONE, 0.1)
    queue.put("watched", "bo", Urgency.WATCHED, 1.0)
    queue.put("played", "cy", Urgency.PLAYED, 5.0)
    late = queue.put("late", "cy", Urgency.ALONE, 5.0)
    queue.promote(late, Urgency.PLAYED)
    queue.remove(alone)
    served = [waiting.item for _ in range(4) if (waiting := queue.get())]
    assert served == ["played", "late", "watched"] and len(queue) == 0


def test_a_table_waits_when_its_bots_have_used_up_their_time() -> None:
    budget = ThinkingBudget(share=0.5, burst_s=0.01)
    pool = BotPool(1)
    match = Match(find("shokoba"), {"players": 2}, seed=bytes(32))

    async def ask() -> None:
        assert budget.wait_s() == 0
        await pool.ask(match, "master", Asker("ana", budget=budget))

    try:
        asyncio.run(ask())
        assert budget.wait_s() > 0.1  # a fast machine thinks for 0.4 s
    finally:
        pool.stop()


def test_bots_alone_slow_down_when_their_time_is_used_up(tmp_path: Path) -> None:
    limits = ("--limit", "bot_burst_s=0.05", "--limit", "bot_share=0.001")
    server = ServerProcess(tmp_path, *limits, "--bot-workers", "1")
    ana = server.new_player()
    client = SocketClient(server, ana.open("shokoba", ["master", "master"]))
    client.until(lambda: "moved" in client.kinds)
    with pytest.raises(TimeoutError):
        client.until(lambda: client.kinds.count("moved") > 1, 4)
