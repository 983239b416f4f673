"""Work that takes long runs in one thread, and addresses take turns."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable

import pytest

from theriac.server.http.fair_thread import FairThread


def with_thread(test: Callable[[FairThread], Awaitable[None]]) -> None:
    async def run() -> None:
        thread = FairThread()
        try:
            await test(thread)
        finally:
            thread.stop()

    asyncio.run(run())


def test_one_thing_is_done_at_a_time_and_addresses_take_turns() -> None:
    done: list[str] = []
    running: set[str] = set()

    def work(name: str) -> str:
        assert not running
        running.add(name)
        time.sleep(0.01)
        running.discard(name)
        done.append(name)
        assert threading.current_thread() is not threading.main_thread()
        return name.upper()

    async def test(thread: FairThread) -> None:
        many = [thread.run("many", work, f"many {number}") for number in range(8)]
        asked = [asyncio.ensure_future(one) for one in many]
        await asyncio.sleep(0)
        assert await thread.run("one", work, "one") == "ONE"
        assert len(done) <= 3, "it does not wait for all the others"
        assert await asyncio.gather(*asked) == [f"MANY {number}" for number in range(8)]

    with_thread(test)


def test_an_error_reaches_who_asked_and_the_next_is_done() -> None:
    async def test(thread: FairThread) -> None:
        with pytest.raises(ZeroDivisionError):
            await thread.run("a", lambda: 1 // 0)
        assert await thread.run("a", lambda: 5) == 5

    with_thread(test)


def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    begun: list[str] = []
    free = threading.Event()

    async def test(thread: FairThread) -> None:
        first = asyncio.ensure_future(thread.run("a", free.wait))
        second = asyncio.ensure_future(thread.run("a", begun.append, "second"))
        third = asyncio.ensure_future(thread.run("a", begun.append, "third"))
        await asyncio.sleep(0)
        first.cancel()
        second.cancel()
        await asyncio.sleep(0)
        free.set()
        await third
        assert begun == ["third"]

    with_thread(test)
