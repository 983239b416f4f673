"""The turns of bots: who asks the bot pool, when, and for whom; and how many tables bots may play
among themselves.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from random import Random

from theriac.faults import BadBot
from theriac.server.bots.bot_pool import Asker, BotPool
from theriac.server.bots.fair_queue import Urgency
from theriac.server.limits import Limits
from theriac.server.running.background import BackgroundTasks
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.tables.decisions import Denied
from theriac.server.tables.presence import Presence
from theriac.server.tables.session import TableSession
from theriac.server.tables.table import Table

log = logging.getLogger(__name__)

#: A bot's move takes at least this long where people play, in seconds. The page shows moves at its
#: own pace: this only keeps a bot from being faster than any person.
BOT_DELAY_S = 0.15
#: How long a process waits for the one that made the last move to ask the bot, in seconds.
OTHER_PROCESS_BOT_S = 5.0
#: The longest sleep before a table that has used up its budget is checked again, in seconds.
CHECK_BUDGET_EVERY_S = 1.0

_NOT_COUNTED = nullcontext()

#: Makes the move of a bot: the table, the seat, the level of the bot and the move. Returns False if
#: the store failed. The lock is held.
MakeMove = Callable[[TableSession, int, str, str], Awaitable[bool]]


class BotTurns:
    """Plays for the bots of all tables."""

    def __init__(
        self,
        bot_pool: BotPool,
        presence: Presence,
        background: BackgroundTasks,
        metrics: Metrics,
        make_move: MakeMove,
        bot_delay: float,
    ) -> None:
        self._bot_pool = bot_pool
        self._presence = presence
        self._background = background
        self._metrics = metrics
        self._make_move = make_move
        #: A bot's move takes at least this many seconds, where people play.
        self._bot_delay = bot_delay
        self._stopping = False

    def start(self, session: TableSession, *, made_last_move: bool) -> None:
        """Play for the bot to act, if there is one."""
        if session.table.bot_to_act is None or self._stopping:
            return
        if session.bot_task is not None and not session.bot_task.done():
            return
        play = self._play(session, made_last_move=made_last_move)
        session.bot_task = self._background.start(play)

    def stop(self) -> None:
        """Start no further turn."""
        self._stopping = True

    def on_arrival(self, session: TableSession) -> None:
        """Somebody has come to a table: its bots are more urgent."""
        self._bot_pool.promote(session.table.name, self._urgency(session))

    async def _play(self, session: TableSession, *, made_last_move: bool) -> None:
        """Play for bots until a person is to act."""
        if not made_last_move:
            await asyncio.sleep(OTHER_PROCESS_BOT_S * (1 + Random().random()))
        table = session.table
        while (turn := table.bot_to_act) and not self._stopping:
            if wait_s := session.thinking.wait_s():
                await asyncio.sleep(min(wait_s, CHECK_BUDGET_EVERY_S))
                continue
            seat, level = turn
            version, started = table.version, time.monotonic()
            move = await self._ask(session, level)
            if table.human_seats:
                await asyncio.sleep(max(0.0, self._bot_delay - (time.monotonic() - started)))
            async with session.lock:
                if table.turn_version > version or table.bot_to_act != turn:
                    continue
                if not await self._make_move(session, seat, level, move):
                    return

    async def _ask(self, session: TableSession, level: str) -> str:
        """The move of a bot; a random legal one if the bot fails."""
        table, started = session.table, time.perf_counter()
        asker = Asker(table.opened.by, self._urgency(session), table.name, session.thinking)
        try:
            return await self._bot_pool.ask(table.current_match, level, asker)
        except BadBot as fault:
            log.error("%s", fault, extra={"table": table.name})
            return Random().choice(table.current_match.legal())
        finally:
            self._metrics.bot_seconds.labels(level).observe(time.perf_counter() - started)

    def _urgency(self, session: TableSession) -> Urgency:
        if self._presence.of(session.table.name):
            return Urgency.PLAYED
        return Urgency.WATCHED if session.clients else Urgency.ALONE


class BotTables:
    """The tables in play where only bots play: how many a player and the server may have."""

    def __init__(self, limits: Limits, tables: Iterable[TableSession]) -> None:
        self._limits = limits
        self._tables = tables
        #: Those that are being opened, by their opener.
        self._opening: Counter[str] = Counter()

    @contextmanager
    def opening(self, opener: str) -> Iterator[None]:
        """Count a table as open while it is being opened; raises `Denied` if there are too many."""
        self._check(opener)
        self._opening[opener] += 1
        try:
            yield
        finally:
            self._opening[opener] -= 1
            if not self._opening[opener]:
                del self._opening[opener]

    def filling(self, table: Table, decided: list[events.AnyEvent]) -> AbstractContextManager[None]:
        """The same for a table whose last free seat goes to a bot; any other is not counted."""
        if table.stage != "gathering":
            return _NOT_COUNTED
        handed = [event.seat for event in decided if isinstance(event, events.Handed)]
        free = [n for n, seat in enumerate(table.seats) if seat.bot is None]
        return self.opening(table.opened.by) if handed == free else _NOT_COUNTED

    def _check(self, opener: str) -> None:
        playing = [s.table.opened.by for s in self._tables if only_bots_play(s.table)]
        if playing.count(opener) + self._opening[opener] >= self._limits.bot_tables_per_player:
            raise Denied("rate", "you have too many tables where only bots play: wait for one")
        if len(playing) + self._opening.total() >= self._limits.bot_tables:
            raise Denied("rate", "there are too many tables where only bots play: wait for one")


def only_bots_play(table: Table) -> bool:
    """Is a game in play that no person plays?"""
    return table.stage == "playing" and not table.human_seats
