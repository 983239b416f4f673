"""Our server and that of boardgame.io under the same load, on the same machine, in one run.

Ours keeps every move on disk (SQLite) before anybody hears of it; boardgame.io's keeps all in
memory. Each has the machine to itself beside the players, who are one process of their own. A move
is answered when its player hears that it is made (boardgame.io sends no answer: there it is the
player's own update), and told when the last of the four sockets has heard of it.

Run with `python -m bench.server`. Node must be there for boardgame.io; without it only ours is
measured.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import uvloop
from rich.table import Table

from bench import processes, report
from bench.processes import Process
from bench.sockets import Crowd
from bench.wires import BoardgameIo, Theriac, Wire

THEIRS = Path(__file__).parent / "boardgame_io"
#: Moves a second that are offered.
RATE = 500


class Peer:
    """A server to be measured: how it is started and spoken to."""

    def __init__(
        self,
        name: str,
        start: Callable[[], Process],
        wire: Callable[[], Wire],
        lag: Callable[[Process], dict[str, float]],
    ) -> None:
        self.name = name
        self.start = start
        self.wire = wire
        self.lag = lag


def ours(folder: Path) -> Peer:
    """`theriac serve`, each time on a new file."""
    numbers = iter(range(1000))

    def start() -> Process:
        return processes.theriac(folder / f"{next(numbers)}.sqlite", folder / "theriac.log")

    return Peer("Theriac", start, Theriac, our_lag)


def our_lag(process: Process) -> dict[str, float]:
    """How long the event loop was blocked at most since this was last asked, in milliseconds; and
    by its own work, should the machine have other things to do.
    """
    told = process.get("/metrics")[1]
    found = re.findall(r"^theriac_loop_longest_(lag|work)_seconds (\S+)", told, re.MULTILINE)
    return {name: round(1000 * float(seconds), 1) for name, seconds in found}


def theirs(folder: Path) -> Peer | None:
    """The server of boardgame.io; None without Node."""
    if shutil.which("npm") is None:
        report.console.print("Node is not installed: only our own server is measured")
        return None
    if not (THEIRS / "node_modules").is_dir():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=THEIRS, check=True)  # noqa: S607

    def start() -> Process:
        return processes.boardgame_io(THEIRS, folder / "boardgame_io.log")

    return Peer("boardgame.io", start, BoardgameIo, their_lag)


def their_lag(process: Process) -> dict[str, float]:
    """The same, as Node's own watch tells it."""
    return {"lag": round(json.loads(process.get("/lag")[1])["longest_ms"], 1)}


# Measuring


async def under_load(
    peer: Peer, process: Process, tables: int, play: Callable[[Crowd], Any]
) -> dict[str, Any]:
    """What a server needs while players play at so many tables."""
    empty = process.memory()
    crowd = Crowd(peer.wire(), process.address)
    await crowd.gather(tables)
    peer.lag(process)
    seated, before, own = process.memory(), process.cpu(), process_time()
    begun = perf_counter()
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
        "memory_per_table_kb": round((seated - empty) / tables / 1000, 1),
        "bytes_per_message": round(crowd.tally.received / crowd.tally.messages),
        "held_moves": crowd.tally.held,
        "players_cpu_share": round(own / seconds, 2),
        "players_latest_ms": None if latest is None else round(1000 * latest, 1),
    }
    await crowd.leave()
    return told


def spread(times: Sequence[float]) -> dict[str, float]:
    """The middle, the worst of a hundred, and the worst, in milliseconds."""
    ordered = sorted(times)
    last = len(ordered) - 1
    at = {"p50": last // 2, "p99": round(0.99 * last), "most": last}
    return {name: round(1000 * ordered[place], 2) for name, place in at.items()}


async def offered(peer: Peer, tables: int, seconds: float) -> dict[str, Any]:
    """Many tables, and a load that does not wait for the server."""
    process = peer.start()
    try:
        told = await under_load(peer, process, tables, lambda crowd: crowd.offer(RATE, seconds))
    finally:
        process.stop()
    return {"offered_per_second": RATE, **told}


async def hurried(peer: Peer, tables: int, seconds: float) -> dict[str, Any]:
    """A few tables as fast as they can."""
    process = peer.start()
    try:
        return await under_load(peer, process, tables, lambda crowd: crowd.hurry(seconds))
    finally:
        process.stop()


def starting(peer: Peer, times: int) -> list[float]:
    """From the start of the process to its first answer, in seconds; on a store that is there."""
    taken = []
    for _ in range(times):
        process = peer.start()
        taken.append(round(process.starting, 2))
        process.stop()
    return taken


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


async def measure(quick: bool) -> dict[str, Any]:
    """Everything, both servers in turns."""
    tables, seconds, few = (100, 5.0, 20) if quick else (1000, 30.0, 50)
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="theriac-bench-") as made:
        peers = [peer for peer in (ours(Path(made)), theirs(Path(made))) if peer is not None]
        results["starting_s"] = {peer.name: starting(peer, 2 if quick else 5) for peer in peers}
        report.console.print(f"From start to first answer, in seconds: {results['starting_s']}")
        results["offered"] = {p.name: await offered(p, tables, seconds) for p in peers}
        show(f"{RATE} moves/s offered at {tables} tables of 4 sockets", results["offered"])
        results["hurried"] = {p.name: await hurried(p, few, seconds / 2) for p in peers}
        show(f"As fast as it can with {few} tables of 4 sockets", results["hurried"])
    return results


def main() -> None:
    """Measure, show, keep."""
    arguments = report.arguments("Our server beside boardgame.io's, under load.", "server")
    machine = report.show_machine()
    results = uvloop.run(measure(arguments.quick))
    report.write(arguments.name, machine, results)


if __name__ == "__main__":
    main()
