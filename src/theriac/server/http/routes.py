"""The HTTP interface: everything that needs no open line, and all of it for programs.

A person shows the key as `Authorization: Bearer KEY`.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, cast

from litestar import Request, Response, get, post, put
from litestar.datastructures import State
from litestar.exceptions import ClientException, NotAuthorizedException, NotFoundException
from litestar.openapi import ResponseSpec
from litestar.params import Parameter

import theriac
from theriac import record as records
from theriac.faults import Fault
from theriac.game import all_games, find
from theriac.rulebook import describe, read_page
from theriac.server import keys
from theriac.server.auth import Person
from theriac.server.http import bodies, decks, replays, tutorials
from theriac.server.http.new_table import open_event
from theriac.server.store.store import StoreFault
from theriac.server.tables.messages import Lasting, Passing, Reply, WelcomeMessage
from theriac.server.tables.previews import foresee
from theriac.server.tables.service import Host
from theriac.server.tables.session import Live
from theriac.server.tables.table import Room

#: How every path may answer what is wrong.
WRONG = {
    status: ResponseSpec(bodies.ErrorBody, description=told, generate_examples=False)
    for status, told in (
        (400, "Something in it was wrong"),
        (401, "The key is missing or not known"),
        (404, "It is not there"),
        (413, "It is too large"),
        (429, "Too many at once"),
        (503, "The store cannot be reached"),
    )
}

AnyRequest = Request[Any, Any, State]
#: How long a program may wait for news, in seconds.
LONGEST_WAIT = 25.0


async def person(request: AnyRequest) -> Person:
    """Who asks; 401 for one without a key that is known here."""
    found = await asker_of(request)
    if found is None:
        raise NotAuthorizedException("show a key: Authorization: Bearer KEY")
    return found


async def asker_of(request: AnyRequest) -> Person | None:
    """Who asks, if the request says so; 401 for a key that is not known here."""
    given = request.headers.get("authorization")
    if given is None:
        return None
    kind, _, key = given.partition(" ")
    found = await request.app.state.persons.find(key) if kind.lower() == "bearer" else None
    if found is None:
        raise NotAuthorizedException("this key is not known here")
    who: Person = found
    return who


async def table_of(request: AnyRequest, name: str) -> Live:
    """The table of that name; 404 if there is none."""
    host: Host = request.app.state.host
    live = await host.find(name)
    if live is None:
        raise NotFoundException("there is no such table")
    return live


# Games


@get("/api/games", summary="The games and their options")
async def list_games() -> list[bodies.GameInfo]:
    """All games."""
    return [cast(bodies.GameInfo, describe(game)) for game in all_games().values()]


def game_named(name: str) -> Any:
    """The game; 404 if there is none of that name."""
    try:
        return find(name)
    except Fault as fault:
        raise NotFoundException(str(fault)) from None


@get("/api/games/{game:str}/rules", media_type="text/markdown", summary="The rule page of a game")
async def show_rules(game: str, language: Annotated[str, Parameter(max_length=10)] = "en") -> str:
    """The rules, as Markdown."""
    return read_page(game_named(game), language)


@get("/api/games/{game:str}/deck", summary="The deck that comes with a game")
async def show_deck(game: str) -> bodies.DeckContents:
    """Its cards and their marks."""
    return decks.tell(game_named(game))


@post("/api/games/{game:str}/deck", status_code=200, summary="Check a deck file of one's own")
async def check_deck(game: str, data: bodies.DeckText) -> bodies.DeckCheck:
    """What is wrong with it, and who can play with it."""
    return await asyncio.to_thread(decks.check_text, game_named(game), data.deck)


@post("/api/games/{game:str}/deck/check", status_code=200, summary="Check cards of one's own")
async def check_cards(game: str, data: bodies.DeckCards) -> bodies.DeckCheck:
    """The same for cards and marks; the answer has them as a deck file too."""
    return await asyncio.to_thread(decks.check_cards, game_named(game), data.cards, data.marks)


# Tutorials


@get("/api/games/{game:str}/tutorial", summary="The tutorial of a game, step by step")
async def show_tutorial(request: AnyRequest, game: str, state: State) -> bodies.TutorialScript:
    """As seat 0 sees it."""
    known = lesson(request, state, game)
    return await asyncio.to_thread(tutorials.told, known.name, state.host.speeds.of(known.name))


@post("/api/games/{game:str}/tutorial/try", status_code=200, summary="Try a move of a tutorial")
async def try_tutorial(
    request: AnyRequest, game: str, data: bodies.TutorialAttempt, state: State
) -> bodies.TutorialVerdict:
    """Whether it is meant, whether it is legal, and why not. Nothing is kept."""
    known = lesson(request, state, game)
    speed = state.host.speeds.of(known.name)
    return await asyncio.to_thread(tutorials.tried, known, data.step, data.move, speed)


@post(
    "/api/games/{game:str}/tutorial/preview",
    status_code=200,
    summary="What would a move of a tutorial lead to?",
)
async def preview_tutorial(
    request: AnyRequest, game: str, data: bodies.TutorialPreviewRequest, state: State
) -> bodies.TutorialPreviews:
    """What is sure, whatever the hidden cards are."""
    known = lesson(request, state, game)
    speed = state.host.speeds.of(known.name)
    previews = await asyncio.to_thread(tutorials.foreseen, known, data.step, data.moves, speed)
    return bodies.TutorialPreviews(previews)


def lesson(request: AnyRequest, state: State, game: str) -> Any:
    """The game that is to be learned; 404 if there is none of that name, 429 for too much."""
    known = game_named(game)
    if not state.lessons.take(place_of(request)):
        raise ClientException("too many requests: wait a moment", status_code=429)
    return known


# Persons


@post("/api/players", summary="Get a key, with a nickname and no account")
async def admit(request: AnyRequest, data: bodies.Nickname, state: State) -> bodies.PlayerKey:
    """A new person."""
    limit(request, state)
    found, key = await state.persons.add(data.name)
    return bodies.PlayerKey(found.name, str(key))


@put("/api/me", summary="Take another nickname")
async def rename(request: AnyRequest, data: bodies.Nickname, state: State) -> bodies.Nickname:
    """It holds for what happens from now on."""
    renamed = await state.persons.rename(await person(request), data.name)
    return bodies.Nickname(renamed.name)


@get("/api/me/tables", summary="The tables where one has a seat, and whose turn it is")
async def own_tables(request: AnyRequest, state: State) -> list[bodies.TableSummary]:
    """The newest first."""
    who = await person(request)
    host: Host = state.host
    names = await host.store.rooms_of(who.player)
    rooms = [room for name in names if (room := await host.glance(name, who.player))]
    return [tell_table(room, who.player) for room in rooms]


# Tables


def tell_table(room: Room, player: str | None = None) -> bodies.TableSummary:
    """A table for a list."""
    seats = [bodies.SeatSummary(seat.name, seat.level) for seat in room.seats]
    seat = room.seat_of(player)
    changed = room.entries[-1].at
    return bodies.TableSummary(
        room.name,
        room.game.name,
        room.stage,
        seats,
        changed,
        room.to_act,
        seat,
        seat is not None and room.to_act == seat,
        room.opened.hints,
    )


@get("/api/tables", summary="The lobby: tables that are listed")
async def lobby(state: State) -> list[bodies.TableSummary]:
    """The newest first."""
    host: Host = state.host
    rooms = [room for name in await host.store.lobby() if (room := await host.glance(name))]
    return [tell_table(room) for room in rooms]


@post("/api/tables", summary="Open a table")
async def open_table(
    request: AnyRequest, data: bodies.NewTable, state: State
) -> bodies.TableOpened:
    """Who opens it takes a seat like everybody else: with `sit`."""
    who = await person(request)
    limit(request, state)
    name = keys.new_name()
    await state.host.open(name, open_event(data, who.player))
    return bodies.TableOpened(name, f"/table/{name}")


@get(
    "/api/tables/{name:str}",
    summary="A table as one may see it, at once or when it changes",
    responses={200: ResponseSpec(WelcomeMessage, generate_examples=False)},
)
async def look_at(
    request: AnyRequest,
    name: str,
    state: State,
    since: Annotated[int | None, Parameter(ge=0, le=2**31)] = None,
    wait: Annotated[float, Parameter(ge=0, le=LONGEST_WAIT)] = 0,
) -> Response[bytes]:
    """With `since` and `wait`, the answer comes when there is news after that version."""
    live = await table_of(request, name)
    who = await asker_of(request)
    host: Host = state.host
    if who is not None:
        host.touch(live, who.player)
    if since is not None and wait:
        await host.wait(live, who and who.player, since, wait)
    told = await host.look(live, who and who.player, since)
    return Response(told, media_type="application/json")


@post("/api/tables/{name:str}", status_code=200, summary="Do something at a table")
async def act_at(request: AnyRequest, name: str, data: Lasting | Passing, state: State) -> Reply:
    """The same requests as over a socket, and the same answers."""
    who = await person(request)
    live = await table_of(request, name)
    if not state.requests.take(who.player):
        raise ClientException("too many requests: wait a moment", status_code=429)
    host: Host = state.host
    host.touch(live, who.player)
    return await host.handle(live, host.asker(live, who.player, who.name), data)


@post("/api/tables/{name:str}/preview", status_code=200, summary="What would a move lead to?")
async def preview(
    request: AnyRequest, name: str, data: bodies.PreviewRequest, state: State
) -> bodies.Previews:
    """For whoever is to act: what is sure, whatever the hidden cards are."""
    who = await person(request)
    room = (await table_of(request, name)).seen_by(who.player)
    if not state.requests.take(who.player):
        raise ClientException("too many requests: wait a moment", status_code=429)
    if room.to_act is None or room.to_act != room.seat_of(who.player):
        return bodies.Previews(room.version, {})
    return bodies.Previews(room.version, foresee(room.playing, data.moves))


# Finished games


async def finished(request: AnyRequest, name: str, number: int) -> bodies.GameRecord:
    """The record of a finished game; 404 until it is over."""
    live = await table_of(request, name)
    who = await asker_of(request)
    known = live.seen_by(who and who.player).finished
    if not 1 <= number <= len(known):
        raise NotFoundException("no game of that number is over at this table")
    return cast(bodies.GameRecord, known[number - 1])


@get("/api/tables/{name:str}/games/{number:int}", summary="The record of a finished game")
async def show_record(request: AnyRequest, name: str, number: int) -> bodies.GameRecord:
    """What `theriac replay` and `theriac verify` read."""
    return await finished(request, name, number)


@get("/api/tables/{name:str}/games/{number:int}/replay", summary="Look back at a finished game")
async def show_replay(
    request: AnyRequest,
    name: str,
    number: int,
    state: State,
    seat: Annotated[int | None, Parameter(ge=0, le=15)] = None,
) -> bodies.Replay:
    """From a seat's eyes, or open."""
    record = await finished(request, name, number)
    return await asyncio.to_thread(replays.replayed, record, seat, state.host.speeds)


@post("/api/replay", status_code=200, sync_to_thread=True, summary="Look at a record of one's own")
def replay_record(data: bodies.ReplayRequest, state: State) -> bodies.Replay:
    """Every card and every move is checked, as `theriac replay` does."""
    return replays.replayed(data.record, data.seat, state.host.speeds)


@get("/api/tables/{name:str}/games/{number:int}/verify", summary="Check a game's shuffle")
async def verify_game(
    request: AnyRequest, name: str, number: int, state: State
) -> bodies.Verification:
    """Each step that held."""
    record = await finished(request, name, number)
    speed = state.host.speeds.of(record["game"])
    return bodies.Verification(await asyncio.to_thread(records.verify, record, speed))


# The server itself


@get("/healthz", summary="Does the server do its work?")
async def health(state: State) -> Response[bodies.Health]:
    """503 while the store cannot be reached or written to."""
    try:
        state.host.store.check()
    except StoreFault as fault:
        bad = bodies.Health("bad", str(fault), theriac.__version__)
        return Response(bad, status_code=503)
    return Response(bodies.Health("ok", "ok", theriac.__version__))


@get("/metrics", media_type="text/plain", summary="Numbers for Prometheus")
async def metrics(state: State) -> Response[bytes]:
    """Tables, moves, how long things take."""
    host: Host = state.host
    host.metrics.rooms.set(len(list(host.here())))
    return Response(host.metrics.told(), media_type="text/plain; version=0.0.4")


def limit(request: AnyRequest, state: State) -> None:
    """Not too many new tables and persons from one place."""
    if not state.openings.take(place_of(request)):
        raise ClientException("too many at once from where you are: wait a moment", status_code=429)


async def limit_all(request: AnyRequest) -> None:
    """Not too much of anything from one place. Files of the page cost less than the rest."""
    path = request.url.path
    if path == "/healthz":
        return
    state = request.app.state
    asked = state.asked if path.startswith(("/api/", "/metrics")) else state.files
    if not asked.take(place_of(request)):
        raise ClientException("too many at once from where you are: wait a moment", status_code=429)


def place_of(request: AnyRequest) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else "nowhere"


ROUTES = [
    list_games,
    show_rules,
    show_deck,
    check_deck,
    show_tutorial,
    try_tutorial,
    preview_tutorial,
    check_cards,
    admit,
    rename,
    own_tables,
    lobby,
    open_table,
    look_at,
    act_at,
    preview,
    show_record,
    show_replay,
    replay_record,
    verify_game,
    health,
    metrics,
]
for route in ROUTES:
    route.responses = {**WRONG, **(route.responses or {})}
