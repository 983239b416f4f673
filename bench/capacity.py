"""How much memory our server needs for many tables in play and the idle sockets of their players.

Every table has a game in play and a socket for each of its players.

Run with `python -m bench.capacity`. Server and load generator need a file for each socket: where
the limit on open files (`ulimit -n`) is lower, there are fewer tables, and the memory of all of
them is estimated from those.
"""

from __future__ import annotations

import asyncio
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop
from rich.progress import Progress

from bench import processes, report
from bench.processes import Process
from bench.server import settle
from bench.sockets import LoadGenerator
from bench.wires import Theriac

TABLES, QUICK_TABLES = 10_000, 500
SEATS = 4
#: The files that a process needs beside sockets.
OTHER_FILES = 400
#: How long the sockets stay idle before the memory is measured, in seconds: longer than the
#: keep-alive pings take to reach all of them.
IDLE_S = 30.0


class ManyTables(LoadGenerator):
    """Tables in play, whose players do nothing."""

    def __init__(self, address: str, progress: Progress, tables: int) -> None:
        super().__init__(Theriac("poison", SEATS), address)
        self._progress = progress
        self._task = progress.add_task("Tables", total=tables)

    def opened(self, number: int) -> None:
        """Show the progress."""
        self._progress.advance(self._task)


async def measure(process: Process, tables: int) -> dict[str, Any]:
    """Open the tables, wait, and measure."""
    await settle(process)  # it loads the rules of all games
    empty = process.memory()
    begun = time.perf_counter()
    with Progress(console=report.console) as progress:
        load = ManyTables(process.address, progress, tables)
        await load.open_tables(tables)
    opening = time.perf_counter() - begun
    await asyncio.sleep(IDLE_S)
    before, since = process.cpu(), time.perf_counter()
    await asyncio.sleep(IDLE_S)
    share = (process.cpu() - before) / (time.perf_counter() - since)
    memory = process.memory()
    healthy = json.loads(process.get("/healthz")[1])["status"]
    return {
        "tables": tables,
        "sockets": SEATS * tables,
        "opening_s": round(opening),
        "memory_mb": round(memory / 1e6),
        "memory_empty_mb": round(empty / 1e6),
        "memory_per_table_kb": round((memory - empty) / tables / 1000, 1),
        f"estimated_mb_for_{TABLES}": round((empty + (memory - empty) / tables * TABLES) / 1e6),
        "idle_cpu_share": round(share, 3),
        "health": healthy,
    }


def main() -> None:
    """Measure, print, and write the results."""
    arguments = report.arguments("The memory of many tables and idle sockets.", "capacity")
    machine = report.show_machine()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    tables = min(QUICK_TABLES if arguments.quick else TABLES, (files - OTHER_FILES) // SEATS)
    with tempfile.TemporaryDirectory(prefix="theriac-bench-") as folder:
        database, log = Path(folder) / "tables.sqlite", Path(folder) / "theriac.log"
        with processes.theriac(database, log) as process:
            result = uvloop.run(measure(process, tables))
    for name, value in result.items():
        report.console.print(f"{name.replace('_', ' ')}: {value}")
    report.write(arguments.name, machine, {"capacity": result})


if __name__ == "__main__":
    main()
