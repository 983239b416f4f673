"""A network that loses, delays, repeats and mixes up messages, and breaks lines: everybody ends
with the same table, and nothing is done twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.faults import LONG
from tests.faults.crowd import Crowd, wishes
from tests.faults.ledger import check_all, read_store
from tests.faults.network import Network, Weather
from tests.faults.serving import Server
from tests.faults.waiting import until

WEATHERS: dict[str, dict[str, Any]] = {
    "lost": {"lost": 0.1},
    "late": {"late": 0.2},
    "twice": {"twice": 0.3},
    "broken": {"broken": 0.03},
    "everything": {"lost": 0.05, "late": 0.1, "twice": 0.1, "broken": 0.02},
}


async def play_in(folder: Path, weather: Weather, answers: int, tables: int) -> Counter[str]:
    """Many people at many tables over a bad network; what was counted."""
    random = Random()
    database = str(folder / "tables.sqlite")
    server = Server(folder, database)
    await server.start()
    network = Network(lambda: server.address, weather, random)
    crowd = Crowd(random, lambda: network.address)

    def enough() -> bool:
        seen = all(weather.happened[kind] for kind in weather.kinds)
        return seen and crowd.answers > answers and crowd.moves > 20

    try:
        await crowd.gather(server, wishes(tables, random))
        async with network.standing(), crowd.at_play():
            await until(enough, f"{answers} answers and some of all weather", 600)
            network.weather = Weather()
    finally:
        await server.stop()
    counts = check_all(crowd.parties, await read_store(database), copies=True)
    assert server.mistakes() == []
    return counts + weather.happened


@pytest.mark.parametrize("what", WEATHERS if LONG else ["everything"])
def test_over_a_bad_network_all_end_with_the_same_table(what: str, tmp_path: Path) -> None:
    answers, tables = (1500, 6) if LONG else (60, 3)
    weather = Weather(**WEATHERS[what])
    counts = asyncio.run(play_in(tmp_path, weather, answers, tables))
    print(f"{what}: {dict(counts)}")
    assert counts["moves"] > 20
