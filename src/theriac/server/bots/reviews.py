"""Reviews of finished games: begun on request, once for all who ask, and kept.

The review of a game at a table is stored. Until it is done, the store says which process works on
it: others tell their clients to wait. The review of a record that somebody sent is in the memory of
one process, for an hour.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from theriac.review import METHOD
from theriac.server.auth import new_id
from theriac.server.bots.review_pool import Job, ReviewPool, Task
from theriac.server.limits import Limits
from theriac.server.rate_limit import RateLimiter
from theriac.server.running.background import BackgroundTasks
from theriac.server.slots import Slots
from theriac.server.store.events import now_ms
from theriac.server.store.store import ReviewRow, Store, StoreFault, VersionTaken
from theriac.server.tables.decisions import Denied
from theriac.server.tables.presence import REPORT_VALID_S

log = logging.getLogger(__name__)

#: How long the review of a sent record is kept, and how long it is said why a review failed, in
#: seconds.
KEEP_SENT_S, KEEP_FAILED_S = 3600.0, 600.0
#: How often a request looks for what another process may have stored, in seconds.
LOOK_EVERY_S = 1.0
#: How long to wait before storing a review is tried again after the store has failed, in seconds.
STORE_RETRY_S = 5.0

_NOTHING = msgspec.Raw(b"null")
_NO_PREVIEWS = msgspec.Raw(b"{}")


class GameKey(NamedTuple):
    """A finished game: its table, and its number there."""

    table: str
    number: int


class Asker(NamedTuple):
    """Who asks for a review: they are charged, and limited."""

    player: str
    address: str


class Progress(msgspec.Struct, frozen=True):
    """`bodies.ReviewProgress`, with the review as it was encoded in the process that made it."""

    id: str | None = None
    step: int = 0
    done: bool = False
    progress: float = 0.0
    waiting: int | None = None
    failed: str | None = None
    review: msgspec.Raw = _NOTHING
    previews: msgspec.Raw = _NO_PREVIEWS

    @property
    def ended(self) -> bool:
        """Will there be no further step?"""
        return self.done or self.failed is not None

    def after(self, step: int) -> Progress:
        """The same without a review that is known already."""
        if self.step > step:
            return self
        return msgspec.structs.replace(self, review=_NOTHING, previews=_NO_PREVIEWS)


class _Kept(msgspec.Struct, frozen=True):
    """A review as it is stored, compressed."""

    step: int
    review: msgspec.Raw
    previews: msgspec.Raw


class Reviews:
    """The reviews of this process."""

    def __init__(
        self, store: Store, pool: ReviewPool, limits: Limits, process: str, *, alone: bool
    ) -> None:
        self._store = store
        self._pool = pool
        self._limits = limits
        self._process = process
        #: Is no other process working on this store?
        self._alone = alone
        self._jobs: dict[GameKey, Job] = {}
        self._sent: dict[str, Job] = {}
        self._background = BackgroundTasks()
        self._waiting = Slots(limits.reviews_per_player)
        self._players = RateLimiter(limits.review_rate, limits.review_burst)
        self._addresses = RateLimiter(limits.review_address_rate, limits.review_address_burst)
        self._stopping = False

    # Asking

    async def ask(self, game: GameKey, record: Mapping[str, Any], asker: Asker) -> Progress:
        """Begin a review, or join the one that there is; raises `Denied`."""
        found = await self._find(game)
        if found is not None and found.failed is None:
            return found
        if (job := self._jobs.get(game)) is None or job.failed is not None:
            job = self._jobs[game] = self._begin(record, asker)
            self._background.start(self._keep(game, job))
        return self._progress(job)

    def ask_for_record(self, record: Mapping[str, Any], asker: Asker) -> Progress:
        """Begin the review of a record that was sent; raises `Denied`."""
        if len(self._sent) >= self._limits.reviews_in_memory:
            oldest = next((name for name, job in self._sent.items() if job.ended), None)
            if oldest is None:
                raise Denied("rate", "too many reviews wait on this server: try again later")
            del self._sent[oldest]
        name = new_id()
        job = self._sent[name] = self._begin(record, asker)
        loop = asyncio.get_running_loop()
        loop.call_later(KEEP_SENT_S, self._sent.pop, name, None)
        return self._progress(job, name)

    def _begin(self, record: Mapping[str, Any], asker: Asker) -> Job:
        if self._stopping:
            raise Denied("rate", "the server stops: come back in a moment")
        if len(self._pool) >= self._limits.reviews:
            raise Denied("rate", "too many reviews wait on this server: try again later")
        if not self._addresses.take(asker.address):
            raise Denied("rate", "too many reviews for your address: try again later")
        if not self._players.take(asker.player):
            raise Denied("rate", "too many reviews in a short time: try again later")
        if not self._waiting.take(asker.player):
            raise Denied("rate", "you wait for too many reviews: ask again when one is done")
        job = self._pool.start(Task(record, self._limits.review_playouts), asker.player)
        self._background.start(self._give_slot_back(job, asker.player))
        return job

    async def _give_slot_back(self, job: Job, player: str) -> None:
        try:
            await _end_of(job)
        finally:
            self._waiting.give_back(player)

    # Looking

    async def look(self, game: GameKey, after: int, wait_s: float) -> Progress | None:
        """How far the review of a game is; None if nobody has asked for it.

        Waits for a step after this one, at most some seconds.
        """
        deadline = time.monotonic() + wait_s
        while True:
            found, job = await self._find(game), self._jobs.get(game)
            left = deadline - time.monotonic()
            if found is None or not self._is_worth_waiting(found, after, left):
                return found and found.after(after)
            await _change_of(job, left if job else min(left, LOOK_EVERY_S))

    async def look_for_record(self, name: str, after: int, wait_s: float) -> Progress | None:
        """The same for a record that was sent, by the id of its review."""
        deadline = time.monotonic() + wait_s
        while (job := self._sent.get(name)) is not None:
            found, left = self._progress(job, name), deadline - time.monotonic()
            if not self._is_worth_waiting(found, after, left):
                return found.after(after)
            await _change_of(job, left)
        return None

    def _is_worth_waiting(self, found: Progress, after: int, left_s: float) -> bool:
        return not (found.ended or found.step > after or left_s <= 0 or self._stopping)

    def _progress(self, job: Job, name: str | None = None) -> Progress:
        step, failed = job.latest, job.failed
        if step is None:
            return Progress(name, waiting=self._pool.place(job), failed=failed)
        return Progress(
            name,
            step.number,
            step.done,
            step.progress,
            failed=failed,
            review=msgspec.Raw(step.review),
            previews=msgspec.Raw(step.previews),
        )

    async def _find(self, game: GameKey) -> Progress | None:
        """How far the review of a game is, here, in the store or in another process."""
        if (job := self._jobs.get(game)) is not None:
            return self._progress(job)
        row = await self._store.find_review(game.table, game.number)
        if row is None or row.method != METHOD:
            return None
        if row.review is None:
            return Progress() if await self._is_running(row.process) else None
        kept = msgspec.json.decode(zlib.decompress(row.review), type=_Kept)
        return Progress(None, kept.step, True, 1.0, review=kept.review, previews=kept.previews)

    async def _is_running(self, process: str | None) -> bool:
        """Is another process still there, to finish what it has begun?"""
        if self._alone:
            return False
        since = now_ms() - int(1000 * REPORT_VALID_S)
        return process in await self._store.running_processes(since) - {self._process}

    # Keeping

    async def _keep(self, game: GameKey, job: Job) -> None:
        """Note that a review is under way; store it when it is done."""
        begun = ReviewRow(METHOD, self._process, None)
        await self._write(self._store.put_review(*game, now_ms(), begun))
        await _end_of(job)
        step = job.latest
        if job.failed is not None or step is None:
            await self._write(self._store.forget_review(*game, self._process))
            await asyncio.sleep(KEEP_FAILED_S)
        else:
            kept = _Kept(step.number, msgspec.Raw(step.review), msgspec.Raw(step.previews))
            packed = await asyncio.to_thread(zlib.compress, msgspec.json.encode(kept))
            done = ReviewRow(METHOD, None, packed)
            while not await self._write(self._store.put_review(*game, now_ms(), done)):
                await asyncio.sleep(STORE_RETRY_S)
        if self._jobs.get(game) is job:
            del self._jobs[game]

    async def _write(self, write: Any) -> bool:
        """Write something; False if the store has failed."""
        try:
            await write
        except StoreFault as fault:
            log.warning("%s", fault)
            return False
        except VersionTaken:
            log.info("another process has begun the same review")
        return True

    # The process

    def say_goodbye(self) -> None:
        """Let all go who wait."""
        self._stopping = True
        for job in (*self._jobs.values(), *self._sent.values()):
            job.tell()

    async def stop(self) -> None:
        """End all reviews under way: they begin again when somebody asks for them again."""
        self._stopping = True
        await self._background.stop()
        await asyncio.to_thread(self._pool.stop)
        for game in self._jobs:
            await self._write(self._store.forget_review(*game, self._process))


async def _end_of(job: Job) -> None:
    while not job.ended:
        await job.changed.wait()


async def _change_of(job: Job | None, seconds: float) -> None:
    """Wait for the next change of a review, at most some seconds."""
    if job is None:
        await asyncio.sleep(seconds)
        return
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(job.changed.wait(), seconds)
