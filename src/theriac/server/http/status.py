"""Routes: the health and the metrics of the server."""

from __future__ import annotations

from litestar import Response, get
from litestar.datastructures import State

import theriac
from theriac.server.http.bodies import Health
from theriac.server.store.store import StoreFault
from theriac.server.tables.service import TableService


@get("/healthz", summary="Is the server healthy?")
async def health(state: State) -> Response[Health]:
    """503 while the store cannot be reached or written to."""
    service: TableService = state.service
    try:
        service.store.check()
    except StoreFault as fault:
        return Response(Health("bad", str(fault), theriac.__version__), status_code=503)
    return Response(Health("ok", "ok", theriac.__version__))


@get("/metrics", media_type="text/plain", summary="Metrics for Prometheus")
async def metrics(state: State) -> Response[bytes]:
    """Tables, moves and latencies."""
    service: TableService = state.service
    service.metrics.tables.set(len(list(service.sessions)))
    return Response(service.metrics.scrape(), media_type="text/plain; version=0.0.4")
