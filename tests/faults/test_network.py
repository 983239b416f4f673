"""A network that loses, delays, repeats and reorders messages and breaks connections: all clients
end with the same table, and no request is applied twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.faults import LONG
from tests.faults.network import FaultyProxy, NetworkFaults
from tests.faults.random_players import RandomPlayers, table_requests
from tests.faults.server import Server
from tests.faults.store_check import check_all, read_store
from tests.faults.waiting import until

NETWORKS: dict[str, dict[str, Any]] = {
    "lost": {"lost": 0.1},
    "delayed": {"delayed": 0.2},
    "repeated": {"repeated": 0.3},
    "broken": {"broken": 0.03},
    "everything": {"lost": 0.05, "delayed": 0.1, "repeated": 0.1, "broken": 0.02},
}


async def play_over(folder: Path, faults: NetworkFaults, replies: int, tables: int) -> Counter[str]:
    """Random players at many tables over a bad network; the counts of the check."""
    random = Random()
    database = str(folder / "tables.sqlite")
    server = Server(folder, database)
    await server.start()
    proxy = FaultyProxy(lambda: server.address, faults, random)
    players = RandomPlayers(random, lambda: proxy.address)

    def enough() -> bool:
        seen = all(faults.counts[kind] for kind in faults.kinds)
        return seen and players.acknowledged_count > replies and players.move_count > 20

    try:
        await players.open_tables(server, table_requests(tables, random))
        async with proxy.running(), players.playing():
            await until(enough, f"{replies} replies and every kind of fault", 600)
            proxy.faults = NetworkFaults()
    finally:
        await server.stop()
    counts = check_all(players.tables, await read_store(database))
    assert server.logged_errors() == []
    return counts + faults.counts


@pytest.mark.parametrize("network", NETWORKS if LONG else ["everything"])
def test_over_a_bad_network_all_clients_end_with_the_same_table(
    network: str, tmp_path: Path
) -> None:
    replies, tables = (1500, 6) if LONG else (60, 3)
    faults = NetworkFaults(**NETWORKS[network])
    counts = asyncio.run(play_over(tmp_path, faults, replies, tables))
    print(f"{network}: {dict(counts)}")
    assert counts["moves"] > 20
