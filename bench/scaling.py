"""Several processes of our server on one PostgreSQL and one Redis: what each of them adds.

The tables are divided among the processes, and all players of a table are connected to the same
one, as behind a proxy that balances by table. Every move is on PostgreSQL's disk before any client
sees it. `update_ms` is the median time until the last of the four sockets gets the update, and
`stores_cpu_ms_per_move` is what PostgreSQL and Redis use.

Run with `python -m bench.scaling --database postgresql://… --channels redis://…`. The database must
be empty, and PostgreSQL and Redis must run on this machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import psutil
import uvloop
from rich.table import Table

from bench import processes, report
from bench.processes import Process
from bench.server import percentiles, settle
from bench.sockets import LoadGenerator
from bench.wires import Theriac

COUNTS = (1, 2, 4)
#: Tables in all, and for how long they play, in seconds.
TABLES, SECONDS = 200, 15.0
QUICK_TABLES, QUICK_SECONDS = 40, 4.0
#: The programs whose CPU time is counted as that of the stores.
STORES = ("postgres", "redis-server")


def stores_cpu() -> float:
    """The CPU seconds of PostgreSQL and Redis so far, those of closed connections included."""
    running = psutil.process_iter(["name", "cpu_times"])
    times = [process.info["cpu_times"] for process in running if process.info["name"] in STORES]
    return float(sum(t.user + t.system + t.children_user + t.children_system for t in times if t))


async def flat_out(servers: Sequence[Process], tables: int, seconds: float) -> dict[str, Any]:
    """Play at all tables as fast as the servers let us."""
    loads = [LoadGenerator(Theriac(), server.address) for server in servers]
    for load in loads:
        await load.open_tables(tables // len(loads))
    for server in servers:
        await settle(server)
    cpu, stores, begun = sum(server.cpu() for server in servers), stores_cpu(), perf_counter()
    await asyncio.gather(*(load.play_flat_out(seconds) for load in loads))
    taken = perf_counter() - begun
    moves = [move for load in loads for move in load.tally.moves]
    own = sum(server.cpu() for server in servers) - cpu
    result = {
        "processes": len(servers),
        "moves_per_second": round(len(moves) / taken),
        "update_ms": percentiles([move.broadcast - move.sent for move in moves])["p50"],
        "cpu_ms_per_move": round(1000 * own / len(moves), 3),
        "stores_cpu_ms_per_move": round(1000 * (stores_cpu() - stores) / len(moves), 3),
    }
    for load in loads:
        await load.leave()
    return result


def measure(folder: Path, arguments: Any) -> list[dict[str, Any]]:
    """Measure each number of processes."""
    tables, seconds = (QUICK_TABLES, QUICK_SECONDS) if arguments.quick else (TABLES, SECONDS)
    more = ("--channels", arguments.channels)
    results = []
    for count in COUNTS:
        with contextlib.ExitStack() as running:
            servers = [
                running.enter_context(
                    processes.theriac(arguments.database, folder / f"server{number}.log", *more)
                )
                for number in range(count)
            ]
            results.append(uvloop.run(flat_out(servers, tables, seconds)))
            report.console.print(results[-1])
    return results


def show(results: Sequence[dict[str, Any]]) -> None:
    """Print a row for each number of processes."""
    table = Table(title="Flat out on one PostgreSQL and one Redis", title_justify="left")
    for name in results[0]:
        table.add_column(name.replace("_", " "), justify="right")
    for result in results:
        table.add_row(*(str(value) for value in result.values()))
    report.console.print(table)


def main() -> None:
    """Measure, print, and write the results."""
    arguments = report.arguments(
        "Several processes of our server on one PostgreSQL and one Redis.",
        "scaling",
        database={"required": True, "help": "an empty database: postgresql://…"},
        channels={"required": True, "help": "redis://…"},
    )
    machine = report.show_machine()
    with tempfile.TemporaryDirectory(prefix="theriac-bench-") as folder:
        results = measure(Path(folder), arguments)
    show(results)
    report.write(arguments.name, machine, {"scaling": results})


if __name__ == "__main__":
    main()
