"""Routes: the health and the metrics of the server."""

from __future__ import annotations

import hmac

from litestar import Response, get
from litestar.datastructures import State
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException

import theriac
from theriac.server.addresses import is_direct_and_local
from theriac.server.http.bodies import Health
from theriac.server.http.requests import AnyRequest
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
async def metrics(request: AnyRequest, state: State) -> Response[bytes]:
    """Tables, moves and latencies; for the operator alone."""
    _check_operator(request, state.config.metrics_token)
    service: TableService = state.service
    service.metrics.tables.set(len(service.tables))
    service.metrics.log_bytes.set(service.tables.memory.bytes)
    return Response(service.metrics.scrape(), media_type="text/plain; version=0.0.4")


def _check_operator(request: AnyRequest, token: str | None) -> None:
    """401 without the token; where there is none, 403 for a request from elsewhere."""
    if token is None:
        if not is_direct_and_local(request.scope, request.headers):
            raise PermissionDeniedException(
                "only programs on this machine get the metrics: --metrics-token lets others in"
            )
        return
    shown = request.headers.get("authorization", "").encode()
    if not hmac.compare_digest(shown, f"Bearer {token}".encode()):
        raise NotAuthorizedException("show the token: Authorization: Bearer TOKEN")
