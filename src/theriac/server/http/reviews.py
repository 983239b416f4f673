"""Routes: reviews of finished games, skill and luck apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.datastructures import State
from litestar.exceptions import ClientException, NotFoundException
from litestar.openapi import ResponseSpec
from litestar.params import Parameter

from theriac import record as records
from theriac.faults import BadRecord
from theriac.server.addresses import address_of
from theriac.server.auth import Player
from theriac.server.bots.reviews import Asker, GameKey, Progress, Reviews
from theriac.server.http import bodies
from theriac.server.http.replays import find_record
from theriac.server.http.requests import (
    AnyRequest,
    in_thread,
    limit_by_address,
    limit_table_requests,
    require_player,
)
from theriac.server.tables.decisions import Denied
from theriac.server.tables.messages import encoder
from theriac.server.tables.service import TableService

#: How long a request waits for the next step, in seconds.
WAIT_S = 20.0

_RESPONSES = {200: ResponseSpec(bodies.ReviewProgress, generate_examples=False)}
After = Annotated[int, Parameter(ge=0, le=1000)]


@post(
    "/api/tables/{name:str}/games/{number:int}/review",
    status_code=200,
    summary="Review a finished game",
    responses=_RESPONSES,
)
async def ask_for_review(
    request: AnyRequest, name: str, number: int, state: State
) -> Response[bytes]:
    """Begins the review, or joins the one that was begun or is stored."""
    player = await require_player(request)
    limit_table_requests(request, player)
    record = await find_record(request, name, number)
    await _check_deal(request, record)
    reviews: Reviews = state.reviews
    try:
        found = await reviews.ask(GameKey(name, number), record, _asker(request, player))
    except Denied as denied:
        raise ClientException(str(denied), status_code=429) from None
    return _response(found)


@get(
    "/api/tables/{name:str}/games/{number:int}/review",
    summary="The review of a finished game, as far as it is",
    responses=_RESPONSES,
)
async def show_review(
    request: AnyRequest, name: str, number: int, state: State, after: After = 0
) -> Response[bytes]:
    """Waits some seconds for a step after the one that you have."""
    record = await find_record(request, name, number)
    await _check_deal(request, record)
    reviews: Reviews = state.reviews
    found = await reviews.look(GameKey(name, number), after, WAIT_S)
    if found is None:
        raise NotFoundException("nobody has asked for a review of this game: ask for one first")
    # Meanwhile a game with the same deal may have begun.
    await _check_deal(request, record)
    return _response(found)


@post("/api/review", status_code=200, summary="Review a record you send", responses=_RESPONSES)
async def ask_for_review_of_record(
    request: AnyRequest, data: bodies.ReviewRequest, state: State
) -> Response[bytes]:
    """It is kept for an hour, under the id in the answer."""
    player = await require_player(request)
    limit_by_address(request, state.rates.tutorials)
    await in_thread(request, _check_record, data.record, state.service)
    await _check_deal(request, data.record)
    reviews: Reviews = state.reviews
    try:
        return _response(reviews.ask_for_record(data.record, _asker(request, player)))
    except Denied as denied:
        raise ClientException(str(denied), status_code=429) from None


@get(
    "/api/reviews/{name:str}",
    summary="The review of a record that was sent, as far as it is",
    responses=_RESPONSES,
)
async def show_review_of_record(name: str, state: State, after: After = 0) -> Response[bytes]:
    """Waits some seconds for a step after the one that you have."""
    reviews: Reviews = state.reviews
    found = await reviews.look_for_record(name, after, WAIT_S)
    if found is None:
        raise NotFoundException("there is no such review, or no more: send the record again")
    return _response(found)


def _asker(request: AnyRequest, player: Player) -> Asker:
    return Asker(player.id, address_of(request.scope))


def _response(found: Progress) -> Response[bytes]:
    return Response(encoder.encode(found), media_type="application/json")


def _check_record(record: Mapping[str, Any], service: TableService) -> None:
    """Raise `Fault` unless a record is that of a finished game."""
    records.check(record)
    match = records.replay(record, service.rule_loader.speed_of(record["game"]))
    if not match.over:
        raise BadRecord(
            f"the game is not over after {len(match.moves)} moves: only a finished game can be "
            "reviewed"
        )


async def _check_deal(request: AnyRequest, record: Mapping[str, Any]) -> None:
    """409 while several people play a game with the same deal: a review tells about its cards."""
    service: TableService = request.app.state.service
    seed = record.get("seed")
    for name in await service.store.tables_with_deal(seed.lower()) if seed else ():
        session = await service.tables.find(name, address_of(request.scope))
        if session and session.table.deal_of and len(session.table.player_seats) > 1:
            raise ClientException(
                "people are playing a game with this deal: its review would tell them the cards; "
                "wait until that game is over",
                status_code=409,
            )
