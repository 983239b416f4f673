"""The guard in front of the application: which hosts it answers for, which pages may write, and how
long the head of a request may be.

A page of another site can make a browser send requests here, and after DNS rebinding (its name
now points at this machine) the browser takes them for the page's own. The Host header still has the
name of that site, so this server answers only for names that it was given, and for addresses.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from litestar.types import ASGIApp, Receive, Scope, Send

from theriac.faults import Fault, quote
from theriac.server.addresses import host_of

#: The longest name in DNS, and a port.
MAX_HOST = 253 + len(":65535")
#: The longest part of a path, in bytes: no file has a longer name.
MAX_PATH_PART = 255
#: The most parts of a path: the router calls itself for each.
MAX_PATH_PARTS = 50
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?")
#: Headers that a request may have only once: by the first of two, a foreign page could look like
#: ours.
_SINGLE_HEADERS = ("host", "origin", "sec-fetch-site", "content-type")
#: The bytes of a line of the head beside the name and the value of a header.
_LINE_BYTES = len(": \r\n")
#: Methods that change nothing.
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_JSON = "application/json"


def check_host(host: str) -> None:
    """Check that it is the name of a host, without a port; raises `Fault`."""
    parts = _HOST.fullmatch(host.lower())
    if not parts or parts[2] or len(host) > MAX_HOST:
        raise Fault(f"--allowed-host: {quote(host)} is not a name such as club.example")


def check_origin(page: str) -> None:
    """Check that it is an origin, without a path; raises `Fault`."""
    host = host_of(page)
    if host is None or page not in (f"http://{host}", f"https://{host}"):
        raise Fault(f"--origin: {quote(page)} is not an address such as https://club.example")


def check_names(origins: Iterable[str], hosts: Iterable[str], token: str) -> None:
    """Check what headers of requests are compared with; raises `Fault`."""
    for origin in origins:
        check_origin(origin)
    for host in hosts:
        check_host(host)
    if not token.isascii() or not token.isprintable():
        raise Fault("--metrics-token: use letters, digits and signs of ASCII: it is in a header")


class Refusal(NamedTuple):
    """The status and the text of a response."""

    status: int
    why: str


def _head_refusal(scope: Any, max_bytes: int) -> Refusal | None:
    """A head that is too long, or has a header twice."""
    lengths = (len(name) + len(value) + _LINE_BYTES for name, value in scope["headers"])
    if len(scope["raw_path"]) + len(scope["query_string"]) + sum(lengths) > max_bytes:
        return Refusal(431, "the head of this request is too long")
    for name in _SINGLE_HEADERS:
        if len(_header(scope, name.encode())) > 1:
            return Refusal(400, f"a request has at most one {name.title()} header")
    return None


def _path_refusal(scope: Any) -> Refusal | None:
    """A path that no file system takes, or one with more parts than the router can follow."""
    parts = scope["path"].split("/")
    if (
        "\0" in scope["path"]
        or len(parts) > MAX_PATH_PARTS
        or any(len(part.encode()) > MAX_PATH_PART for part in parts)
    ):
        return Refusal(404, "there is nothing at this address")
    return None


class Guard:
    """An ASGI application that refuses requests before the real one sees them."""

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str], origins: Iterable[str], head_bytes: int
    ) -> None:
        self._app = app
        self._head_bytes = head_bytes
        self._origins = frozenset(origins)
        named = {urlsplit(origin).hostname or "" for origin in self._origins}
        self._hosts = frozenset({"localhost"} | {host.lower() for host in hosts} | named)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] in ("http", "websocket"):
            refusal = self._refusal(scope)
            if refusal is not None:
                await _respond(scope, receive, send, refusal)
                return
        await self._app(scope, receive, send)

    def _refusal(self, scope: Any) -> Refusal | None:
        refusal = _head_refusal(scope, self._head_bytes)
        refusal = refusal or self._host_refusal(scope) or _path_refusal(scope)
        if refusal is None and scope["type"] == "http" and scope["method"] not in _SAFE_METHODS:
            refusal = self._write_refusal(scope)
        return refusal

    def _host_refusal(self, scope: Any) -> Refusal | None:
        host = (_first(scope, b"host") or "").lower()
        if len(host) > MAX_HOST or not (parts := _HOST.fullmatch(host)):
            return Refusal(
                400, "a request needs a Host header with the name or the address of a host"
            )
        name = parts[1].rstrip(".")
        if name in self._hosts or name.endswith(".localhost") or _is_address(name):
            return None
        return Refusal(
            421,
            f"this server does not answer for {quote(name)}: "
            "start it with --allowed-host and that name",
        )

    def _write_refusal(self, scope: Any) -> Refusal | None:
        """Only JSON can change something: a form of another site cannot send it unasked."""
        if (origin := _first(scope, b"origin")) not in {None, *self._origins}:
            same = host_of(origin) == _first(scope, b"host")
            if not same or _first(scope, b"sec-fetch-site") not in (None, "same-origin", "none"):
                return Refusal(403, "a page of another origin cannot use this server")
        if origin is None and _first(scope, b"sec-fetch-site") in ("cross-site", "same-site"):
            return Refusal(403, "a page of another origin cannot use this server")
        kind = (_first(scope, b"content-type") or "").partition(";")[0].strip().lower()
        return None if kind == _JSON else Refusal(415, f"send the body as {_JSON}")


def _header(scope: Any, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _first(scope: Any, name: bytes) -> str | None:
    values = _header(scope, name)
    return values[0] if values else None


def _is_address(name: str) -> bool:
    """Is it an IP address? A browser never takes one from DNS, so it cannot be rebound."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


async def _respond(scope: Any, receive: Receive, send: Any, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
    body = msgspec.json.encode({"why": refusal.why})
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": f"{kind}.start", "status": refusal.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
