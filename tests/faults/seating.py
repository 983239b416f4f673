"""A table where nobody does anything unless a test says so."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Any

from tests.faults.client import Client
from tests.faults.crowd import admit
from tests.faults.serving import Server
from tests.faults.waiting import until


@contextlib.asynccontextmanager
async def sitting(
    opener: Server, servers: Sequence[Server], **wish: Any
) -> AsyncIterator[list[Client]]:
    """A table opened at one server, and people who take its seats 0, 1, …, each at a server.

    Without any, one person watches at the opener's.
    """
    people: list[Client] = []
    lines: list[asyncio.Task[None]] = []
    table = ""
    try:
        for seat, server in enumerate(servers or [opener]):
            key = await admit(opener, f"Person {seat}")
            table = table or (await opener.ask("POST", "/api/tables", key, json=wish))["table"]
            person = Client(table, key, lambda server=server: server.address, Random())  # type: ignore[misc]
            people.append(person)
            lines.append(asyncio.create_task(person.run()))
            await until(lambda person=person: not person.busy, "a welcome")  # type: ignore[misc]
            if servers:
                await person.ask(do="sit", seat=seat, nonce=f"nonce {seat}")
        await until(lambda: not any(person.busy for person in people), "seats")
        yield people
    finally:
        for line in lines:
            line.cancel()
        await asyncio.gather(*lines, return_exceptions=True)


async def play_until_anothers_turn(client: Client) -> None:
    """Make moves until it is another's turn."""
    while client.view is None or client.view["to_act"] == client.seat:
        if client.view is not None and not client.busy:
            move = client.view["legal"][0]
            await client.ask(do="move", move=move, version=client.version)
        await asyncio.sleep(0.05)


def kinds(client: Client) -> list[str]:
    """The events that a client has heard of."""
    return [client.heard[version]["event"]["kind"] for version in sorted(client.heard)]
