"""Serving the application with uvicorn, until SIGINT or SIGTERM."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
from collections.abc import Callable

import uvicorn
from litestar import Litestar

from theriac.faults import Fault, quote
from theriac.server.addresses import Proxies
from theriac.server.http.guard import Guard
from theriac.server.limits import Limits
from theriac.server.socket.connection import MAX_MESSAGE_BYTES
from theriac.server.socket.gate import Gate
from theriac.server.socket.protocols import GuardedConfig
from theriac.server.tables.service import TableService

#: Headers of every response but the page's own scripts, styles and fonts. They keep other pages
#: from embedding or scripting ours.
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; media-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Server(uvicorn.Server):
    """A uvicorn server that says goodbye before it closes the sockets."""

    def __init__(self, config: GuardedConfig, app: Litestar, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._on_ready = on_ready
        self._gate = config.gate
        self._checking: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to serve, then call `on_ready`."""
        await super().startup(sockets)
        if self.started:
            self._checking = asyncio.create_task(self._gate.check())
            self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say goodbye, then stop."""
        service: TableService | None = self._app.state.get("service")
        if service is not None:
            self._app.state.reviews.say_goodbye()
            await service.say_goodbye()
        await super().shutdown(sockets)
        if self._checking is not None:
            self._checking.cancel()


def bind(host: str, port: int) -> socket.socket:
    """A socket to listen on; raises `Fault`."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError, ValueError, TypeError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise Fault(
            f"cannot listen on {quote(host, 300)} port {port} ({why}): choose another port"
        ) from None
    return listening


def run(
    app: Litestar, listening: socket.socket, on_ready: Callable[[], None], proxies: Proxies
) -> None:
    """Serve until SIGINT or SIGTERM."""
    # uvicorn raises the signal again after it has stopped; a stop on request is no failure.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    settings = app.state.config
    limits: Limits = settings.limits
    config = GuardedConfig(
        Guard(app, settings.hosts, settings.origins, limits.head_bytes),
        Gate(limits, proxies),
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        headers=list(SECURITY_HEADERS.items()),
        proxy_headers=bool(proxies.names),
        forwarded_allow_ips=proxies.names if "*" not in proxies.names else "*",
        timeout_keep_alive=limits.idle_timeout_s,
        timeout_graceful_shutdown=5,
        backlog=4096,
    )
    try:
        Server(config, app, on_ready).run(sockets=[listening])
    finally:
        gc.freeze()  # saves a last garbage collection over all of Numba's objects
