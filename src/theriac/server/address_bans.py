"""Bans of addresses in this process: read from the store each second, held against requests.

All of `/api/` is refused, whichever key a request has. The page itself is not: it shows why.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator

from litestar.types import ASGIApp, Receive, Scope, Send

from theriac.server.addresses import address_of, key_network
from theriac.server.admin.addresses import AddressBan, delete_ended_bans, list_address_bans
from theriac.server.auth import Banned
from theriac.server.running.background import BackgroundTasks
from theriac.server.socket.close_codes import CloseCode
from theriac.server.store.events import now_ms
from theriac.server.store.store import Store, StoreFault

log = logging.getLogger(__name__)

#: How often the bans are read, in seconds.
READ_EVERY_S = 1.0
BANNED_ADDRESS = "the operator of this server has banned your address"


class AddressBans:
    """The addresses that are banned, and who is connected from which address."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._bans: list[AddressBan] = []
        #: The functions that send to the open sockets of each address.
        self._sockets: dict[str, set[Send]] = {}
        self._background = BackgroundTasks()

    def check(self, address: str) -> None:
        """Raise `Banned` if an address (an `address_key`) is banned."""
        if self.is_banned(address):
            raise Banned(BANNED_ADDRESS)

    def is_banned(self, address: str) -> bool:
        """Is an address (an `address_key`) banned now?"""
        if not self._bans or (network := key_network(address)) is None:
            return False
        now = now_ms()
        return any(ban.until > now and ban.covers(network) for ban in self._bans)

    async def run(self) -> None:
        """Follow the store until cancelled."""
        while True:
            await asyncio.sleep(READ_EVERY_S)
            try:
                await self.read()
            except StoreFault as fault:
                log.warning("%s", fault)

    async def read(self) -> None:
        """Read the bans. Those that have ended are deleted; who is banned now is disconnected."""
        await delete_ended_bans(self._store)
        before, self._bans = self._bans, await list_address_bans(self._store)
        if self._bans != before:
            for address in filter(self.is_banned, self._sockets):
                for send in self._sockets[address]:
                    self._background.start(_close(send))

    @contextlib.contextmanager
    def connected(self, address: str, send: Send) -> Iterator[None]:
        """An open socket."""
        self._sockets.setdefault(address, set()).add(send)
        try:
            yield
        finally:
            self._sockets[address].discard(send)
            if not self._sockets[address]:
                del self._sockets[address]


async def _close(send: Send) -> None:
    # The socket may be closed already, by its client or by the server.
    with contextlib.suppress(RuntimeError, OSError):
        await send({"type": "websocket.close", "code": CloseCode.REFUSED, "reason": BANNED_ADDRESS})


def refuse_banned_sockets(app: ASGIApp) -> ASGIApp:
    """The middleware that refuses the sockets of banned addresses.

    Such a socket is accepted first: only of a socket that was open does a browser tell its page why
    it was closed.
    """

    async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
        bans: AddressBans = scope["litestar_app"].state.address_bans
        address = address_of(scope)
        if bans.is_banned(address):
            await receive()
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            await _close(send)
            return
        with bans.connected(address, send):
            await app(scope, receive, send)

    return middleware
