"""Waiting for a condition, with a timeout."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from tests.faults.server import Server

#: How long a condition may take to become true: the machine may be busy.
CONDITION_TIMEOUT_S = 120.0


async def until(holds: Callable[[], bool], what: str, seconds: float = CONDITION_TIMEOUT_S) -> None:
    """Wait until a condition holds."""

    async def check() -> bool:
        return holds()

    await until_checked(check, what, seconds)


async def until_checked(
    check: Callable[[], Awaitable[bool]], what: str, seconds: float = CONDITION_TIMEOUT_S
) -> None:
    """Wait until a condition, checked asynchronously, holds."""
    try:
        async with asyncio.timeout(seconds):
            while not await check():
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"not within {seconds} seconds: {what}") from None


async def until_health(server: Server, status: int) -> dict[str, Any]:
    """Wait until /healthz responds with a status; its body."""
    body: dict[str, Any] = {}

    async def check() -> bool:
        async with httpx.AsyncClient(timeout=CONDITION_TIMEOUT_S) as http:
            response = await http.get(f"http://{server.address}/healthz")
        body.update(response.json())
        return response.status_code == status

    await until_checked(check, f"/healthz answers with {status}")
    return body
