"""Our server and boardgame.io's under the same load, on the same machine, in one run.

Ours has every move on disk (SQLite) before any client sees it; boardgame.io's keeps everything in
memory. Each runs alone with the load generator, which is one process. `answered_ms` is the time
until the player who moved gets the reply (boardgame.io sends none: there it is the player's own
update), `told_ms` the time until the last of the four sockets gets the update.

A processor that has gone idle takes time to wake, and that time counts as the server's. `--awake`
measures the offered load once more while every core runs an endless loop at the lowest priority: no
core goes idle then, and the loops give way to everything else at once.

Run with `python -m bench.server`, or by `make bench`. Without Node only ours is measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import uvloop
from rich.table import Table

from bench import processes, report
from bench.processes import Process
from bench.sockets import LoadGenerator
from bench.wires import BoardgameIo, Floor, Theriac, Wire
from theriac.game import all_games

#: The offered load, in moves per second.
RATE = 500
#: How long a server warms up before it is measured, in seconds.
WARM_UP_S = 2.0
#: Never ends, and gets only what no other program wants (Linux).
ENDLESS = """import os
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
while True:
    pass
"""
#: A server that uses less CPU time than this in a second is idle. Ours loads the rules of all games
#: after it has started to serve; neither that nor opening a thousand tables is the cost of moves.
IDLE_CPU_S = 0.1


class Peer:
    """A server to measure: how to start it and how to talk to it."""

    name: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, store: str) -> Process:
        """Start it, with a store of that name."""
        raise NotImplementedError

    def wire(self) -> Wire:
        """Its protocol."""
        raise NotImplementedError

    def lag(self, process: Process) -> dict[str, float]:
        """The longest lag of its event loop since the last call, in milliseconds."""
        raise NotImplementedError


class Ours(Peer):
    """`theriac serve`."""

    name = "Theriac"

    def start(self, store: str) -> Process:
        """With a SQLite file."""
        return processes.theriac(self.folder / f"{store}.sqlite", self.folder / "theriac.log")

    def wire(self) -> Wire:
        """Poison for four players."""
        return Theriac("poison", 4)

    def lag(self, process: Process) -> dict[str, float]:
        """The lag, and the CPU time within it: the machine may be busy with something else."""
        metrics = process.get("/metrics")[1]
        found = re.findall(r"^theriac_loop_longest_(lag|work)_seconds (\S+)", metrics, re.MULTILINE)
        return {name: round(1000 * float(seconds), 1) for name, seconds in found}


class Theirs(Peer):
    """The server of boardgame.io. It has no store."""

    name = "boardgame.io"

    def start(self, store: str) -> Process:
        """With Node."""
        return processes.boardgame_io(self.folder / "boardgame_io.log")

    def wire(self) -> Wire:
        """A game for four players with messages of the same size."""
        return BoardgameIo()

    def lag(self, process: Process) -> dict[str, float]:
        """The lag that Node itself measures."""
        return {"lag": round(json.loads(process.get("/lag")[1])["longest_ms"], 1)}


class Least(Peer):
    """What reading, storing and sending cost alone (`bench.floor`); the moves are written by a
    thread, by the event loop, or not at all.
    """

    def __init__(self, folder: Path, how: str) -> None:
        super().__init__(folder)
        self._how = how
        self.name = f"floor, {how}"

    def start(self, store: str) -> Process:
        """With a SQLite file."""
        database = self.folder / f"{store}-{self._how}.sqlite"
        return processes.floor(database, self.folder / "floor.log", self._how)

    def wire(self) -> Wire:
        """Messages of the same size."""
        return Floor()

    def lag(self, process: Process) -> dict[str, float]:
        """It does not measure its lag."""
        return {}


# Measuring


async def under_load(
    peer: Peer,
    process: Process,
    tables: int,
    play: Callable[[LoadGenerator], Awaitable[float | None]],
) -> dict[str, Any]:
    """Measure a server while players play at this many tables."""
    await warm_up(peer, process)
    empty = process.memory()
    load = LoadGenerator(peer.wire(), process.address)
    await load.open_tables(tables)
    await settle(process)
    peer.lag(process)
    before, own, begun = process.cpu(), process_time(), perf_counter()
    latest = await play(load)
    seconds, cpu, own = perf_counter() - begun, process.cpu() - before, process_time() - own
    moves = load.tally.moves
    result = {
        "tables": tables,
        "sockets": 4 * tables,
        "moves": len(moves),
        "moves_per_second": round(len(moves) / seconds, 1),
        "answered_ms": percentiles([move.replied - move.sent for move in moves]),
        "told_ms": percentiles([move.broadcast - move.sent for move in moves]),
        "cpu_ms_per_move": round(1000 * cpu / len(moves), 3),
        "cpu_share": round(cpu / seconds, 2),
        "longest_lag_ms": peer.lag(process),
        "memory_mb": round(process.memory() / 1e6),
        "memory_per_table_kb": round((process.memory() - empty) / tables / 1000, 1),
        "bytes_per_message": round(load.tally.received / load.tally.messages),
        "held_moves": load.tally.delayed,
        "players_cpu_share": round(own / seconds, 2),
        "players_latest_ms": None if latest is None else round(1000 * latest, 1),
    }
    await load.leave()
    return result


async def warm_up(peer: Peer, process: Process) -> None:
    """Play for a while: the first moves of a server are slower."""
    load = LoadGenerator(peer.wire(), process.address)
    await load.open_tables(1)
    await load.play_flat_out(WARM_UP_S)
    await load.leave()
    await settle(process)


async def settle(process: Process) -> None:
    """Wait until the server is idle."""
    worked = IDLE_CPU_S
    while worked >= IDLE_CPU_S:
        before = process.cpu()
        await asyncio.sleep(1.0)
        worked = process.cpu() - before


def percentiles(times: Sequence[float]) -> dict[str, float]:
    """The median, the 99th percentile and the maximum, in milliseconds."""
    ordered = sorted(times)
    last = len(ordered) - 1
    at = {"p50": last // 2, "p99": round(0.99 * last), "most": last}
    return {name: round(1000 * ordered[place], 2) for name, place in at.items()}


async def offered(peer: Peer, tables: int, seconds: float) -> dict[str, Any]:
    """Many tables and a fixed rate: an open-loop load."""
    with peer.start("offered") as process:
        result = await under_load(
            peer, process, tables, lambda load: load.play_at_rate(RATE, seconds)
        )
    return {"offered_per_second": RATE, **result}


async def hurried(peer: Peer, tables: int, seconds: float) -> dict[str, Any]:
    """Fewer tables, as fast as they can: a closed-loop load. With this many tables no player
    reaches the rate limit.
    """
    with peer.start("hurried") as process:
        return await under_load(peer, process, tables, lambda load: load.play_flat_out(seconds))


def starting(peer: Peer, times: int) -> list[float]:
    """The seconds from the start of the process to its first response, with an existing store."""
    with peer.start("starting"):
        pass
    taken = []
    for _ in range(times):
        with peer.start("starting") as process:
            taken.append(round(process.starting, 2))
    return taken


async def first_moves(peer: Ours) -> dict[str, dict[str, float]]:
    """The lag of the event loop that the first table of each game causes, after a fresh start."""
    lags = {}
    with peer.start("first") as process:
        peer.lag(process)
        for game in all_games().values():
            load = LoadGenerator(Theriac(game.name, game.usual_players), process.address)
            await load.open_tables(1)
            await load.play_flat_out(0.5)
            lags[game.name] = peer.lag(process)
            await load.leave()
    return lags


def disk(folder: Path) -> float:
    """The median time of an `fdatasync` on this disk, in milliseconds."""
    times = []
    with (folder / "disk").open("wb", buffering=0) as file:
        for _ in range(100):
            file.write(bytes(4096))
            begun = perf_counter()
            os.fdatasync(file.fileno())
            times.append(perf_counter() - begun)
    return percentiles(times)["p50"]


@contextlib.contextmanager
def awake() -> Iterator[None]:
    """No core goes idle."""
    command = [sys.executable, "-c", ENDLESS]
    loops = [subprocess.Popen(command) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


# Report


def show(title: str, results: dict[str, dict[str, Any]]) -> None:
    """Print a table with a column for each server."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for name in results:
        table.add_column(name, justify="right")
    for row in next(iter(results.values())):
        table.add_row(row.replace("_", " "), *(_cell(result[row]) for result in results.values()))
    report.console.print(table)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number:g}" for name, number in value.items())
    return str(value)


async def measure(folder: Path, *, quick: bool, floor: bool, also_awake: bool) -> dict[str, Any]:
    """Run all measurements, one server after the other."""
    tables, seconds, few = (100, 5.0, 50) if quick else (1000, 30.0, 200)
    own = Ours(folder)
    peers: list[Peer] = [own]
    if floor:
        peers += [Least(folder, how) for how in ("thread", "loop", "memory")]
    if processes.install_boardgame_io():
        peers.append(Theirs(folder))
    else:
        report.console.print("Node is not installed: only our own server is measured")
    results: dict[str, Any] = {"disk_ms": disk(folder)}
    report.console.print(f"fdatasync takes {results['disk_ms']} ms")
    results["starting_s"] = {peer.name: starting(peer, 2 if quick else 5) for peer in peers}
    report.console.print(f"From start to first response, in seconds: {results['starting_s']}")
    results["first_moves_lag_ms"] = await first_moves(own)
    report.console.print(f"Lag of the first moves, in ms: {results['first_moves_lag_ms']}")
    results["offered"] = {peer.name: await offered(peer, tables, seconds) for peer in peers}
    show(f"{RATE} moves/s offered at {tables} tables of 4 sockets", results["offered"])
    if also_awake:
        with awake():
            results["offered_awake"] = {
                peer.name: await offered(peer, tables, seconds) for peer in peers
            }
        show("The same while no core goes idle", results["offered_awake"])
    results["hurried"] = {peer.name: await hurried(peer, few, seconds / 2) for peer in peers}
    show(f"As fast as it can with {few} tables of 4 sockets", results["hurried"])
    return results


def main() -> None:
    """Measure, print, and write the results."""
    floor = {"action": "store_true", "help": "measure bench.floor, too"}
    arguments = report.arguments(
        "Our server beside boardgame.io's, under load.",
        "server",
        floor=floor,
        awake={"action": "store_true", "help": "measure the offered load without idle cores, too"},
    )
    machine = report.show_machine()
    with tempfile.TemporaryDirectory(prefix="theriac-bench-") as folder:
        given = {"quick": arguments.quick, "floor": arguments.floor}
        results = uvloop.run(measure(Path(folder), **given, also_awake=arguments.awake))
    report.write(arguments.name, machine, results)


if __name__ == "__main__":
    main()
