"""What an operator does in the store reaches every server on a PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from tests.faults.random_players import create_player
from tests.faults.server import Server
from tests.faults.services import PostgreSQL
from tests.faults.test_without_redis import two_servers
from tests.faults.waiting import until_checked
from theriac.server.admin import people
from theriac.server.admin.actions import read_actions
from theriac.server.admin.addresses import ban_address, unban_address
from theriac.server.store.database import database_url
from theriac.server.store.store import Store


async def expect(server: Server, key: str, status: int) -> None:
    """Wait until a request with a key gets a status."""

    async def check() -> bool:
        async with httpx.AsyncClient(timeout=60) as http:
            headers = {"Authorization": f"Bearer {key}"}
            url = f"http://{server.address}/api/me/tables"
            return (await http.get(url, headers=headers)).status_code == status

    await until_checked(check, f"status {status}")


def test_a_ban_and_a_new_key_hold_at_every_server(postgres: PostgreSQL, tmp_path: Path) -> None:
    database = postgres.new_database()

    async def run() -> None:
        async with two_servers(tmp_path, database) as servers:
            key = await create_player(servers[0], "Ana")
            person = key.partition(".")[0]
            for server in servers:
                await expect(server, key, 200)  # both have the key in their cache
            store = Store(database_url(database))
            await people.ban(store, "op", person)
            for server in servers:
                await expect(server, key, 403)
            await people.unban(store, "op", person)
            new = str(await people.renew_key(store, "op", person))
            for server in servers:
                await expect(server, key, 401)
                await expect(server, new, 200)
            actions = [row.action for row in await read_actions(store)]
            assert actions == ["ban", "unban", "renew key"]
            await store.close()

    asyncio.run(run())


def test_a_ban_of_an_address_holds_at_every_server_and_after_a_restart(
    postgres: PostgreSQL, tmp_path: Path
) -> None:
    database = postgres.new_database()

    async def run() -> None:
        store = Store(database_url(database))
        async with two_servers(tmp_path / "a", database) as servers:
            key = await create_player(servers[0], "Ana")
            await ban_address(store, "op", "127.0.0.1")
            for server in servers:
                await expect(server, key, 403)
        async with two_servers(tmp_path / "b", database) as servers:
            for server in servers:
                await expect(server, key, 403)
            await unban_address(store, "op", "127.0.0.1")
            for server in servers:
                await expect(server, key, 200)
            rows = await read_actions(store)
            assert [row.action for row in rows] == ["ban address", "unban address"]
        await store.close()

    asyncio.run(run())
