"""Gestures and presence reach delayed spectators late, over one queue and one timer per table."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.server.table_harness import TableHarness
from theriac.server.limits import Limits
from theriac.server.tables.delayed import DelayedSignal, DelayedSignals
from theriac.server.tables.session import Client, TableSession


def timers(loop: asyncio.AbstractEventLoop) -> int:
    """The number of timers that an event loop holds."""
    scheduled: list[Any] = loop._scheduled  # type: ignore[attr-defined]
    return sum(1 for timer in scheduled if not timer.cancelled())


def no_disconnect(code: int, reason: str) -> None:
    """No client of these tests is disconnected."""
    raise AssertionError(reason)


def test_late_watchers_share_one_timer_and_a_bounded_queue() -> None:
    async def make_gestures() -> None:
        loop = asyncio.get_running_loop()
        table = TableHarness("shokoba", [None, None], delay=3600).table
        session = TableSession(table, Limits(delayed_signals=20))
        for _ in range(50):
            session.clients.add(Client(None, lambda message: None, no_disconnect))
        before = timers(loop)
        for number in range(1000):
            session.broadcast(b"gesture %d" % number)
            session.send_presence(frozenset({number % 2}))
        assert timers(loop) <= before + 1
        session.cancel_timers()
        assert timers(loop) == before

    asyncio.run(make_gestures())


def test_signals_come_late_and_in_order_and_are_freed() -> None:
    async def send() -> None:
        loop = asyncio.get_running_loop()
        sent: list[tuple[float, DelayedSignal]] = []
        signals = DelayedSignals(0.05, 3, lambda signal: sent.append((loop.time(), signal)))
        added = loop.time()
        signals.add(b"one")
        signals.add(b"present", frozenset({0}))
        signals.add(b"two")
        signals.add(b"dropped")
        signals.add(b"now", frozenset({1}))  # presence is the state: it replaces the last signal
        assert timers(loop) == 1 and not sent
        while len(signals):
            await asyncio.sleep(0.01)
        assert [signal.message for _, signal in sent] == [b"one", b"present", b"now"]
        assert sent[-1][1].present == frozenset({1}) and timers(loop) == 0
        assert all(at >= added + 0.05 for at, _ in sent), "sent too early"
        signals.add(b"again")
        while len(signals):
            await asyncio.sleep(0.01)
        assert sent[-1][1].message == b"again"

    asyncio.run(send())


def test_a_spectator_who_took_a_seat_gets_no_old_signal() -> None:
    async def send() -> None:
        table = TableHarness("shokoba", [None, None], delay=1).table
        session = TableSession(table, Limits())
        heard: list[bytes] = []
        client = Client("ana", heard.append, no_disconnect)
        session.clients.add(client)
        session.broadcast(b"old")
        client.viewpoint = 0
        session.broadcast(b"new")
        await asyncio.sleep(1.1)
        assert heard == [b"new"]

    asyncio.run(send())
