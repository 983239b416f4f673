"""The Litestar application, and what starts and stops with its process."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

import theriac
from theriac.faults import Fault, quote
from theriac.server.address_bans import AddressBans, refuse_banned_sockets
from theriac.server.addresses import NetworkTags
from theriac.server.admin.retention import Retention, prune
from theriac.server.auth import Players, new_id
from theriac.server.bots.bot_pool import BotPool
from theriac.server.bots.review_pool import ReviewPool
from theriac.server.bots.reviews import Reviews
from theriac.server.http.errors import EXCEPTION_HANDLERS
from theriac.server.http.fair_thread import FairThread
from theriac.server.http.page import COMPRESSION, is_built, page_routers
from theriac.server.http.requests import limit_all
from theriac.server.http.routes import ROUTES
from theriac.server.limits import DEFAULT_LIMITS, Limits
from theriac.server.rate_limit import RateLimits
from theriac.server.running import gc_tuning
from theriac.server.running.background import Loop, keep_running
from theriac.server.running.clock import process_clock
from theriac.server.running.metrics import LoopLag, Metrics
from theriac.server.slots import Slots
from theriac.server.socket.connection import Sockets, table_socket
from theriac.server.socket.follower import Follower
from theriac.server.store.database import database_url, is_sqlite
from theriac.server.store.events import now_ms
from theriac.server.store.lock import StoreInUse, locked
from theriac.server.store.migrate import describe, upgrade
from theriac.server.store.store import Store, StoreFault
from theriac.server.tables.bot_turns import BOT_DELAY_S
from theriac.server.tables.loaded import Unreadable
from theriac.server.tables.log_memory import MemoryFull
from theriac.server.tables.presence import ABSENCE_GRACE_S, Presence
from theriac.server.tables.pubsub import PubSub, RedisPubSub
from theriac.server.tables.pubsub_postgres import PostgresPubSub
from theriac.server.tables.service import TableService

log = logging.getLogger(__name__)

#: The largest body of a request, in bytes: a deck is the largest thing sent.
MAX_BODY_BYTES = 64 * 1024
#: How often a process writes a heartbeat and synchronizes with the others, in seconds.
HEARTBEAT_EVERY_S = 5.0
#: How long a server may be silent before that counts as downtime, in seconds.
DOWN_AFTER_S = 20.0
#: How often unfinished tables are loaded and idle ones unloaded, in seconds.
TEND_TABLES_EVERY_S = 20.0
#: How often what is too old is deleted, in seconds.
PRUNE_EVERY_S = 600.0
#: How recent the last event of an unfinished table must be: at the start, and later, in seconds.
LOAD_AT_START_S, LOAD_LATER_S = 24 * 3600, 600


@dataclass(frozen=True)
class Config:
    """The settings of a server."""

    database: str
    channels: str | None = None
    origins: frozenset[str] = frozenset()
    #: The names that the server answers for, beside localhost and addresses.
    hosts: frozenset[str] = frozenset()
    bot_workers: int = 1
    bot_delay: float = BOT_DELAY_S
    absence_grace: float = ABSENCE_GRACE_S
    max_open_tables: int = 50
    retention: Retention = field(default_factory=Retention)
    #: A request for the metrics shows this token; None: only programs on this machine get them.
    metrics_token: str | None = None
    limits: Limits = DEFAULT_LIMITS


async def prepare(config: Config) -> None:
    """Check what the server needs, and upgrade the store; raises `Fault`."""
    await upgrade(database_url(config.database))
    if config.channels:
        await _check_redis(config.channels)


async def check_setup(config: Config) -> list[str]:
    """What a server with these settings finds, in lines; changes nothing. Raises `Fault`."""
    url = database_url(config.database)
    shown = url.database if is_sqlite(url) else url.render_as_string(hide_password=True)
    lines = [f"database: {quote(shown, 300)}: {await describe(url)}"]
    try:
        with locked(url, create=False):
            pass
    except StoreInUse:
        lines.append("a server is running on this database")
    if config.channels:
        await _check_redis(config.channels)
        lines.append("channels: Redis answers")
    if not is_built():
        raise Fault("there is no page to play on: `make page` builds it in a clone")
    return [*lines, "page: built", "The server can start."]


async def _check_redis(channels: str) -> None:
    pubsub = RedisPubSub(channels, "")
    await pubsub.ping()
    await pubsub.stop()


def pubsub_for(config: Config, process: str) -> PubSub:
    """How this process hears of the others: over Redis, else PostgreSQL. On SQLite it is alone."""
    url = database_url(config.database)
    if config.channels:
        return RedisPubSub(config.channels, process)
    return PubSub() if is_sqlite(url) else PostgresPubSub(url, process)


def create_app(config: Config) -> Litestar:
    """The application for one process."""
    sockets = Router("/", route_handlers=[table_socket], middleware=[refuse_banned_sockets])
    return Litestar(
        [*ROUTES, sockets, *page_routers()],
        before_request=limit_all,
        lifespan=[_lifespan],
        state=State({"config": config, "origins": config.origins}),
        exception_handlers=EXCEPTION_HANDLERS,
        compression_config=COMPRESSION,
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=OpenAPIConfig(
            title="Theriac",
            version=theriac.__version__,
            path="/api",
            render_plugins=[JsonRenderPlugin(path="openapi.json")],
            components=Components(
                security_schemes={"key": SecurityScheme(type="http", scheme="bearer")}
            ),
            security=[{"key": []}, {}],
        ),
        logging_config=None,
    )


@contextlib.asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    """Start everything in order, and stop it in reverse."""
    config: Config = app.state.config
    if not is_built():
        log.warning("there is no page to play on, only the API: `make page` builds it in a clone")
    process = new_id()
    url = database_url(config.database)
    await upgrade(url)
    store = Store(url)
    pubsub = pubsub_for(config, process)
    metrics = Metrics()
    service = TableService(
        store,
        BotPool(config.bot_workers, metrics),
        pubsub,
        metrics,
        bot_delay=config.bot_delay,
        presence=Presence(config.absence_grace),
        process=process,
        limits=config.limits,
    )
    limits = config.limits
    review_pool = ReviewPool(limits.review_processes, limits.review_timeout_s, metrics)
    reviews = Reviews(store, review_pool, limits, process, alone=is_sqlite(url))
    players, fair_thread = Players(store), FairThread()
    follower = Follower(service, players)
    await follower.start()
    address_bans = AddressBans(store)
    await address_bans.read()
    app.state.update(
        {
            "service": service,
            "reviews": reviews,
            "players": players,
            "rates": RateLimits(limits),
            "sockets": Sockets(limits),
            "follower": follower,
            "address_bans": address_bans,
            "network_tags": NetworkTags(),
            "fair_thread": fair_thread,
            "openings": Slots(config.max_open_tables),
        }
    )
    await _note_downtime(store, service, process)
    await pubsub.start(service.on_process_message)
    gc_tuning.freeze_and_tune()
    service.rule_loader.start()
    lag = LoopLag(service.metrics)
    loops: list[Loop] = [
        partial(_write_heartbeats, store, process),
        partial(_tend_tables, service),
        follower.run,
        address_bans.run,
    ]
    if not is_sqlite(url):
        loops.append(partial(_synchronize, service))
    if any(dataclasses.astuple(config.retention)):
        loops.append(partial(_prune, store, config.retention))
    tasks = [asyncio.create_task(keep_running(loop)) for loop in loops]
    try:
        yield
    finally:
        lag.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        fair_thread.stop()
        await reviews.stop()
        await service.stop()
        await pubsub.stop()
        await store.close()


async def _note_downtime(store: Store, service: TableService, process: str) -> None:
    """Write down how long no server was running, and write the first heartbeat."""
    last = await store.last_heartbeat()
    if last is not None and (lag := process_clock.start_at(last)) > 1000 * DOWN_AFTER_S:
        log.warning(
            "the clock of this machine is %d s behind the store: the time continues from there",
            lag // 1000,
        )
    now = now_ms()
    if last is not None and now - last > 1000 * DOWN_AFTER_S:
        await store.add_downtime(last, now)
    await store.heartbeat(process, now)
    for since, until in await store.downtime():
        service.downtime.add(since, until)


async def _write_heartbeats(store: Store, process: str) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT_EVERY_S)
        with contextlib.suppress(StoreFault):
            await store.heartbeat(process, now_ms())


async def _synchronize(service: TableService) -> None:
    while True:
        await asyncio.sleep(HEARTBEAT_EVERY_S)
        await service.synchronize()


async def _prune(store: Store, keep: Retention) -> None:
    """Delete what is older than the operator wants to keep."""
    while True:
        try:
            pruned = await prune(store, "retention", keep)
            if any(pruned):
                log.info("deleted %d tables, %d messages, %d people", *pruned)
        except Fault as fault:  # another process may have deleted the same at the same time
            log.warning("%s", fault)
        await asyncio.sleep(PRUNE_EVERY_S)


async def _tend_tables(service: TableService) -> None:
    """Load unfinished tables, where a bot or a clock may have to act; unload idle ones."""
    since = now_ms() - 1000 * LOAD_AT_START_S
    while True:
        try:
            for name in await service.store.unfinished_tables(since):
                if service.tables.memory.is_crowded_with():
                    break  # another one would only push one of these out
                with contextlib.suppress(Unreadable):  # it is logged
                    await service.tables.find(name)
                await asyncio.sleep(0)
        except (StoreFault, MemoryFull) as fault:
            log.warning("%s", fault)
        await asyncio.sleep(TEND_TABLES_EVERY_S)
        service.tables.unload_idle()
        service.presence.forget_old_requests()
        if not any(session.clients for session in service.tables):
            gc_tuning.collect_if_idle()
        since = now_ms() - 1000 * LOAD_LATER_S
