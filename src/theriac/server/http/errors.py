"""Errors as HTTP responses: every one says what was wrong, as JSON."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi import ResponseSpec
from litestar.types import ExceptionHandlersMap

from theriac.faults import Fault
from theriac.server.auth import Banned
from theriac.server.http.bodies import ErrorBody
from theriac.server.store.store import StoreFault
from theriac.server.tables.loaded import Unreadable
from theriac.server.tables.log_memory import MemoryFull

log = logging.getLogger(__name__)

#: The error responses of every route, for the OpenAPI schema.
ERROR_RESPONSES = {
    status: ResponseSpec(ErrorBody, description=description, generate_examples=False)
    for status, description in (
        (400, "Something in the request was wrong"),
        (401, "The key is missing or not known"),
        (403, "Not from this page or this address, or the player or the address is banned"),
        (404, "There is no such thing"),
        (409, "Not while another game goes on"),
        (413, "The request is too large"),
        (415, "The body is not JSON"),
        (421, "The server does not answer for this host"),
        (429, "Too many requests at once"),
        (503, "The store or the table cannot be read, or the server is full"),
    )
}


def error_response(why: str, status: int, clause: str | None = None) -> Response[ErrorBody]:
    """A response that says what was wrong."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return Response(ErrorBody(why, clause), status_code=status, headers=headers)


def _on_fault(request: Request[Any, Any, Any], fault: Fault) -> Response[ErrorBody]:
    no_service = isinstance(fault, StoreFault | MemoryFull | Unreadable)
    status = 503 if no_service else 403 if isinstance(fault, Banned) else 400
    return error_response(str(fault), status, getattr(fault, "clause", None))


def _on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[ErrorBody]:
    why = error.detail
    extra = getattr(error, "extra", None)
    if isinstance(extra, list) and extra:
        why = "; ".join(f"{part.get('key', 'body')}: {part.get('message')}" for part in extra)
    return error_response(why, error.status_code)


def _on_deep_nesting(request: Request[Any, Any, Any], error: RecursionError) -> Response[ErrorBody]:
    return error_response("the body is nested too deeply", 400)


def _on_other_error(request: Request[Any, Any, Any], error: Exception) -> Response[ErrorBody]:
    log.error("a request failed", exc_info=error)
    return error_response("the server has made a mistake: it is logged", 500)


EXCEPTION_HANDLERS: ExceptionHandlersMap = {
    Fault: _on_fault,
    HTTPException: _on_http_error,
    RecursionError: _on_deep_nesting,
    Exception: _on_other_error,
}
