"""Bots: anything that answers a view with a move. None sees more than its seat.

>>> bot("greedy").name
'greedy'
"""

from __future__ import annotations

from theriac.bots.simple import Bot, Greedy, Random
from theriac.faults import Fault, listed, quote

__all__ = ["BOTS", "Bot", "Greedy", "Random", "bot"]

BOTS: dict[str, type[Bot]] = {"random": Random, "greedy": Greedy}


def bot(name: str, seed: int = 0) -> Bot:
    """The bot of that name; raises `Fault` with the names there are."""
    if name not in BOTS:
        raise Fault(f"no bot is called {quote(name)}: there are {listed(list(BOTS))}")
    return BOTS[name](seed)
