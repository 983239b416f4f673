"""Looking back at a finished game: from a seat's eyes, or with all hands open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from theriac.faults import Fault
from theriac.record import check, replay_each
from theriac.server.http.bodies import GameRecord, Replay, ReplayStep
from theriac.server.running.rule_loader import Speeds
from theriac.server.tables.messages import View


def replayed(record: Mapping[str, Any], seat: int | None, speeds: Speeds) -> Replay:
    """What a seat saw at the start and after every move; None: everything. Raises `Fault`."""
    told: list[ReplayStep] = []
    mover: int | None = None
    check(record)
    for table in replay_each(record, speeds.of(record["game"])):
        players = table.players
        if seat is not None and not 0 <= seat < players:
            raise Fault(f"seat {seat}: there are seats 0 to {players - 1}")
        text = table.settings.text
        step: ReplayStep = {"n": len(table.moves), "view": cast(View, table.view(seat))}
        if recalled := table.recall(seat):
            step["recalled"] = recalled
        if table.sheet:
            step["sheet"] = table.sheet
        if seat is None:
            step["hands"] = [table.view(each)["hand"] for each in range(players)]
        if table.moves:
            hidden = seat is not None and mover != seat
            move = table.moves[-1]
            step["move"] = text.write_public(text.read(move)) if hidden else move
            step["seat"] = None if move == table.clock_move else mover
        mover = table.to_act
        told.append(step)
    cards = [card for card in table.settings.text.cards if card]
    return Replay(table.game.name, told, cast(GameRecord, record), cards, table.dealt)
