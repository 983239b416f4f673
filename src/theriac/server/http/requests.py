"""What routes need to know of a request: the player, the table, and whether it is within limits.

A player shows the key as `Authorization: Bearer KEY`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import ClientException, NotAuthorizedException, NotFoundException

from theriac.faults import Fault
from theriac.game import Game, find
from theriac.server.addresses import address_of
from theriac.server.auth import Player
from theriac.server.http.fair_thread import FairThread
from theriac.server.rate_limit import RateLimiter, RateLimits
from theriac.server.tables.loaded import Unreadable
from theriac.server.tables.log_memory import MemoryFull
from theriac.server.tables.session import TableSession
from theriac.server.tables.table import Table

Result = TypeVar("Result")
AnyRequest = Request[Any, Any, State]


async def require_player(request: AnyRequest) -> Player:
    """The player who makes a request; 401 without a key."""
    player = await optional_player(request)
    if player is None:
        raise NotAuthorizedException("show a key: Authorization: Bearer KEY")
    return player


async def optional_player(request: AnyRequest) -> Player | None:
    """The player who makes a request, if it has a key; 401 for a key that is not known."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, key = header.partition(" ")
    player: Player | None = None
    if scheme.lower() == "bearer":
        player = await request.app.state.players.find(key)
    if player is None:
        raise NotAuthorizedException("this key is not known here")
    return player


async def find_session(request: AnyRequest, name: str) -> TableSession:
    """The table of that name; 404 if there is none."""
    session = await _find(request, name)
    if session is None:
        raise NotFoundException("there is no such table")
    return session


async def visible_tables(
    request: AnyRequest, names: Iterable[str], player: str | None = None
) -> list[Table]:
    """The tables of these names as a player may see them now, to read only.

    Without those that were deleted meanwhile, that cannot be read, or for which there is no memory.
    """
    found = []
    for name in names:
        with contextlib.suppress(MemoryFull, Unreadable):
            if session := await _find(request, name):
                found.append(session.visible_to(player))
    return found


async def _find(request: AnyRequest, name: str) -> TableSession | None:
    """A table from memory, or from the store within the limit of an address."""
    tables, rates = request.app.state.service.tables, request.app.state.rates
    if tables.get(name) is None:
        limit_by_address(request, rates.loads)
    found: TableSession | None = await tables.find(name, address_of(request.scope))
    return found


def find_game(name: str) -> Game:
    """The game of that name; 404 if there is none."""
    try:
        return find(name)
    except Fault as fault:
        raise NotFoundException(str(fault)) from None


async def in_thread(request: AnyRequest, do: Callable[..., Result], *arguments: Any) -> Result:
    """Do something that takes long, in a thread, when it is the turn of the request's address."""
    fair_thread: FairThread = request.app.state.fair_thread
    return await fair_thread.run(address_of(request.scope), do, *arguments)


# Limits


def limit_table_requests(request: AnyRequest, player: Player) -> None:
    """429 for a player who makes too many requests."""
    rates: RateLimits = request.app.state.rates
    if not rates.players.take(player.id):
        raise ClientException("too many requests: wait a moment", status_code=429)


def limit_by_address(request: AnyRequest, limiter: RateLimiter) -> None:
    """429 if too many requests come from one address."""
    if not limiter.take(address_of(request.scope)):
        raise ClientException("too many requests from your address: wait a moment", status_code=429)


async def limit_all(request: AnyRequest) -> None:
    """Limit every request by its address, except health checks; 403 for a banned address."""
    path = request.url.path
    if path == "/healthz":
        return
    rates: RateLimits = request.app.state.rates
    is_api = path.startswith(("/api/", "/metrics"))
    limit_by_address(request, rates.api if is_api else rates.files)
    if path.startswith("/api/"):
        request.app.state.address_bans.check(address_of(request.scope))
