"""Hints: what the best bot would play in somebody's place, asked from that seat's VIEW alone.

A hint is an event: it is written down before it is told, and the record of the game marks it.
"""

from __future__ import annotations

import logging
import time

from theriac.faults import BadBot
from theriac.server.bots.bot_pool import Thinkers
from theriac.server.rate_limit import Buckets
from theriac.server.running.metrics import Metrics
from theriac.server.tables import messages
from theriac.server.tables.decisions import Advice, Asker, Denied, hint_seat
from theriac.server.tables.table import Room

log = logging.getLogger(__name__)

#: The level of the bot that is asked.
LEVEL = "expert"
#: Hints for a person, a second for long, and at once: each is a second of thinking.
RATE, BURST = 0.2, 8.0


class Advisor:
    """Asks a bot for hints, not too often."""

    def __init__(self, thinkers: Thinkers, metrics: Metrics) -> None:
        self._thinkers = thinkers
        self._metrics = metrics
        self._often = Buckets(RATE, BURST)

    async def advise(self, room: Room, asker: Asker, request: messages.Hint) -> Advice:
        """What to play in this position, as was told before or as a bot says; raises `Denied`."""
        hint_seat(room, asker)
        version = room.turn_version
        if room.hint:
            return Advice(request.id, version, room.hint.move)
        if not self._often.take(asker.player):
            raise Denied("rate", "too many hints at once: think for a moment yourself")
        return Advice(request.id, version, await self._ask(room))

    async def _ask(self, room: Room) -> str:
        started = time.perf_counter()
        try:
            return await self._thinkers.ask(room.playing, LEVEL)
        except BadBot as fault:
            log.error("%s", fault, extra={"table": room.name})
            raise Denied("denied", "the bot has no hint just now: ask again") from None
        finally:
            self._metrics.bot_seconds.labels(LEVEL).observe(time.perf_counter() - started)
