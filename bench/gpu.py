"""Batches on a GPU: checked against the CPU, timed, and compared with Pgx.

First each game is checked: with every number of players and every option it is stepped and played
out on both devices, and all that a batch returns is compared byte for byte. Then two workloads are
timed: whole random games (`play_games`); and random steps with masks and observations
(`random_actions`, `step`, `masks`, `observations`) and automatic restarts. Where JAX and Pgx are
installed, Pgx's games are stepped in the same way in the same run.

One process per game package compiles and checks; then all are timed one after the other. Run with
`python -m bench.gpu`.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import queue
import statistics
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import theriac
from bench import gpu_peers, report
from bench.games import show
from theriac.engine.batch import Batch
from theriac.engine.gpu import batch as gpu_batch
from theriac.engine.gpu.batch import CudaBatch, need_gpu
from theriac.engine.gpu.plan import THREADS
from theriac.game import Game, find
from theriac.testing.setups import Setup, setups_of

#: Batch sizes: for steps, and for whole games.
N = 131_072
N_WHOLE_GAMES = 8 * N
#: The methods and properties of a batch that are compared.
METHODS = ("masks", "observations", "scores", "results")
PROPERTIES = ("to_act", "numbers", "ended", "rewards", "states")


# Checks


def compare(gpu: Batch, cpu: Batch) -> None:
    """Compare all results of two batches byte for byte."""
    for name in METHODS:
        _same(name, getattr(gpu, name)(), getattr(cpu, name)())
    for name in PROPERTIES:
        _same(name, getattr(gpu, name), getattr(cpu, name))


def _same(name: str, there: Any, here: Any) -> None:
    a, b = np.asarray(there), np.asarray(here)
    if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
        raise AssertionError(f"{name}: the results of the GPU and the CPU differ")


def check(setup: Setup, n: int, steps: int) -> None:
    """Step, play out and play whole games on both devices."""
    gpu, cpu = (
        setup.game.batch(setup.settings, n, device=device, seed=7, auto_reset=True)
        for device in ("cuda", "cpu")
    )
    for step in range(steps):
        if step % 8 == 0:
            compare(gpu, cpu)
        chosen, same = gpu.random_actions(), cpu.random_actions()
        _same("random_actions", chosen, same)
        changed = np.arange(n) % 5 == step % 5  # some of these are illegal
        actions = np.where(changed, (same + 1) % cpu.actions, same)
        _same(
            "clauses",
            gpu.step(actions if step % 2 else chosen),
            cpu.step(actions if step % 2 else same),
        )
    compare(gpu, cpu)
    _same("play_out", gpu.play_out(), cpu.play_out())
    compare(gpu, cpu)
    for there, here in zip(gpu.play_games(2, first=n), cpu.play_games(2, first=n), strict=True):
        _same("play_games", there, here)


def check_two(game: Game, n: int) -> None:
    """Check that a batch can be stepped with the actions of another."""
    first, second = (_batch(game, game.players[-1], n) for _ in range(2))
    for _ in range(60):
        second.random_actions()  # the same random numbers are drawn
        actions = first.random_actions()
        _same("clauses of two batches", second.step(actions), first.step(actions))
    _same("two batches", second.states, first.states)


# Timing


def seconds(work: Callable[[], Any], times: int) -> float:
    """The median time of some work on the GPU, measured with CUDA events."""
    from numba import cuda

    spent = []
    for _ in range(times):
        begin, end = cuda.event(), cuda.event()
        begin.record()
        work()
        end.record()
        end.synchronize()
        spent.append(begin.elapsed_time(end) / 1000)
    return float(statistics.median(spent))


def time_games(game: Game, players: int, n: int, quick: bool) -> dict[str, Any]:
    """Moves per second in whole random games."""
    batch = _batch(game, players, n)
    batch.play_games(1)
    once = seconds(lambda: batch.play_games(1), 3)
    games = max(1, round((0.05 if quick else 0.3) / once))
    moves = int(np.asarray(batch.play_games(games)[0]).sum())
    spent = seconds(lambda: batch.play_games(games), 3 if quick else 7)
    return {
        "what": "whole games",
        "game": game.name,
        "players": players,
        "batch": n,
        "moves_per_game": round(moves / games / n, 2),
        "moves_per_second": round(moves / spent),
    }


def time_steps(game: Game, players: int, n: int, quick: bool) -> dict[str, Any]:
    """Steps per second with masks and observations, and the time of each part of a step."""
    batch = _batch(game, players, n)
    steps = 20 if quick else 200

    def some_steps() -> None:
        for _ in range(steps):
            batch.step(batch.random_actions())
            batch.masks()
            batch.observations()

    some_steps()
    spent = seconds(some_steps, 3) / steps
    written = batch.actions + 4 * batch.shape.features
    return {
        "what": "steps",
        "game": game.name,
        "players": players,
        "batch": n,
        "steps_per_second": round(n / spent),
        "bytes_written_a_step": written,
        "microseconds": time_parts(batch, steps),
    }


def time_parts(batch: CudaBatch, steps: int) -> dict[str, float]:
    """The median time of each part of a step, in microseconds."""
    from numba import cuda

    parts: dict[str, Callable[[], Any]] = {
        "random_actions": batch.random_actions,
        "step": lambda: batch.step(chosen),
        "masks": batch.masks,
        "observations": batch.observations,
    }
    chosen = batch.random_actions()
    spent: dict[str, list[float]] = {name: [] for name in parts}
    rows = [[cuda.event() for _ in range(len(parts) + 1)] for _ in range(steps)]
    for events in rows:
        events[0].record()
        for event, part in zip(events[1:], parts.values(), strict=True):
            part()
            event.record()
    rows[-1][-1].synchronize()
    for events in rows:
        for name, (begin, end) in zip(parts, itertools.pairwise(events), strict=True):
            spent[name].append(begin.elapsed_time(end) * 1000)
    return {name: round(statistics.median(times), 1) for name, times in spent.items()}


def _batch(game: Game, players: int, n: int) -> CudaBatch:
    settings = game.settings({"players": players, "first": 0})
    batch = game.batch(settings, n, device="cuda", seed=1, auto_reset=True)
    assert isinstance(batch, CudaBatch)
    return batch


# One process per game package


def try_to(what: str, act: Callable[[], Any], faults: list[str]) -> Any:
    """The result of a call. If it fails, None: the error is reported at the end of the run."""
    try:
        return act()
    except Exception:  # noqa: BLE001
        faults.append(f"{what}\n{traceback.format_exc()}")
        return None


def check_games(games: list[Game], n: int, quick: bool, faults: list[str]) -> int:
    """Check some games on several streams; returns the number of setups that passed."""
    usual, gpu_batch.MIN_GAMES_PER_STREAM = gpu_batch.MIN_GAMES_PER_STREAM, THREADS
    for game in games:
        try_to(game.name, partial(check_two, game, min(n, 16_384)), faults)
    setups = [setup for game in games for setup in setups_of(game)[:: 4 if quick else 1]]
    size, steps = (67, 24) if quick else (515, 120)
    before = len(faults)
    for setup in setups:
        try_to(str(setup), partial(check, setup, min(n, size), steps), faults)
    gpu_batch.MIN_GAMES_PER_STREAM = usual
    return len(setups) - (len(faults) - before)


def work(names: list[str], n: int, quick: bool, ready: Any, turn: Any, outbox: Any) -> None:
    """Compile and check some games; wait for the other processes; then time them, alone."""
    results: list[dict[str, Any]] = []
    faults: list[str] = []
    games = [theriac.all_games()[name] for name in names]
    began = time.perf_counter()
    checked = check_games(games, n, quick, faults)
    spent = time.perf_counter() - began
    print(f"{', '.join(names)}: {checked} setups checked, compiled in {spent:.0f} s", flush=True)
    ready.wait()
    with turn:
        for game in games:
            for players in sorted({game.players[0], game.players[-1]}):
                for timer, places in ((time_games, n * N_WHOLE_GAMES // N), (time_steps, n)):
                    timed = partial(timer, game, players, places, quick)
                    result = try_to(f"{game.name} {players}", timed, faults)
                    if result is not None:
                        results.append(result)
                        print(result, flush=True)
    outbox.put({"checked": checked, "results": results, "faults": faults})


def peer(n: int, quick: bool, ready: Any, turn: Any, outbox: Any) -> None:
    """Time Pgx's games, where it is installed."""
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    ready.wait()
    with turn:
        found, faults = gpu_peers.time_all(n, 20 if quick else 200)
    outbox.put({"checked": 0, "results": found, "faults": faults})


def main() -> None:
    """Check, time, print the results and write them to a file."""
    arguments = report.arguments(
        "Check and time batches on a GPU, and compare them with Pgx.",
        "gpu",
        batch={"type": int, "default": N, "help": "games per batch"},
        game={"action": "append", "help": "only this game"},
    )
    need_gpu()
    machine = report.show_machine() | gpu_machine()
    report.console.print(f"{machine['gpu']}, {machine['multiprocessors']} multiprocessors")
    folders: dict[str, list[str]] = {}
    for game in map(find, arguments.game or theriac.all_games()):
        folders.setdefault(game.module, []).append(game.name)
    context = multiprocessing.get_context("spawn")
    ready, turn, outbox = context.Barrier(len(folders) + 1), context.Lock(), context.Queue()
    given = (arguments.batch, arguments.quick, ready, turn, outbox)
    processes = [context.Process(target=work, args=(names, *given)) for names in folders.values()]
    processes.append(context.Process(target=peer, args=given))
    reports = run_all(processes, ready, outbox)
    results = [result for each in reports for result in each["results"]]
    faults = [fault for each in reports for fault in each["faults"]]
    checked = sum(each["checked"] for each in reports)
    show_results(results)
    report.console.print(f"{checked} setups gave the same bytes on both devices")
    report.write(
        arguments.name, machine, {"checked": checked, "results": results, "faults": faults}
    )
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(bool(faults))


def run_all(processes: list[Any], ready: Any, outbox: Any) -> list[dict[str, Any]]:
    """Run all processes and collect their reports; if one dies, stop the others."""
    for process in processes:
        process.start()
    reports: list[dict[str, Any]] = []
    while len(reports) < len(processes):
        try:
            reports.append(outbox.get(timeout=2))
        except queue.Empty:
            dead = [process for process in processes if process.exitcode]
            if dead:
                ready.abort()
                alive = [process for process in processes if process.exitcode is None]
                for process in alive:
                    process.join()
                raise SystemExit(f"{len(dead)} of {len(processes)} processes died") from None
    for process in processes:
        process.join()
    return reports


def gpu_machine() -> dict[str, Any]:
    """The GPU, and the versions of the packages that use it."""
    from numba import cuda

    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    return {
        "gpu": name,
        "multiprocessors": int(device.MULTIPROCESSOR_COUNT),
        "numba_cuda": report.version("numba-cuda"),
        "jax": report.version("jax"),
        "pgx": report.version("pgx"),
    }


def show_results(results: list[dict[str, Any]]) -> None:
    """Print two tables: whole games and steps."""
    games = [r for r in results if r["what"] == "whole games"]
    rows = [
        [
            f"{r['game']} {r['players']}",
            f"{r['moves_per_game']}",
            f"{r['moves_per_second'] / 1e9:.3f}",
        ]
        for r in games
    ]
    show("Random whole games", ["game", "moves per game", "billion moves/s"], rows)
    steps = [r for r in results if r["what"] == "steps"]
    peers = [r["steps_per_second"] for r in steps if r["game"] == "pgx sparrow_mahjong"]
    rows = [
        [
            f"{r['game']} {r['players']}",
            f"{r['steps_per_second'] / 1e6:.1f}",
            f"{r['steps_per_second'] / peers[0]:.1f}" if peers else "",
            " + ".join(f"{part:.0f}" for part in r.get("microseconds", {}).values()),
        ]
        for r in steps
    ]
    show(
        "Random steps with masks and observations",
        ["game", "million steps/s", "times sparrow_mahjong", "µs: choose + step + mask + observe"],
        rows,
    )


if __name__ == "__main__":
    main()
