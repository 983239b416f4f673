"""The Litestar application, and what starts and stops with its process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass

from litestar import Litestar
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

import theriac
from theriac.server.auth import Players, new_id
from theriac.server.bots.bot_pool import BotPool
from theriac.server.http.errors import EXCEPTION_HANDLERS
from theriac.server.http.page import COMPRESSION, page_routers
from theriac.server.http.requests import RateLimits, limit_all
from theriac.server.http.routes import ROUTES
from theriac.server.running import gc_tuning
from theriac.server.running.metrics import LoopLag, Metrics
from theriac.server.socket.connection import table_socket
from theriac.server.store.database import database_url
from theriac.server.store.events import now_ms
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store, StoreFault
from theriac.server.tables.pubsub import PubSub, RedisPubSub
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
#: How recent the last event of an unfinished table must be: at the start, and later, in seconds.
LOAD_AT_START_S, LOAD_LATER_S = 24 * 3600, 600


@dataclass(frozen=True)
class Config:
    """The settings of a server."""

    database: str
    channels: str | None = None
    origins: frozenset[str] = frozenset()
    bot_workers: int = 1
    bot_delay: float = 0.6


async def prepare(config: Config) -> None:
    """Check what the server needs, and upgrade the store; raises `Fault`."""
    await upgrade(database_url(config.database))
    if config.channels:
        pubsub = RedisPubSub(config.channels, "")
        await pubsub.ping()
        await pubsub.stop()


def create_app(config: Config) -> Litestar:
    """The application for one process."""
    return Litestar(
        [*ROUTES, table_socket, *page_routers()],
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
    process = new_id()
    url = database_url(config.database)
    await upgrade(url)
    store = Store(url)
    await store.open()
    pubsub = RedisPubSub(config.channels, process) if config.channels else PubSub()
    service = TableService(
        store, BotPool(config.bot_workers), pubsub, Metrics(), bot_delay=config.bot_delay
    )
    app.state.update({"service": service, "players": Players(store), "limits": RateLimits()})
    await _note_downtime(store, service, process)
    await pubsub.start(service.on_process_message)
    gc_tuning.freeze_and_tune()
    service.rule_loader.start()
    lag = LoopLag(service.metrics)
    loops = [_write_heartbeats(store, process), _tend_tables(service)]
    if config.channels:
        loops.append(_synchronize(service))
    tasks = [asyncio.create_task(loop) for loop in loops]
    try:
        yield
    finally:
        lag.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await service.stop()
        await pubsub.stop()
        await store.close()


async def _note_downtime(store: Store, service: TableService, process: str) -> None:
    """Write down how long no server was running, and write the first heartbeat."""
    now, last = now_ms(), await store.last_heartbeat()
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


async def _tend_tables(service: TableService) -> None:
    """Load unfinished tables, where a bot or a clock may have to act; unload idle ones."""
    since = now_ms() - 1000 * LOAD_AT_START_S
    while True:
        try:
            for name in await service.store.unfinished_tables(since):
                await service.find(name)
                await asyncio.sleep(0)
        except StoreFault as fault:
            log.warning("%s", fault)
        await asyncio.sleep(TEND_TABLES_EVERY_S)
        service.unload_idle()
        if not any(session.clients for session in service.sessions):
            gc_tuning.collect_if_idle()
        since = now_ms() - 1000 * LOAD_LATER_S
