"""Bots think in processes of their own: these may be killed, and nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.club import PATIENCE, Club, visits
from tests.server.line import Line, seated
from theriac import seal
from theriac.faults import BadBot
from theriac.game import find
from theriac.match import Match
from theriac.server.bots import bot_pool
from theriac.server.bots.bot_pool import BotPool


@pytest.fixture
def own_club(tmp_path: Path) -> Iterator[Club]:
    """A server whose processes may be killed."""
    club = Club(tmp_path, "--bot-workers", "2")
    yield club
    visits.close()
    assert club.stop() == 0


def thinking(server: int) -> list[int]:
    """The processes in which the bots of a server think."""
    listed = subprocess.run(
        ["ps", "-Awwo", "pid,ppid,args"], capture_output=True, text=True, check=True
    )
    rows = [row.split(None, 2) for row in listed.stdout.splitlines()[1:]]
    own = [(int(pid), args) for pid, parent, args in rows if int(parent) == server]
    return [pid for pid, args in own if "spawn_main" in args]


def signal_bot_processes(server: int, sign: signal.Signals) -> None:
    """Send a signal to all of them, as soon as there are any."""
    ends = time.monotonic() + PATIENCE
    while not (found := thinking(server)):
        assert time.monotonic() < ends, "no bot thinks"
        time.sleep(0.05)
    for process in found:
        os.kill(process, sign)


def bots_turn(line: Line) -> None:
    """Let the person of a line move, if it is that person's turn."""
    if line.view["to_act"] == 0:
        line.play(line.view["legal"][0])


def moved_by_bot(line: Line) -> bool:
    """Has the bot moved?"""
    return any(told["event"].get("bot") for told in line.events)


def test_a_thinker_that_is_killed_loses_no_table(own_club: Club) -> None:
    lines = []
    for _ in range(3):
        ana = own_club.person()
        lines += seated(ana.open("shokoba", [None, "expert"]), ana)
    for line in lines:
        bots_turn(line)
    signal_bot_processes(own_club.process.pid, signal.SIGKILL)
    for line in lines:
        line.until(lambda line=line: moved_by_bot(line))  # type: ignore[misc]
        line.until(lambda line=line: line.view["to_act"] == 0)  # type: ignore[misc]
    assert own_club.complaints() == []


def test_while_a_bot_thinks_other_tables_go_on(own_club: Club) -> None:
    ana, bo, cy = own_club.persons("Ana", "Bo", "Cy")
    (line,) = seated(ana.open("poison", [None, "expert", "expert"]), ana)
    others = seated(bo.open("shokoba", [None, None]), bo, cy)
    line.until(lambda: line.view["to_act"] == 0)
    line.play(line.view["legal"][0])
    signal_bot_processes(own_club.process.pid, signal.SIGSTOP)  # it thinks as long as we like
    for _ in range(3):
        mover = others[others[0].view["to_act"]]
        mover.play(mover.view["legal"][0])
        others[0].reach(mover.version)
        others[1].reach(mover.version)
    before = line.version
    assert line.do("ping") == before, "the bot still thinks"
    signal_bot_processes(own_club.process.pid, signal.SIGCONT)
    line.until(lambda: line.version > before)
    assert line.last("moved")["bot"] == "expert"


def table_of(seed: int) -> Match:
    """A game to think about."""
    return Match(find("shokoba"), {"players": 2}, seed=seed.to_bytes(32, "big"))


def test_all_who_wait_for_a_killed_process_are_answered() -> None:
    asked = BotPool(1)

    async def ask_many() -> list[str]:
        tables = [table_of(seed) for seed in range(6)]
        answers = asyncio.gather(*(asked.ask(table, "medium") for table in tables))
        await asyncio.to_thread(signal_bot_processes, os.getpid(), signal.SIGKILL)
        for table, move in zip(tables, await answers, strict=True):
            assert move in table.legal()
        return await asyncio.gather(*(asked.ask(table, "medium") for table in tables))

    try:
        assert len(asyncio.run(ask_many())) == 6
    finally:
        asked.stop()


def test_a_bot_that_takes_too_long_is_given_up_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = BotPool(1)

    async def ask_two() -> None:
        await asked.ask(table_of(1), "medium")
        monkeypatch.setattr(bot_pool, "BOT_TIMEOUT_S", 0.3)
        slow = asyncio.create_task(asked.ask(table_of(1), "expert"))
        await asyncio.sleep(0)
        monkeypatch.setattr(bot_pool, "BOT_TIMEOUT_S", PATIENCE)
        quick = asyncio.create_task(asked.ask(table_of(2), "medium"))
        with pytest.raises(BadBot, match="gave no answer"):
            await slow
        assert await quick in table_of(2).legal()

    try:
        asyncio.run(ask_two())
    finally:
        asked.stop()


def test_what_a_bot_is_asked_holds_no_more_than_its_view() -> None:
    table = table_of(3)
    task = bot_pool.task_for(table, "easy")
    assert table.seed is not None
    assert task.view == table.look(table.to_act).tobytes()
    assert task.seed == next(seal.words(table.seed, f"bot {table.to_act}"))
    agreed = {"game", "options", "first", "level", "seed", "speed"}
    assert set(task._fields) == agreed | {"view", "legal"}
