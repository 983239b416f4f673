"""Bots run in processes of their own: killing one loses no table, and nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess, open_clients
from tests.server.socket_client import SocketClient, seat_players
from theriac import seal
from theriac.faults import BadBot
from theriac.game import find
from theriac.match import Match
from theriac.server.bots import bot_pool
from theriac.server.bots.bot_pool import BotPool


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server whose processes may be killed."""
    server = ServerProcess(tmp_path, "--bot-workers", "2", compiled=True)
    yield server
    open_clients.close()
    assert server.stop() == 0


def bot_processes(server_pid: int) -> list[int]:
    """The bot processes of a server."""
    listed = subprocess.run(
        ["ps", "-Awwo", "pid,ppid,args"], capture_output=True, text=True, check=True
    )
    rows = [row.split(None, 2) for row in listed.stdout.splitlines()[1:]]
    own = [(int(pid), args) for pid, parent, args in rows if int(parent) == server_pid]
    return [pid for pid, args in own if "spawn_main" in args]


def signal_bot_processes(server_pid: int, sign: signal.Signals) -> None:
    """Send a signal to all bot processes of a server, as soon as there are any."""
    ends = time.monotonic() + RESPONSE_TIMEOUT_S
    while not (found := bot_processes(server_pid)):
        assert time.monotonic() < ends, "no bot process was started"
        time.sleep(0.05)
    for process in found:
        os.kill(process, sign)


def pass_turn_to_bot(client: SocketClient) -> None:
    """Make the client's move if it is seat 0's turn."""
    if client.view["to_act"] == 0:
        client.play(client.view["legal"][0])


def moved_by_bot(client: SocketClient) -> bool:
    """Has the bot moved?"""
    return any(update["event"].get("bot") for update in client.events)


def test_a_killed_bot_process_loses_no_table(own_server: ServerProcess) -> None:
    clients = []
    for _ in range(3):
        ana = own_server.new_player()
        clients += seat_players(ana.open("shokoba", [None, "master"]), ana)
    for client in clients:
        pass_turn_to_bot(client)
    signal_bot_processes(own_server.process.pid, signal.SIGKILL)
    for client in clients:
        client.until(lambda client=client: moved_by_bot(client))  # type: ignore[misc]
        client.until(lambda client=client: client.view["to_act"] == 0)  # type: ignore[misc]
    assert own_server.unexpected_log_lines() == []


def test_other_tables_play_on_while_a_bot_is_stopped(own_server: ServerProcess) -> None:
    ana, bo, cy = own_server.new_players("Ana", "Bo", "Cy")
    (client,) = seat_players(ana.open("poison", [None, "master", "master"]), ana)
    others = seat_players(bo.open("shokoba", [None, None]), bo, cy)
    client.until(lambda: client.view["to_act"] == 0)
    client.play(client.view["legal"][0])
    signal_bot_processes(own_server.process.pid, signal.SIGSTOP)  # until SIGCONT
    for _ in range(3):
        mover = others[others[0].view["to_act"]]
        mover.play(mover.view["legal"][0])
        others[0].reach(mover.version)
        others[1].reach(mover.version)
    before = client.version
    assert client.do("ping") == before, "the bot is still stopped"
    signal_bot_processes(own_server.process.pid, signal.SIGCONT)
    client.until(lambda: client.version > before)
    assert client.last("moved")["bot"] == "master"


def match_of(seed: int) -> Match:
    """A match in its first position."""
    return Match(find("shokoba"), {"players": 2}, seed=seed.to_bytes(32, "big"))


def test_every_request_of_a_killed_process_gets_a_move() -> None:
    pool = BotPool(1)

    async def ask_many() -> list[str]:
        matches = [match_of(seed) for seed in range(6)]
        answers = asyncio.gather(*(pool.ask(match, "medium") for match in matches))
        await asyncio.to_thread(signal_bot_processes, os.getpid(), signal.SIGKILL)
        for match, move in zip(matches, await answers, strict=True):
            assert move in match.legal()
        return await asyncio.gather(*(pool.ask(match, "medium") for match in matches))

    try:
        assert len(asyncio.run(ask_many())) == 6
    finally:
        pool.stop()


def test_a_bot_that_takes_too_long_is_given_up_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = BotPool(1)

    async def ask_two() -> None:
        await pool.ask(match_of(1), "medium")
        monkeypatch.setattr(bot_pool, "BOT_TIMEOUT_S", 0.3)
        slow = asyncio.create_task(pool.ask(match_of(1), "search:ms=5000"))
        await asyncio.sleep(0)
        monkeypatch.setattr(bot_pool, "BOT_TIMEOUT_S", RESPONSE_TIMEOUT_S)
        quick = asyncio.create_task(pool.ask(match_of(2), "medium"))
        with pytest.raises(BadBot, match="gave no answer"):
            await slow
        assert await quick in match_of(2).legal()

    try:
        asyncio.run(ask_two())
    finally:
        pool.stop()


def test_what_a_bot_is_asked_holds_no_more_than_its_view() -> None:
    match = match_of(3)
    task = bot_pool.task_for(match, "easy")
    assert match.seed is not None
    assert task.view == match.look(match.to_act).tobytes()
    assert task.seed == next(seal.words(match.seed, f"bot {match.to_act}"))
    agreed = {"game", "options", "first", "level", "seed", "speed"}
    assert set(task._fields) == agreed | {"view", "legal"}
