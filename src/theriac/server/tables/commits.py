"""Committing events: store first, then memory, then clients.

Several processes may hold the same table. If two of them write the same version, the store accepts
one; the other gets `VersionTaken`, reads what it missed and decides again.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

from theriac.server.running.background import BackgroundTasks
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.store.events import LogEntry, now_ms
from theriac.server.store.index import game_finished, index_updates
from theriac.server.store.store import Store, StoreFault
from theriac.server.tables.finished import finished_game
from theriac.server.tables.pubsub import ProcessMessage, PubSub
from theriac.server.tables.session import TableSession
from theriac.server.tables.table import Table


class Committer:
    """Stores events, applies them and sends them. The caller holds the lock of the session."""

    def __init__(
        self, store: Store, pubsub: PubSub, background: BackgroundTasks, metrics: Metrics
    ) -> None:
        self._store = store
        self._pubsub = pubsub
        self._background = background
        self._metrics = metrics

    async def commit(
        self,
        session: TableSession,
        decided: list[events.AnyEvent],
        idempotency_key: str | None = None,
    ) -> None:
        """Store events, then apply and send them; raises `VersionTaken` or `StoreFault`."""
        table, now, version = session.table, now_ms(), session.table.version
        entries = [
            LogEntry(number, now, event, idempotency_key if number == version + 1 else None)
            for number, event in enumerate(decided, version + 1)
        ]
        updates = [row for entry in entries for row in _index_updates(table, entry)]
        started = time.perf_counter()
        try:
            await self._store.append(table.name, entries, updates)
        except StoreFault:
            # The store may have written them before it failed: what it has is what happened.
            with contextlib.suppress(StoreFault):
                await self.read_new_events(session)
            if table.log[version:][: len(entries)] != entries:
                raise
        else:
            for entry in entries:
                self._apply(session, entry)
        self._metrics.append_seconds.observe(time.perf_counter() - started)
        if not self._pubsub.alone:
            news = ProcessMessage(table.name, version=table.version)
            self._background.start(self._pubsub.publish(news))

    async def read_new_events(self, session: TableSession) -> None:
        """Apply and send what the store has after the version in memory; raises `StoreFault`."""
        for entry in await self._store.read_log(session.table.name, session.table.version):
            self._apply(session, entry)

    def _apply(self, session: TableSession, entry: LogEntry) -> None:
        session.apply(entry)
        if isinstance(entry.event, events.Moved):
            self._metrics.moves.count(session.table.game.name)


def _index_updates(table: Table, entry: LogEntry) -> list[Any]:
    """The statements that keep the index in step with an event that is about to be stored."""
    if isinstance(entry.event, events.Moved):
        return []
    updates = index_updates(table.name, entry, [seat.player for seat in table.seats])
    # Who knew the cards has no result to list.
    if isinstance(entry.event, events.Offered) and table.deal_of is None:
        updates += game_finished(table.name, entry.at, finished_game(table))
    return updates
