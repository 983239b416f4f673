"""Routes: the lobby, opening a table, watching it and acting there without a socket."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.datastructures import State
from litestar.exceptions import ClientException
from litestar.openapi import ResponseSpec
from litestar.params import Parameter
from msgspec import structs

from theriac import seal
from theriac.bots import LEVELS
from theriac.faults import BadOption, Fault, listed, quote
from theriac.game import find
from theriac.server.auth import new_id
from theriac.server.http import bodies
from theriac.server.http.replays import find_record
from theriac.server.http.requests import (
    AnyRequest,
    find_session,
    in_thread,
    limit_by_address,
    limit_table_requests,
    optional_player,
    require_player,
    visible_tables,
)
from theriac.server.store.events import Clock, KnownDeal, Opened, now_ms
from theriac.server.tables.decisions import Denied
from theriac.server.tables.history import LastGame, history_after
from theriac.server.tables.messages import (
    Reply,
    TableRequest,
    Talk,
    WelcomeMessage,
    encoder,
)
from theriac.server.tables.service import TableService
from theriac.server.tables.table import Table

DAY_MS = 24 * 3_600_000
#: How long a request may wait for news, in seconds.
LONGEST_POLL_S = 25.0
#: The shortest and the longest time on a clock, in seconds.
SHORTEST_CLOCK_S, LONGEST_CLOCK_S = 5, 30 * 24 * 3600


@get("/api/tables", summary="The lobby: tables that are listed, a page at a time")
async def lobby(
    request: AnyRequest, state: State, skip: Annotated[int, Parameter(ge=0, le=100_000)] = 0
) -> list[bodies.TableSummary]:
    """The newest first, at most three of each person; where more than six are of one network, the
    others of it come last. `skip` tables come before this page.
    """
    service: TableService = state.service
    names = await service.store.listed_tables(now_ms(), skip)
    tables = await visible_tables(request, names)
    return [summarize(table) for table in tables if table.stage in ("gathering", "playing")]


def summarize(table: Table, player: str | None = None) -> bodies.TableSummary:
    """A table for a list, as a player may see it."""
    seats = [bodies.SeatSummary(seat.name, seat.level) for seat in table.seats]
    seat = table.seat_of(player)
    return bodies.TableSummary(
        table.name,
        table.game.name,
        table.stage,
        seats,
        table.log[-1].at,
        table.to_act,
        seat,
        seat is not None and table.to_act == seat,
        table.opened.hints,
    )


@post("/api/tables", summary="Open a table")
async def open_table(
    request: AnyRequest, data: bodies.NewTable, state: State
) -> bodies.TableOpened:
    """The player who opens it takes a seat like everybody else: with `sit`."""
    player = await require_player(request)
    limit_by_address(request, state.rates.creations)
    name = new_id()
    if data.deal_of is None:
        opened = opened_event(data, player.id)
    else:
        record = await find_record(request, data.deal_of.table, data.deal_of.number)
        opened = with_known_deal(data, player.id, record)
    async with _within_quota(state, player.id):
        try:
            await state.service.open(name, opened, state.network_tags.tag_of(request.scope))
        except Denied as denied:
            raise ClientException(str(denied), status_code=429) from None
    return bodies.TableOpened(name, f"/table/{name}")


@contextlib.asynccontextmanager
async def _within_quota(state: State, player: str) -> AsyncIterator[None]:
    """429 for a player who has too many open tables of the last day, those counted that are being
    opened at the same time.
    """
    most, openings = state.config.max_open_tables, state.openings
    too_many = ClientException(
        f"you have {most} open tables of the last day: close one, or finish its game",
        status_code=429,
    )
    if not openings.take(player):
        raise too_many
    try:
        count = await state.service.store.count_open_tables(player, now_ms() - DAY_MS)
        if count + openings.taken(player) > most:
            raise too_many
        yield
    finally:
        openings.give_back(player)


def opened_event(new: bodies.NewTable, opener: str) -> Opened:
    """The first event of a new table; raises `Fault` if such a table cannot be played."""
    game = find(new.game)
    options: dict[str, Any] = {"players": len(new.seats), **new.options}
    if options["players"] != len(new.seats):
        given = quote(options["players"])
        raise BadOption(f"option players: {given} is not the number of seats, {len(new.seats)}")
    if new.adventure:
        if game.adventure is None:
            raise Fault(f"{game.name} has no adventure: open the table without one")
        options = game.adventure.first_part(options)
    game.settings(options, 0)
    for level in new.seats:
        if level is not None and level not in LEVELS:
            raise Fault(f"level {quote(level)}: use {listed(list(LEVELS))}, or null for a person")
    if new.stand_in not in LEVELS:
        raise Fault(f"stand_in {quote(new.stand_in)}: use {listed(list(LEVELS))}")
    _check_clock(new.clock)
    return Opened(
        by=opener,
        game=game.name,
        options=options,
        seats=list(new.seats),
        secret=seal.new_seed().hex(),
        clock=new.clock,
        listed=new.listed,
        delay=new.delay,
        adventure=new.adventure,
        hints=new.hints,
        stand_in=new.stand_in,
    )


def with_known_deal(new: bodies.NewTable, opener: str, record: Mapping[str, Any]) -> Opened:
    """The first event of a table that plays the deal of a finished game again; raises `Fault`
    where somebody could take it for a new deal.
    """
    assert new.deal_of is not None
    if new.game != record["game"]:
        raise Fault(f"deal_of: that was a game of {record['game']}, not of {quote(new.game)}")
    if new.options:
        raise BadOption("deal_of: leave the options out: they are those of that game")
    if new.seats.count(None) != 1:
        raise Fault(
            "deal_of: who knows the cards plays alone: null for one seat, levels for all others"
        )
    if new.listed or new.adventure:
        raise Fault("deal_of: such a table cannot be listed, nor be an adventure")
    after, moves = new.deal_of.after, record["moves"]
    if after >= len(moves):
        raise Fault(
            f"deal_of: after {after}: that game was over after {len(moves)} moves: "
            f"use a number from 0 to {len(moves) - 1}"
        )
    opened = opened_event(structs.replace(new, options=record["options"]), opener)
    known = KnownDeal(new.deal_of, record["seed"], list(moves[:after]))
    return structs.replace(opened, known_deal=known)


def _check_clock(clock: Clock | None) -> None:
    if clock is not None and not SHORTEST_CLOCK_S <= clock.seconds <= LONGEST_CLOCK_S:
        raise Fault(
            f"clock: {clock.seconds} seconds is not from {SHORTEST_CLOCK_S} to {LONGEST_CLOCK_S}"
        )


@get(
    "/api/tables/{name:str}",
    summary="A table as you may see it, at once or when it changes",
    responses={200: ResponseSpec(WelcomeMessage, generate_examples=False)},
)
async def show_table(
    request: AnyRequest,
    name: str,
    state: State,
    since: Annotated[int | None, Parameter(ge=0, le=2**31)] = None,
    wait: Annotated[float, Parameter(ge=0, le=LONGEST_POLL_S)] = 0,
) -> Response[bytes]:
    """With `since` and `wait`, the response comes when there is news after that version."""
    session = await find_session(request, name)
    player = await optional_player(request)
    service: TableService = state.service
    player_id = player and player.id
    if player_id is not None:
        service.touch(session, player_id)
    if since is not None and wait:
        await service.wait_for_news(session, player_id, since, wait)
        session = await find_session(request, name)  # it may have been loaded again, or deleted
    welcome = await service.look(session, player_id, since)
    return Response(welcome, media_type="application/json")


@get(
    "/api/tables/{name:str}/events",
    summary="A page of a table's history",
    responses={200: ResponseSpec(bodies.History, generate_examples=False)},
)
async def show_events(
    request: AnyRequest,
    name: str,
    state: State,
    after: Annotated[int, Parameter(ge=0, le=2**31)] = 0,
    views: bool = False,
) -> Response[bytes]:
    """The events after a version as you may see them, the oldest first.

    With `views`, only those of the last game, and with the positions that they led to.
    """
    session = await find_session(request, name)
    player = await optional_player(request)
    service: TableService = state.service
    viewpoint = session.viewpoint_of(player and player.id)
    table = session.visible_from(viewpoint)
    version, events = table.version, []
    if not views:
        events = history_after(table, viewpoint, after, service.limits)
    elif last := LastGame.of(table):
        limit_by_address(request, state.rates.tutorials)
        events = await in_thread(request, last.after, after, viewpoint, service.limits)
    page = bodies.History(version, events)
    return Response(encoder.encode(page), media_type="application/json")


@post("/api/tables/{name:str}", status_code=200, summary="Do something at a table")
async def act(request: AnyRequest, name: str, data: TableRequest, state: State) -> Reply:
    """The same requests as over a socket, and the same replies."""
    player = await require_player(request)
    session = await find_session(request, name)
    limit_table_requests(request, player)
    muted = isinstance(data, Talk) and await state.players.is_muted(player.id)
    service: TableService = state.service
    service.touch(session, player.id)
    requester = service.requester(session, player.id, player.name, muted=muted)
    return await service.handle(session, requester, data)


@post("/api/tables/{name:str}/preview", status_code=200, summary="What would a move lead to?")
async def preview(
    request: AnyRequest, name: str, data: bodies.PreviewRequest, state: State
) -> bodies.Previews:
    """For the player to act: what is certain, whatever the hidden cards are."""
    player = await require_player(request)
    session = await find_session(request, name)
    table = session.visible_to(player.id)
    limit_table_requests(request, player)
    if table.to_act is None or table.to_act != table.seat_of(player.id):
        return bodies.Previews(table.version, {})
    limit_by_address(request, state.rates.tutorials)
    version = table.version
    certain = await session.previews.of(
        table.turn_version, table.current_match, data.moves, partial(in_thread, request)
    )
    return bodies.Previews(version, certain)
