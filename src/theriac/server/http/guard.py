"""The guard in front of the application: which hosts it answers for, and which pages may write.

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
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?")
#: Methods that change nothing.
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_JSON = "application/json"


def check_host(host: str) -> None:
    """Check that it is the name of a host, without a port; raises `Fault`."""
    parts = _HOST.fullmatch(host.lower())
    if not parts or parts[2] or len(host) > MAX_HOST:
        raise Fault(f"--allowed-host: {quote(host)} is not a name such as club.example")


class Refusal(NamedTuple):
    """The status and the text of a response."""

    status: int
    why: str


def _path_refusal(scope: Any) -> Refusal | None:
    """A path that no file system takes."""
    parts = scope["path"].split("/")
    if "\0" in scope["path"] or any(len(part.encode()) > MAX_PATH_PART for part in parts):
        return Refusal(404, "there is nothing at this address")
    return None


class Guard:
    """An ASGI application that refuses requests before the real one sees them."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], origins: Iterable[str]) -> None:
        self._app = app
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
        refusal = self._host_refusal(scope) or _path_refusal(scope)
        if refusal is None and scope["type"] == "http" and scope["method"] not in _SAFE_METHODS:
            refusal = self._write_refusal(scope)
        return refusal

    def _host_refusal(self, scope: Any) -> Refusal | None:
        values = _header(scope, b"host")
        if len(values) != 1:
            return Refusal(400, "a request needs one Host header")
        host = values[0].lower()
        if len(host) > MAX_HOST or not (parts := _HOST.fullmatch(host)):
            return Refusal(400, "the Host header is not the name or the address of a host")
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
