"""A table where clients do nothing until the test says so."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Any

from tests.faults.client import Client
from tests.faults.random_players import create_player
from tests.faults.server import Server
from tests.faults.waiting import until


@contextlib.asynccontextmanager
async def seated_clients(
    opener: Server, servers: Sequence[Server], **fields: Any
) -> AsyncIterator[list[Client]]:
    """A table opened on one server, and clients who take its seats 0, 1, …, each on its own server.

    Without `servers`, one spectator on the server that opened the table.
    """
    clients: list[Client] = []
    connections: list[asyncio.Task[None]] = []
    table = ""
    try:
        for seat, server in enumerate(servers or [opener]):
            key = await create_player(opener, f"Player {seat}")
            table = table or (await opener.ask("POST", "/api/tables", key, json=fields))["table"]
            client = Client(table, key, lambda server=server: server.address, Random())  # type: ignore[misc]
            clients.append(client)
            connections.append(asyncio.create_task(client.run()))
            await until(lambda client=client: not client.busy, "a welcome")  # type: ignore[misc]
            if servers:
                await client.ask(do="sit", seat=seat, nonce=f"nonce {seat}")
        await until(lambda: not any(client.busy for client in clients), "seats")
        yield clients
    finally:
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections, return_exceptions=True)


async def play_until_turn_passes(client: Client) -> None:
    """Make moves until it is another seat's turn."""
    while client.view is None or client.view["to_act"] == client.seat:
        if client.view is not None and not client.busy:
            move = client.view["legal"][0]
            await client.ask(do="move", move=move, version=client.version)
        await asyncio.sleep(0.05)


def kinds(client: Client) -> list[str]:
    """The kinds of the events that a client has received."""
    return [client.received[version]["event"]["kind"] for version in sorted(client.received)]
