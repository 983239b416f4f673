"""Looking back at a finished game: from a seat's eyes, or with all hands open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from theriac.faults import Fault
from theriac.record import tables


def steps(record: Mapping[str, Any], seat: int | None) -> list[dict[str, Any]]:
    """What a seat saw at the start and after every move; None: everything. Raises `Fault`."""
    players = record["options"]["players"]
    if seat is not None and not 0 <= seat < players:
        raise Fault(f"seat {seat}: there are seats 0 to {players - 1}")
    told = []
    mover: int | None = None
    for table in tables(record):
        text = table.settings.text
        step: dict[str, Any] = {"n": len(table.moves), "view": table.view(seat)}
        if seat is None:
            step["hands"] = [table.view(each)["hand"] for each in range(players)]
        if table.moves:
            hidden = seat is not None and mover != seat
            move = table.moves[-1]
            step["move"] = text.shown(text.read(move)) if hidden else move
            step["seat"] = None if move == text.clock else mover
        mover = table.to_act
        told.append(step)
    return told
