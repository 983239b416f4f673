"""The application: routes, headers, what begins and ends with the process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

import theriac
from theriac.faults import Fault
from theriac.server import keys
from theriac.server.auth import Persons
from theriac.server.bots.bot_pool import Thinkers
from theriac.server.http import bodies
from theriac.server.http.page import read_files, show_page
from theriac.server.http.routes import ROUTES, limit_all
from theriac.server.rate_limit import Buckets
from theriac.server.running import gc_tuning
from theriac.server.running.loop_lag import Lag
from theriac.server.running.metrics import Metrics
from theriac.server.socket.connection import table_socket
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store, StoreFault, database_url
from theriac.server.tables.decisions import now_ms
from theriac.server.tables.pubsub import Herald, RedisHerald
from theriac.server.tables.service import Host

log = logging.getLogger(__name__)

#: The largest body of a request, in bytes: a deck of one's own is the largest thing sent.
MOST_BODY = 64 * 1024
#: Requests a second for long and at once from one address, and the same for files of the page.
#: Many people may share an address.
ASKED, FILES = (50, 500), (200, 2000)
#: How often a process says that it runs, and how long one may be silent before it counts as gone.
BEAT, GONE = 5.0, 20.0
#: How long ago something happened at a table that is looked after without anybody there.
LATELY = 24 * 3600.0


@dataclass(frozen=True)
class Config:
    """How a server is run."""

    database: str
    channels: str | None = None
    origins: frozenset[str] = frozenset()
    thinkers: int = 1
    pace: float = 0.6


async def prepare(config: Config) -> None:
    """Is all there that a server needs? Brings the store to the newest form; raises `Fault`."""
    await upgrade(database_url(config.database))
    if config.channels:
        herald = RedisHerald(config.channels, "")
        await herald.reach()
        await herald.stop()


def create_app(config: Config) -> Litestar:
    """The application for one process."""
    return Litestar(
        [*ROUTES, table_socket, show_page],
        before_request=limit_all,
        lifespan=[_lifespan],
        state=State({"config": config, "origins": config.origins, "page": read_files()}),
        exception_handlers={
            Fault: _tell_fault,
            HTTPException: _tell_http,
            RecursionError: _tell_deep,
            Exception: _tell_other,
        },
        request_max_body_size=MOST_BODY,
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


def _tell_fault(request: Request[Any, Any, Any], fault: Fault) -> Response[bodies.ErrorBody]:
    status = 503 if isinstance(fault, StoreFault) else 400
    return _wrong(str(fault), status, getattr(fault, "clause", None))


def _tell_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[bodies.ErrorBody]:
    why = error.detail
    extra = getattr(error, "extra", None)
    if isinstance(extra, list) and extra:
        parts = [f"{part.get('key', 'body')}: {part.get('message')}" for part in extra]
        why = "; ".join(parts)
    return _wrong(why, error.status_code)


def _tell_deep(
    request: Request[Any, Any, Any], error: RecursionError
) -> Response[bodies.ErrorBody]:
    return _wrong("what was sent is nested too deeply", 400)


def _tell_other(request: Request[Any, Any, Any], error: Exception) -> Response[bodies.ErrorBody]:
    log.error("a request failed", exc_info=error)
    return _wrong("the server has made a mistake: it is written down", 500)


def _wrong(why: str, status: int, clause: str | None = None) -> Response[bodies.ErrorBody]:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return Response(bodies.ErrorBody(why, clause), status_code=status, headers=headers)


@contextlib.asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    """What begins and ends with the process."""
    config: Config = app.state.config
    process = keys.new_name()
    url = database_url(config.database)
    await upgrade(url)
    kept = Store(url)
    await kept.open()
    herald = RedisHerald(config.channels, process) if config.channels else Herald()
    host = Host(kept, Thinkers(config.thinkers), herald, Metrics(), pace=config.pace)
    app.state.update(
        {
            "host": host,
            "persons": Persons(kept),
            "requests": Buckets(rate=5, burst=30),
            "openings": Buckets(rate=0.5, burst=60),
            "asked": Buckets(*ASKED),
            "files": Buckets(*FILES),
            # A class may learn behind one address.
            "lessons": Buckets(rate=10, burst=200),
        }
    )
    await _say_alive(kept, host, process)
    await herald.start(host.hear)
    gc_tuning.be_patient()
    host.speeds.start()
    lag = Lag(host.metrics)
    works = [_beat(kept, process), _look_after(host)]
    if config.channels:
        works.append(_keep_up(host))
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        lag.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await host.stop()
        await herald.stop()
        await kept.close()


async def _say_alive(kept: Store, host: Host, process: str) -> None:
    """Note how long nothing was running, if so."""
    now, last = now_ms(), await kept.last_beat()
    if last is not None and now - last > 1000 * GONE:
        await kept.add_outage(last, now)
    await kept.beat(process, now)
    for since, until in await kept.outages():
        host.outages.add(since, until)


async def _beat(kept: Store, process: str) -> None:
    while True:
        await asyncio.sleep(BEAT)
        with contextlib.suppress(StoreFault):
            await kept.beat(process, now_ms())


async def _keep_up(host: Host) -> None:
    while True:
        await asyncio.sleep(BEAT)
        await host.keep_up()


async def _look_after(host: Host) -> None:
    """Take up tables where a bot or a clock is to go on and nobody looks; forget idle ones."""
    since = now_ms() - int(1000 * LATELY)
    while True:
        try:
            for name in await host.store.unfinished(since):
                await host.find(name)
                await asyncio.sleep(0)
        except StoreFault as fault:
            log.warning("%s", fault)
        await asyncio.sleep(GONE)
        host.put_away()
        if not any(live.clients for live in host.here()):
            gc_tuning.tidy()
        since = now_ms() - 600_000
