"""Play what is missing of a plan, and keep it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Iterable
from typing import Protocol

from theriac.arena.crew import Crew
from theriac.arena.ledger import Ledger
from theriac.arena.plan import Seating
from theriac.arena.sitting import Make, Played
from theriac.bots import bot


class Players(Protocol):
    """Whoever can play many games: a crew of this machine, or a cluster."""

    def play(self, seatings: Iterable[Seating]) -> Generator[Played, None, None]:
        """Each game as soon as it is over, in no order."""


def find_players(on: str | None, jobs: int | None, limit: float, make: Make = bot) -> Players:
    """Those of this machine, or of Ray."""
    if on == "ray":
        from theriac.arena.cluster import Cluster

        return Cluster(jobs, make, limit)
    return Crew(jobs or cores(), make, limit)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(ledger: Ledger, players: Players | None, tell: Callable[[Played], object]) -> list[Played]:
    """All games of the ledger's plan; those that are missing are played now by these players."""
    missing = [one for one in ledger.plan.seatings() if one.key not in ledger.games]
    if missing and players:
        with contextlib.closing(players.play(missing)) as games:
            for played in games:
                ledger.add(played)
                tell(played)
    return ledger.ordered()
