"""Waiting for what must come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable


async def until(holds: Callable[[], bool], what: str, seconds: float = 30) -> None:
    """Wait until something holds."""

    async def look() -> bool:
        return holds()

    await until_found(look, what, seconds)


async def until_found(look: Callable[[], Awaitable[bool]], what: str, seconds: float = 30) -> None:
    """Wait until a look at something finds that it holds."""
    try:
        async with asyncio.timeout(seconds):
            while not await look():
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"not within {seconds} seconds: {what}") from None
