"""The gate: which connections are accepted, and which are cut off.

uvicorn closes a connection gently: it waits until the client has read everything. It would hold a
client that never reads forever, and one that sends half a request too. So one task checks all
connections at intervals, and cuts those off.
"""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple, Protocol

from theriac.server.addresses import Proxies, address_key
from theriac.server.limits import Limits
from theriac.server.rate_limit import RateLimiter
from theriac.server.slots import Slots

#: When a client that was refused may try again, in seconds.
RETRY_AFTER_S = 5
#: How often the connections are checked, in seconds, and how many without a break.
CHECK_EVERY_S = 1.0
CHECKED_AT_ONCE = 500
#: How long a refused connection may wait before it sends a request and learns why, in seconds, and
#: how many may wait. Any other is aborted at once.
REFUSED_WAIT_S = 2.0
MAX_REFUSED = 1000


class NotLetIn(NamedTuple):
    """Why a connection is refused: the status of the response, and a sentence."""

    status: int
    why: str


_SERVER_FULL = NotLetIn(503, "the server has too many connections: come back in a moment")
_TOO_QUICK = NotLetIn(429, "too many connections from your address at once: wait a moment")
_ADDRESS_FULL = NotLetIn(429, "too many connections from your address: close some")


class Guarded(Protocol):
    """A connection that the gate checks."""

    def check(self, now: float) -> None:
        """Cut it off if its client is too slow."""


class Gate:
    """Counts the connections, of each address and in all, and checks them at intervals."""

    def __init__(self, limits: Limits, proxies: Proxies) -> None:
        self.limits = limits
        self._proxies = proxies
        self._slots = Slots(limits.connections_per_address)
        self._new = RateLimiter(limits.connection_rate, limits.connection_burst)
        #: The address of each connection that was let in; None for a trusted proxy's.
        self._addresses: dict[object, str | None] = {}
        self.refused: set[object] = set()
        #: The connections to check. A socket whose client reads everything is not one of them.
        self.watched: set[Guarded] = set()

    def enter(self, connection: object, host: str) -> NotLetIn | None:
        """Let a connection in; returns why not."""
        if len(self._addresses) >= self.limits.connections:
            return _SERVER_FULL
        address = None if host in self._proxies else address_key(host)
        if address is not None:
            if not self._new.take(address):
                return _TOO_QUICK
            if not self._slots.take(address):
                return _ADDRESS_FULL
        self._addresses[connection] = address
        return None

    def leave(self, connection: object) -> None:
        """A connection is closed."""
        self.refused.discard(connection)
        address = self._addresses.pop(connection, None)
        if address is not None:
            self._slots.give_back(address)

    async def check(self) -> None:
        """Check the watched connections again and again, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            for number, connection in enumerate(list(self.watched), 1):
                connection.check(time.monotonic())
                if number % CHECKED_AT_ONCE == 0:
                    await asyncio.sleep(0)


class Progress:
    """Whether a client reads what is sent to it.

    >>> progress = Progress()
    >>> [progress.stalled_s(unread, now) for now, unread in enumerate([9, 9, 9, 8, 8, 0])]
    [0, 1, 2, 0, 1, 0]
    """

    __slots__ = ("_resumed", "_since", "_unread")

    def __init__(self) -> None:
        self._unread = 0
        self._since = 0.0
        self._resumed = False

    def resume(self) -> None:
        """The client has read most of what was sent."""
        self._resumed = True

    def stalled_s(self, unread: int, now: float) -> float:
        """For how many seconds the client has read nothing; `unread` bytes are unread now."""
        if not self._unread or unread < self._unread or self._resumed:
            self._since = now
        self._unread, self._resumed = unread, False
        return now - self._since
