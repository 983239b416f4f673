"""Running the application with uvicorn, until it is told to stop."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Callable

import uvicorn
from litestar import Litestar

from theriac.faults import Fault
from theriac.server.http.headers import HEADERS
from theriac.server.socket.connection import MOST_BYTES
from theriac.server.tables.service import Host


class Server(uvicorn.Server):
    """Tells everybody before it closes their sockets."""

    def __init__(self, config: uvicorn.Config, app: Litestar, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._litestar = app
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say goodbye, then stop."""
        host: Host | None = self._litestar.state.get("host")
        if host is not None:
            await host.farewell()
        await super().shutdown(sockets)


def bind(host: str, port: int) -> socket.socket:
    """A socket to listen on; raises `Fault`."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise Fault(f"{host} port {port}: cannot listen there ({why})") from None
    return listening


def run(app: Litestar, listening: socket.socket, ready: Callable[[], None], proxies: str) -> None:
    """Serve until SIGINT or SIGTERM."""
    # uvicorn sends itself the signal again when it has stopped: to be told to stop is no failure.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        http="httptools",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        headers=list(HEADERS.items()),
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=5,
        backlog=4096,
    )
    try:
        Server(config, app, ready).run(sockets=[listening])
    finally:
        gc.freeze()  # or Python would look for garbage in all of Numba once more before it ends
