"""Routes: players, and the tables where they sit."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import delete, get, post, put
from litestar.datastructures import State
from litestar.exceptions import ClientException
from litestar.openapi import ResponseSpec
from litestar.params import Parameter
from litestar.response import Stream

from theriac.game import all_games
from theriac.review import METHOD
from theriac.sealed_deal import DELETED_NAME
from theriac.server.admin import erase, people
from theriac.server.http import bodies
from theriac.server.http.requests import (
    AnyRequest,
    limit_by_address,
    limit_table_requests,
    require_player,
    visible_tables,
)
from theriac.server.http.tables import summarize
from theriac.server.store.store import Store
from theriac.server.tables.service import TableService


@post("/api/players", summary="Get a key, with a nickname and no account")
async def add_player(request: AnyRequest, data: bodies.Nickname, state: State) -> bodies.PlayerKey:
    """A new player."""
    limit_by_address(request, state.rates.creations)
    player, key = await state.players.add(data.name)
    return bodies.PlayerKey(player.name, str(key))


@put("/api/me", summary="Take another nickname")
async def rename(request: AnyRequest, data: bodies.Nickname, state: State) -> bodies.Nickname:
    """It applies to future events."""
    player = await require_player(request)
    limit_table_requests(request, player)
    renamed = await state.players.rename(player, data.name)
    return bodies.Nickname(renamed.name)


@post("/api/me/key", summary="Replace your key by a new one")
async def renew_key(request: AnyRequest, state: State) -> bodies.PlayerKey:
    """The old key is refused from now on, and its sockets are closed."""
    player = await require_player(request)
    limit_by_address(request, state.rates.creations)
    key = await people.renew_key(state.service.store, player.id, player.id)
    await state.follower.check()
    return bodies.PlayerKey(player.name, str(key))


@get(
    "/api/me/export",
    summary="Everything that is stored about you",
    responses={200: ResponseSpec(dict[str, Any], generate_examples=False)},
)
async def export(request: AnyRequest, state: State) -> Stream:
    """Your name, your events at all tables, your reports."""
    player = await require_player(request)
    limit_by_address(request, state.rates.creations)
    if not state.rates.exports.take(player.id):
        raise ClientException("too many exports in a short time: try again later", status_code=429)
    pieces = await erase.export_in_pieces(state.service.store, player.id, player.id)
    return Stream(pieces, media_type="application/json")


@delete("/api/me", summary="Delete everything about you")
async def delete_me(request: AnyRequest, state: State) -> None:
    """The key stops at once. Records of games stay, with the name "deleted"."""
    player = await require_player(request)
    limit_by_address(request, state.rates.deletions)
    await erase.delete_person(state.service.store, player.id, player.id)
    await state.follower.check()


@get("/api/me/tables", summary="The tables where you have a seat, and whose turn it is")
async def own_tables(request: AnyRequest, state: State) -> list[bodies.TableSummary]:
    """The newest first."""
    player = await require_player(request)
    service: TableService = state.service
    names = await service.store.tables_of(player.id)
    tables = await visible_tables(request, names, player.id)
    return [summarize(table, player.id) for table in tables]


@get("/api/me/games", summary="The games that you have finished, a page at a time")
async def own_games(
    request: AnyRequest,
    state: State,
    skip: Annotated[int, Parameter(ge=0, le=1_000_000)] = 0,
    game: Annotated[str | None, Parameter(max_length=40)] = None,
) -> list[bodies.FinishedGame]:
    """The newest first, of all games or of one. `skip` of them come before this page."""
    player = await require_player(request)
    store: Store = state.service.store
    installed = all_games()
    if game is not None and not game.isprintable():  # PostgreSQL fails at a NUL
        return []
    return [
        bodies.FinishedGame(
            table=row.table,
            number=row.number,
            game=row.game,
            at=row.at,
            seats=[
                bodies.SeatSummary(row.names.get(seat, "" if level else DELETED_NAME), level)
                for seat, level in enumerate(row.bots)
            ],
            seat=row.seat,
            scores=row.scores,
            winners=row.winners,
            replayable=row.game in installed,
            reviewed=row.review_method == METHOD,
        )
        for row in await store.games_of(player.id, skip, game)
    ]
