"""Hints: what the best bot would play, asked with the VIEW of that seat alone.

A hint is an event: it is stored before it is sent, and the record of the game notes it.
"""

from __future__ import annotations

import logging
import time

from theriac.faults import BadBot
from theriac.server.bots.bot_pool import BotPool
from theriac.server.rate_limit import RateLimiter
from theriac.server.running.metrics import Metrics
from theriac.server.tables import messages
from theriac.server.tables.decisions import Advice, Denied, Requester, hint_seat
from theriac.server.tables.table import Table

log = logging.getLogger(__name__)

#: The level of the bot that gives hints.
HINT_LEVEL = "expert"
#: Hints per second in the long run, and at once, for each player: a hint is a second of thinking.
HINT_RATE, HINT_BURST = 0.2, 8.0


class Advisor:
    """Asks a bot for hints, within a rate limit."""

    def __init__(self, bot_pool: BotPool, metrics: Metrics) -> None:
        self._bot_pool = bot_pool
        self._metrics = metrics
        self._limiter = RateLimiter(HINT_RATE, HINT_BURST)

    async def advise(self, table: Table, requester: Requester, request: messages.Hint) -> Advice:
        """The hint already given in this position, or a new one; raises `Denied`."""
        hint_seat(table, requester)
        version = table.turn_version
        if table.hint:
            return Advice(request.id, version, table.hint.move)
        if not self._limiter.take(requester.player):
            raise Denied("rate", "too many hints at once: think for a moment yourself")
        return Advice(request.id, version, await self._ask(table))

    async def _ask(self, table: Table) -> str:
        started = time.perf_counter()
        try:
            return await self._bot_pool.ask(table.current_match, HINT_LEVEL)
        except BadBot as fault:
            log.error("%s", fault, extra={"table": table.name})
            raise Denied("denied", "the bot has no hint just now: ask again") from None
        finally:
            self._metrics.bot_seconds.labels(HINT_LEVEL).observe(time.perf_counter() - started)
