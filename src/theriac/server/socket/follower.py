"""Follows the audit log: does at once in this process what an operator has done in the store."""

from __future__ import annotations

import asyncio
import logging

from theriac.server.admin.actions import Action, read_actions
from theriac.server.auth import Players
from theriac.server.socket.close_codes import COME_BACK, CloseCode
from theriac.server.store.store import StoreFault
from theriac.server.tables.messages import AnnouncementMessage, encoder
from theriac.server.tables.service import TableService
from theriac.server.tables.session import Client

log = logging.getLogger(__name__)

#: How often the audit log is read, in seconds.
FOLLOW_EVERY_S = 1.0
#: In PostgreSQL a row may become visible after one with a higher number. This many rows are read
#: again each time.
READ_AGAIN = 50
#: Actions after which a person's sockets are closed, and why.
_CLOSES = {
    "ban": "the operator of this server has banned you",
    "kick": "the operator of this server has removed you",
    "renew key": "this key has been replaced by a new one",
    "revoke key": "this key has been revoked",
    "delete person": "this key was deleted with its person",
}


class Follower:
    """What this process has seen of the audit log."""

    def __init__(self, service: TableService, players: Players) -> None:
        self._service = service
        self._players = players
        self._last = 0
        self._seen: set[int] = set()
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """Skip what happened before this process."""
        rows = await read_actions(self._service.store, limit=READ_AGAIN)
        self._seen = {row.number for row in rows}
        self._last = max(self._seen, default=0)

    async def run(self) -> None:
        """Follow until cancelled."""
        while True:
            await asyncio.sleep(FOLLOW_EVERY_S)
            try:
                await self.check()
            except StoreFault as fault:
                log.warning("%s", fault)

    async def check(self) -> None:
        """Carry out what is new."""
        async with self._lock:
            rows = await read_actions(self._service.store, self._last - READ_AGAIN)
            new = [row for row in rows if row.number not in self._seen]
            self._seen = {row.number for row in rows}
            self._last = max(self._seen, default=self._last)
            for row in new:
                try:
                    await self._carry_out(row)
                except Exception:  # the actions after it are no less urgent
                    log.exception("this action was not carried out: %s", row.action)

    async def _carry_out(self, row: Action) -> None:
        if row.person is not None:
            self._players.forget(row.person)
        if row.person is not None and row.action in _CLOSES:
            for client in self._clients():
                if client.player == row.person:
                    client.disconnect(CloseCode.REFUSED, _CLOSES[row.action])
        for name in row.details.get("read", ()):
            await self._service.catch_up(name)
        for name in row.details.get("reload", ()):
            self._reload(name, deleted=row.action == "delete table")
        if row.action == "announce":
            message = encoder.encode(AnnouncementMessage(row.details["text"]))
            for client in self._clients():
                client.send(message)

    def _reload(self, name: str, *, deleted: bool) -> None:
        code, why = (COME_BACK, "come back")
        if deleted:
            code, why = (CloseCode.NO_TABLE, "there is no such table")
        for client in self._service.tables.forget(name):
            client.disconnect(code, why)

    def _clients(self) -> list[Client]:
        return [client for session in self._service.tables for client in session.clients]
