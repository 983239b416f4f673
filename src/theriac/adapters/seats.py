"""The seat of an agent, and the bots on the other seats: what the Gymnasium environments take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theriac.faults import Fault, quote


def check_seat(seat: Any, players: int) -> int:
    """The seat; raises `Fault` if there is no such seat."""
    if type(seat) is not int or not 0 <= seat < players:
        raise Fault(f"seat {quote(seat)} is not a seat from 0 to {players - 1}")
    return seat


def bots_by_seat(bots: Any, seat: int, players: int) -> dict[int, str]:
    """The bot of each seat but one, from one name or a list; raises `Fault`.

    >>> bots_by_seat(["greedy", "random"], seat=1, players=3)
    {2: 'greedy', 0: 'random'}
    """
    names = [bots] * (players - 1) if isinstance(bots, str) else bots
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise Fault(f"bots: {quote(bots)} is not the name of a bot or a list of names")
    if len(names) != players - 1:
        raise Fault(f"bots: {len(names)} names for {players - 1} other seats: give one per seat")
    return {(seat + 1 + i) % players: name for i, name in enumerate(names)}
