"""Our server and that of boardgame.io under the same load, on the same machine, in one run.

Ours keeps every move on disk (SQLite) before anybody hears of it; boardgame.io's keeps all in
memory. Each has the machine to itself beside the players, who are one process of their own. A move
is answered when its player hears that it is made (boardgame.io sends no answer: there it is the
player's own update), and told when the last of the four sockets has heard of it.

Run with `python -m bench.server`, or by `make bench`. Without Node only ours is measured.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import uvloop
from rich.table import Table

from bench import processes, report
from bench.processes import Process
from bench.sockets import Crowd
from bench.wires import BoardgameIo, Theriac, Wire
from theriac.game import all_games

#: Moves a second that are offered.
RATE = 500
#: How long a server is played on before it is measured, in seconds.
SETTLING = 2.0
#: How much of a second a server works at most that does nothing. Ours loads the rules of all games
#: after it has begun to serve; what that needs, or opening a thousand tables, is not what moves
#: need.
IDLE = 0.1


class Peer:
    """A server to be measured: how it is started and spoken to."""

    name: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, store: str) -> Process:
        """Start it, on a store of that name."""
        raise NotImplementedError

    def wire(self) -> Wire:
        """How it is spoken to."""
        raise NotImplementedError

    def lag(self, process: Process) -> dict[str, float]:
        """How long its event loop was blocked at most since this was last asked, in
        milliseconds.
        """
        raise NotImplementedError


class Ours(Peer):
    """`theriac serve`."""

    name = "Theriac"

    def start(self, store: str) -> Process:
        """On a file of SQLite."""
        return processes.theriac(self.folder / f"{store}.sqlite", self.folder / "theriac.log")

    def wire(self) -> Wire:
        """Poison with four."""
        return Theriac("poison", 4)

    def lag(self, process: Process) -> dict[str, float]:
        """In all, and by its own work: a machine may have other things to do."""
        told = process.get("/metrics")[1]
        found = re.findall(r"^theriac_loop_longest_(lag|work)_seconds (\S+)", told, re.MULTILINE)
        return {name: round(1000 * float(seconds), 1) for name, seconds in found}


class Theirs(Peer):
    """The server of boardgame.io. It has no store."""

    name = "boardgame.io"

    def start(self, store: str) -> Process:
        """With Node."""
        return processes.boardgame_io(self.folder / "boardgame_io.log")

    def wire(self) -> Wire:
        """A game of four that is as large."""
        return BoardgameIo()

    def lag(self, process: Process) -> dict[str, float]:
        """As Node's own watch tells it."""
        return {"lag": round(json.loads(process.get("/lag")[1])["longest_ms"], 1)}


# Measuring


async def under_load(
    peer: Peer, process: Process, tables: int, play: Callable[[Crowd], Awaitable[float | None]]
) -> dict[str, Any]:
    """What a server needs while players play at so many tables."""
    await warm_up(peer, process)
    empty = process.memory()
    crowd = Crowd(peer.wire(), process.address)
    await crowd.gather(tables)
    await settle(process)
    peer.lag(process)
    before, own, begun = process.cpu(), process_time(), perf_counter()
    latest = await play(crowd)
    seconds, cpu, own = perf_counter() - begun, process.cpu() - before, process_time() - own
    moves = crowd.tally.moves
    told = {
        "tables": tables,
        "sockets": 4 * tables,
        "moves": len(moves),
        "moves_per_second": round(len(moves) / seconds, 1),
        "answered_ms": spread([move.answered - move.sent for move in moves]),
        "told_ms": spread([move.told - move.sent for move in moves]),
        "cpu_ms_per_move": round(1000 * cpu / len(moves), 3),
        "cpu_share": round(cpu / seconds, 2),
        "longest_lag_ms": peer.lag(process),
        "memory_mb": round(process.memory() / 1e6),
        "memory_per_table_kb": round((process.memory() - empty) / tables / 1000, 1),
        "bytes_per_message": round(crowd.tally.received / crowd.tally.messages),
        "held_moves": crowd.tally.held,
        "players_cpu_share": round(own / seconds, 2),
        "players_latest_ms": None if latest is None else round(1000 * latest, 1),
    }
    await crowd.leave()
    return told


async def warm_up(peer: Peer, process: Process) -> None:
    """Play a little: a server that has just started is not what is to be measured."""
    crowd = Crowd(peer.wire(), process.address)
    await crowd.gather(1)
    await crowd.hurry(SETTLING)
    await crowd.leave()
    await settle(process)


async def settle(process: Process) -> None:
    """Wait until it has done what it still had to do: after its start, or for tables that open."""
    worked = IDLE
    while worked >= IDLE:
        before = process.cpu()
        await asyncio.sleep(1.0)
        worked = process.cpu() - before


def spread(times: Sequence[float]) -> dict[str, float]:
    """The middle, the worst of a hundred, and the worst, in milliseconds."""
    ordered = sorted(times)
    last = len(ordered) - 1
    at = {"p50": last // 2, "p99": round(0.99 * last), "most": last}
    return {name: round(1000 * ordered[place], 2) for name, place in at.items()}


async def offered(peer: Peer, tables: int, seconds: float) -> dict[str, Any]:
    """Many tables, and a load that does not wait for the server."""
    with peer.start("offered") as process:
        told = await under_load(peer, process, tables, lambda crowd: crowd.offer(RATE, seconds))
    return {"offered_per_second": RATE, **told}


async def hurried(peer: Peer, tables: int, seconds: float) -> dict[str, Any]:
    """Fewer tables as fast as they can: enough that no player is too fast for the limits."""
    with peer.start("hurried") as process:
        return await under_load(peer, process, tables, lambda crowd: crowd.hurry(seconds))


def starting(peer: Peer, times: int) -> list[float]:
    """From the start of the process to its first answer, in seconds, on a store that is there."""
    with peer.start("starting"):
        pass
    taken = []
    for _ in range(times):
        with peer.start("starting") as process:
            taken.append(round(process.starting, 2))
    return taken


async def first_moves(peer: Ours) -> dict[str, dict[str, float]]:
    """How long the event loop is blocked by the first table of each game, in a server that has
    just started.
    """
    told = {}
    with peer.start("first") as process:
        peer.lag(process)
        for game in all_games().values():
            crowd = Crowd(Theriac(game.name, game.usual_players), process.address)
            await crowd.gather(1)
            await crowd.hurry(0.5)
            told[game.name] = peer.lag(process)
            await crowd.leave()
    return told


def disk(folder: Path) -> float:
    """How long this disk needs until something is on it: the middle of many times, in
    milliseconds.
    """
    times = []
    with (folder / "disk").open("wb", buffering=0) as file:
        for _ in range(100):
            file.write(bytes(4096))
            begun = perf_counter()
            os.fdatasync(file.fileno())
            times.append(perf_counter() - begun)
    return spread(times)["p50"]


# Showing


def show(title: str, results: dict[str, dict[str, Any]]) -> None:
    """A column for each server."""
    table = Table(title=title, title_justify="left")
    table.add_column("")
    for name in results:
        table.add_column(name, justify="right")
    for row in next(iter(results.values())):
        table.add_row(row.replace("_", " "), *(_told(result[row]) for result in results.values()))
    report.console.print(table)


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number:g}" for name, number in value.items())
    return str(value)


async def measure(folder: Path, *, quick: bool) -> dict[str, Any]:
    """Everything, both servers in turns."""
    tables, seconds, few = (100, 5.0, 50) if quick else (1000, 30.0, 200)
    own = Ours(folder)
    peers: list[Peer] = [own]
    if processes.install_boardgame_io():
        peers.append(Theirs(folder))
    else:
        report.console.print("Node is not installed: only our own server is measured")
    results: dict[str, Any] = {"disk_ms": disk(folder)}
    report.console.print(f"The disk needs {results['disk_ms']} ms")
    results["starting_s"] = {peer.name: starting(peer, 2 if quick else 5) for peer in peers}
    report.console.print(f"From start to first answer, in seconds: {results['starting_s']}")
    results["first_moves_lag_ms"] = await first_moves(own)
    report.console.print(f"Blocked by first moves, in ms: {results['first_moves_lag_ms']}")
    results["offered"] = {peer.name: await offered(peer, tables, seconds) for peer in peers}
    show(f"{RATE} moves/s offered at {tables} tables of 4 sockets", results["offered"])
    results["hurried"] = {peer.name: await hurried(peer, few, seconds / 2) for peer in peers}
    show(f"As fast as it can with {few} tables of 4 sockets", results["hurried"])
    return results


def main() -> None:
    """Measure, show, keep."""
    arguments = report.arguments("Our server beside boardgame.io's, under load.", "server")
    machine = report.show_machine()
    with tempfile.TemporaryDirectory(prefix="theriac-bench-") as folder:
        results = uvloop.run(measure(Path(folder), quick=arguments.quick))
    report.write(arguments.name, machine, results)


if __name__ == "__main__":
    main()
