"""Routes: records of finished games, their replays, and the check of their shuffles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from litestar import get, post
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from theriac import record as records
from theriac.engine.rule import Speed
from theriac.faults import Fault
from theriac.match import Match
from theriac.server.http.bodies import (
    GameRecord,
    Replay,
    ReplayRequest,
    ReplayStep,
    Verification,
)
from theriac.server.http.requests import (
    AnyRequest,
    find_session,
    in_thread,
    limit_by_address,
    optional_player,
)
from theriac.server.tables.messages import View
from theriac.server.tables.rule_loader import RuleLoader
from theriac.server.tables.views import public_move
from theriac.verification import verify


async def find_record(request: AnyRequest, name: str, number: int) -> GameRecord:
    """The record of a finished game; 404 until it is over."""
    session = await find_session(request, name)
    player = await optional_player(request)
    finished = session.visible_to(player and player.id).finished
    if not 1 <= number <= len(finished):
        raise NotFoundException(f"game {number} of this table does not exist or is not over")
    return cast(GameRecord, finished[number - 1])


@get("/api/tables/{name:str}/games/{number:int}", summary="The record of a finished game")
async def show_record(request: AnyRequest, name: str, number: int) -> GameRecord:
    """What `theriac replay` and `theriac verify` read."""
    return await find_record(request, name, number)


@get("/api/tables/{name:str}/games/{number:int}/replay", summary="Replay a finished game")
async def show_replay(
    request: AnyRequest,
    name: str,
    number: int,
    state: State,
    seat: Annotated[int | None, Parameter(ge=0, le=15)] = None,
) -> Replay:
    """From the viewpoint of a seat, or with all hands open."""
    limit_by_address(request, state.rates.tutorials)
    record = await find_record(request, name, number)
    speed = state.service.rule_loader.speed_of(record["game"])
    return await in_thread(request, replay, record, seat, speed)


@post("/api/replay", status_code=200, summary="Replay a record you send")
async def replay_record(request: AnyRequest, data: ReplayRequest, state: State) -> Replay:
    """Every card and every move is checked, as `theriac replay` does."""
    limit_by_address(request, state.rates.tutorials)
    return await in_thread(request, _replay_sent, data, state.service.rule_loader)


def _replay_sent(data: ReplayRequest, rule_loader: RuleLoader) -> Replay:
    records.check(data.record)
    return replay(data.record, data.seat, rule_loader.speed_of(data.record["game"]))


@get("/api/tables/{name:str}/games/{number:int}/verify", summary="Check a game's shuffle")
async def verify_game(request: AnyRequest, name: str, number: int, state: State) -> Verification:
    """The checks that it passed."""
    limit_by_address(request, state.rates.tutorials)
    record = await find_record(request, name, number)
    speed = state.service.rule_loader.speed_of(record["game"])
    return Verification(await in_thread(request, verify, record, speed))


def replay(record: Mapping[str, Any], seat: int | None, speed: Speed) -> Replay:
    """The positions of a game as a seat saw them; None: with all hands open. Raises `Fault`."""
    steps: list[ReplayStep] = []
    mover: int | None = None
    for match in records.replay_each(record, speed):
        if seat is not None and not 0 <= seat < match.players:
            raise Fault(f"seat {seat}: there are seats 0 to {match.players - 1}")
        steps.append(_step(match, seat, mover))
        mover = match.to_act
    cards = [card for card in match.settings.text.cards if card]
    return Replay(match.game.name, steps, cast(GameRecord, record), cards, match.dealt)


def _step(match: Match, seat: int | None, mover: int | None) -> ReplayStep:
    """The position now, and the last move, which `mover` made."""
    step: ReplayStep = {"n": len(match.moves), "view": cast(View, match.view(seat))}
    if match.round_count is not None:
        step["view"]["rounds"] = match.round_count
    if recalled := match.recall(seat):
        step["recalled"] = recalled
    if match.sheet:
        step["sheet"] = match.sheet
    if seat is None:
        step["hands"] = [match.view(each)["hand"] for each in range(match.players)]
    if match.moves:
        move = match.moves[-1]
        is_others_move = seat is not None and mover != seat
        step["move"] = public_move(match, move) if is_others_move else move
        step["seat"] = None if move == match.clock_move else mover
    return step
