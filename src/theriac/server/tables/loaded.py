"""The tables in memory: finds them, loads them from the store, drops those that nobody uses."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

from theriac.engine.rule import Speed
from theriac.faults import Fault
from theriac.server.bots.fair_turns import FairTurns
from theriac.server.limits import Limits
from theriac.server.store import events
from theriac.server.store.events import LogEntry, now_ms
from theriac.server.store.index import table_opened
from theriac.server.store.store import Store, StoreFault
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.log_memory import LogMemory, MemoryFull
from theriac.server.tables.rule_loader import RuleLoader
from theriac.server.tables.session import Client, TableSession
from theriac.server.tables.table import Table

log = logging.getLogger(__name__)

#: How long an unused table stays in memory, in seconds.
UNLOAD_AFTER_S = 300.0
#: How long a replay may hold the event loop before it lets others run, in seconds.
REPLAY_SLICE_S = 0.005
#: How many tables are loaded at once, and how many seconds that is expected to take. Others wait:
#: each may have a long log.
LOADS_AT_ONCE, EXPECTED_LOAD_S = 4, 0.05


class Unreadable(Fault):
    """The log of a table cannot be replayed here: its game is not installed any more, or a newer
    version has written it.
    """

    def __init__(self) -> None:
        super().__init__("this server cannot read this table: tell its operator")


class LoadedTables:
    """The tables that this process has in memory, by name."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        downtime: Downtime,
        rule_loader: RuleLoader,
        on_load: Callable[[TableSession], Awaitable[None]],
    ) -> None:
        self._store = store
        self._limits = limits
        self._downtime = downtime
        self._rule_loader = rule_loader
        #: Called with a table that was loaded from the store, before it is found.
        self._on_load = on_load
        self._sessions: dict[str, TableSession] = {}
        self._loading: dict[str, asyncio.Task[TableSession | None]] = {}
        self._loads = FairTurns(LOADS_AT_ONCE, EXPECTED_LOAD_S)
        self.memory = LogMemory(limits)

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Iterator[TableSession]:
        return iter(list(self._sessions.values()))

    def get(self, name: str) -> TableSession | None:
        """The table of that name, if it is in memory."""
        return self._sessions.get(name)

    async def create(
        self, name: str, opened: events.Opened, network: str | None = None
    ) -> TableSession:
        """Store a new table, and keep it in memory; raises `MemoryFull`."""
        self._make_room(0)
        now = now_ms()
        entry = LogEntry(1, now, opened)
        await self._store.append(name, [entry], table_opened(name, opened, now, network))
        return self._keep(await self._replay(name, [entry]))

    async def find(self, name: str, asker: str = "") -> TableSession | None:
        """The table of that name, from memory or from the store; None if there is none.

        The addresses that ask take turns; the server itself has none. Raises `MemoryFull`,
        `Unreadable` or `StoreFault`.
        """
        session = self._sessions.get(name)
        if session is not None:
            session.last_used = time.monotonic()
            return session
        if not name.isprintable():  # PostgreSQL fails at a NUL
            return None
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._load(name, asker))
            self._loading[name].add_done_callback(lambda _: self._loading.pop(name))
        return await asyncio.shield(self._loading[name])

    async def _load(self, name: str, asker: str) -> TableSession | None:
        async with self._loads.turn(asker):
            session = await self._read(name)
            if session is None:
                return None
            self._make_room(session.log_bytes)
            session = self._keep(session)
        await self._on_load(session)
        return session

    async def _read(self, name: str) -> TableSession | None:
        """The table that is in the store; None if there is none."""
        try:
            entries = await self._store.read_log(name)
            return await self._replay(name, entries) if entries else None
        except StoreFault:
            raise
        except Exception as error:  # whatever it is, the other tables can be played
            log.error("a table cannot be read", exc_info=error, extra={"table": name})
            raise Unreadable from error

    async def _replay(self, name: str, entries: Sequence[LogEntry]) -> TableSession:
        """The table that a log describes."""
        opened = entries[0].event
        assert isinstance(opened, events.Opened)
        speed = await self._rule_loader.wait_for(opened.game)
        table = await replay_log(name, entries, self._downtime, speed)
        session = TableSession(table, self._limits, self.memory)
        if session.delayed is not None:
            seen_until = now_ms() - 1000 * opened.delay
            await _in_slices(session.delayed.catch_up(table, seen_until))
        return session

    def _keep(self, session: TableSession) -> TableSession:
        """Keep a table in memory, unless it is there already: a new one is in the store, where
        others may find it, before it is here. Returns the one that is in memory.
        """
        kept = self._sessions.setdefault(session.table.name, session)
        if kept is session:
            session.keep()
        return kept

    def _make_room(self, log_bytes: int) -> None:
        """Free the memory for a log of this many bytes; raises `MemoryFull`."""
        self._drop_unused(log_bytes)
        if len(self) >= self._limits.tables or not self.memory.has_room(log_bytes):
            raise MemoryFull

    def can_grow(self, log_bytes: int) -> bool:
        """May a table with a log of this many bytes take more than the rest of a game?"""
        if log_bytes > self.memory.longest_log:
            self._drop_unused(0)
        return log_bytes <= self.memory.longest_log

    def unload_idle(self) -> None:
        """Drop tables from memory that nobody has used for a while: they are in the store."""
        now = time.monotonic()
        for session in self:
            idle = not session.in_use and now - session.last_used > UNLOAD_AFTER_S
            if idle and session.timer is None:
                self._drop(session)
        self._drop_unused(0)

    def _drop_unused(self, log_bytes: int) -> None:
        """Drop unused tables until a log fits into the first half of the memory.

        Those where no clock runs are first, and of them those that were not used for longest. Where
        one runs, it is checked when somebody comes, as after a restart.
        """
        if not self._is_crowded_with(log_bytes):
            return
        unused = [session for session in self if not session.in_use]
        for session in sorted(unused, key=lambda each: (each.timer is not None, each.last_used)):
            self._drop(session)
            if not self._is_crowded_with(log_bytes):
                return

    def _is_crowded_with(self, log_bytes: int) -> bool:
        too_many = len(self) >= self._limits.tables
        return too_many or self.memory.is_crowded_with(log_bytes)

    def _drop(self, session: TableSession) -> None:
        del self._sessions[session.table.name]
        session.drop()

    def forget(self, name: str) -> set[Client]:
        """Drop a table whose log was changed or deleted in the store; its clients."""
        session = self._sessions.get(name)
        if session is None:
            return set()
        self._drop(session)
        return set(session.clients)


async def replay_log(name: str, log: Sequence[LogEntry], downtime: Downtime, speed: Speed) -> Table:
    """The table that a log describes. A long replay lets others use the event loop."""
    table = Table(name, downtime, speed)
    await _in_slices(_apply_each(table, log))
    return table


def _apply_each(table: Table, log: Iterable[LogEntry]) -> Iterator[None]:
    for entry in log:
        table.apply(entry)
        yield


async def _in_slices(steps: Iterable[object]) -> None:
    """Take steps that need the event loop, and let others use it in between."""
    slice_began = time.monotonic()
    for _ in steps:
        if time.monotonic() - slice_began > REPLAY_SLICE_S:
            await asyncio.sleep(0)
            slice_began = time.monotonic()
