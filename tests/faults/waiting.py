"""Waiting for what must come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from tests.faults.serving import Server

#: How long to wait for what must come, in seconds: other programs may keep the machine busy.
PATIENCE = 120.0


async def until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait until something holds."""

    async def look() -> bool:
        return holds()

    await until_found(look, what, seconds)


async def until_found(
    look: Callable[[], Awaitable[bool]], what: str, seconds: float = PATIENCE
) -> None:
    """Wait until a look at something finds that it holds."""
    try:
        async with asyncio.timeout(seconds):
            while not await look():
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"not within {seconds} seconds: {what}") from None


async def until_health(server: Server, status: int) -> dict[str, Any]:
    """Wait until /healthz answers with a status; what it says then."""
    said: dict[str, Any] = {}

    async def look() -> bool:
        async with httpx.AsyncClient(timeout=PATIENCE) as http:
            answer = await http.get(f"http://{server.address}/healthz")
        said.update(answer.json())
        return answer.status_code == status

    await until_found(look, f"/healthz answers with {status}")
    return said
