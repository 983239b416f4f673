"""Hints: what the best bot would play, asked with the VIEW of that seat alone.

A hint is an event: it is stored before it is sent, and the record of the game notes it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from theriac.faults import BadBot
from theriac.server.bots.bot_pool import Asker, BotPool
from theriac.server.bots.fair_queue import Urgency
from theriac.server.limits import Limits
from theriac.server.rate_limit import RateLimiter
from theriac.server.running.metrics import Metrics
from theriac.server.slots import Slots
from theriac.server.tables import messages
from theriac.server.tables.decisions import Advice, Denied, Requester, hint_seat
from theriac.server.tables.table import Table

log = logging.getLogger(__name__)

#: The level of the bot that gives hints.
HINT_LEVEL = "master"


class Advisor:
    """Asks a bot for hints, within a rate limit. A hint is charged to the player who asks."""

    def __init__(self, bot_pool: BotPool, metrics: Metrics, limits: Limits) -> None:
        self._bot_pool = bot_pool
        self._metrics = metrics
        self._waiting = Slots(limits.hints_at_once)
        self._limiter = RateLimiter(limits.hint_rate, limits.hint_burst)

    @contextmanager
    def waiting(self, player: str) -> Iterator[None]:
        """Count a request while it waits; raises `Denied` if the player has too many."""
        if not self._waiting.take(player):
            raise Denied("rate", "you wait for too many hints: ask again when they have come")
        try:
            yield
        finally:
            self._waiting.give_back(player)

    async def advise(self, table: Table, requester: Requester, request: messages.Hint) -> Advice:
        """The hint already given in this position, or a new one; raises `Denied`."""
        hint_seat(table, requester)
        version = table.turn_version
        if request.version is not None and request.version < version:
            raise Denied("stale", f"the position has changed since: it is now version {version}")
        if table.hint:
            return Advice(request.id, version, table.hint.move)
        if not self._limiter.take(requester.player):
            raise Denied("rate", "too many hints at once: think for a moment yourself")
        return Advice(request.id, version, await self._ask(table, requester))

    async def _ask(self, table: Table, requester: Requester) -> str:
        started = time.perf_counter()
        try:
            asker = Asker(requester.player, Urgency.PLAYED)
            return await self._bot_pool.ask(table.current_match, HINT_LEVEL, asker)
        except BadBot as fault:
            log.error("%s", fault, extra={"table": table.name})
            raise Denied("denied", "the bot has no hint just now: ask again") from None
        finally:
            self._metrics.bot_seconds.labels(HINT_LEVEL).observe(time.perf_counter() - started)
