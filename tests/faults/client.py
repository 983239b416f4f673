"""The reference client: it keeps up with a table over connections that break, lose, repeat and
reorder messages.

It follows four rules. It sends `hello` with the last version it has seen. It sends a request again,
with the same id, until it has a reply other than `store` (the server could not store it). If an
event is not the next one, something was lost: it reconnects and sends hello again. Since the last
event may be lost with nothing after it, it asks at intervals (`ping`) for the version of the table.

It records everything it receives, and `store_check` compares that with the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.nonces import Nonces

Message = dict[str, Any]

#: Requests that are sent to all clients and not stored.
SIGNALS = ("gesture", "typing")
#: How long to wait for a reply before a request is sent again, and between two pings.
RESEND_AFTER_S, PING_INTERVAL_S = 1.5, 1.0
#: How long to wait for the welcome, at first and at most. The time doubles after each timeout: the
#: welcome may have been lost, or the server may be busy.
WELCOME_TIMEOUT_S, MAX_WELCOME_TIMEOUT_S = 4.0, 60.0


class MessageLost(Exception):
    """A message of the server has not arrived: reconnect and send hello again."""


class Client:
    """A client of one table: a player with a key, or a spectator."""

    def __init__(
        self, table: str, key: str | None, address: Callable[[], str | None], random: Random
    ) -> None:
        self.table = table
        self.key = key
        self.version = 0
        self.nonces = Nonces()
        self._revealed: set[str] = set()
        self.table_info: Message | None = None
        self.view: Message | None = None
        self.seat: int | None = None
        self.present: list[int] = []
        #: The event of each version; each request by its id, and its reply; replies that say that a
        #: request could not be stored.
        self.received: dict[int, Message] = {}
        self.requests: dict[str, Message] = {}
        self.acknowledged: dict[str, int] = {}
        self.refused: dict[str, Message] = {}
        self.not_stored: list[Message] = []
        #: What the server did that it must never do, in sentences.
        self.faults: list[str] = []
        self.connections = self.resent = self.hellos = 0
        self._address = address
        self._random = random
        self._unanswered: dict[str, float] = {}
        self._connection: ClientConnection | None = None
        self._welcomed = False
        self._welcome_timeout_s = WELCOME_TIMEOUT_S
        self._pinged = 0.0
        self._ids = 0

    @property
    def player_id(self) -> str | None:
        """The player's id in the store."""
        return None if self.key is None else self.key.partition(".")[0]

    @property
    def busy(self) -> bool:
        """Is a reply or a welcome missing?"""
        return bool(self._unanswered) or not self._welcomed

    # Sending

    async def ask(self, **request: Any) -> str:
        """Send a request, now or as soon as there is a connection; its id.

        `sit` and `ready` take the nonce, and send the commitment to it.
        """
        if "nonce" in request and request["do"] != "reveal":
            assert self.table_info is not None
            seat, nonce = request.get("seat", self.seat), request.pop("nonce")
            request |= self.nonces.commit(self.table_info["commitment"], seat or 0, nonce)
        self._ids += 1
        name = f"m{self._ids}"
        self.requests[name] = {**request, "id": name}
        self._unanswered[name] = 0.0
        if self._welcomed:
            with contextlib.suppress(WebSocketException):
                await self._send_again(name)
        return name

    async def _send_again(self, name: str) -> None:
        if self._unanswered[name]:
            self.resent += 1
        self._unanswered[name] = time.monotonic()
        await self._send(self.requests[name])

    async def _send(self, message: Message) -> None:
        assert self._connection is not None
        await self._connection.send(json.dumps(message))

    # Connections

    async def run(self) -> None:
        """Stay connected to the table until cancelled."""
        while True:
            address = self._address()
            if address is not None:
                with contextlib.suppress(OSError, WebSocketException, TimeoutError, MessageLost):
                    await self._connect(f"ws://{address}/api/tables/{self.table}/socket")
            await asyncio.sleep(self._random.uniform(0.02, 0.2))

    async def disconnect(self) -> None:
        """Close the connection; `run` opens another."""
        if self._connection is not None:
            await self._connection.close()

    async def _connect(self, url: str) -> None:
        async with connect(
            url,
            open_timeout=30,
            close_timeout=0.5,
            ping_interval=None,
            compression=None,
            proxy=None,
        ) as connection:
            self.connections += 1
            self._connection = connection
            try:
                await self._say_hello()
                await self._receive(connection)
            finally:
                self._connection, self._welcomed = None, False

    async def _say_hello(self) -> None:
        self.hellos += 1
        hello: Message = {"do": "hello", "id": f"h{self.hellos}", "since": self.version}
        await self._send(hello if self.key is None else {**hello, "key": self.key})
        self._pinged = time.monotonic()

    async def _receive(self, connection: ClientConnection) -> None:
        deadline = time.monotonic() + self._welcome_timeout_s
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.25):
                    message = await connection.recv()
                    await self._handle(json.loads(message))
            if self._welcomed:
                await self._reveal()
                await self._resend_and_ping()
            elif time.monotonic() > deadline:
                self._welcome_timeout_s = min(2 * self._welcome_timeout_s, MAX_WELCOME_TIMEOUT_S)
                raise MessageLost("no welcome")

    async def _reveal(self) -> None:
        """Reveal this seat's nonce, once, when the deal is sealed."""
        nonce = self.nonces.to_reveal(self.table_info)
        if nonce is not None and nonce not in self._revealed:
            self._revealed.add(nonce)
            await self.ask(do="reveal", nonce=nonce)

    async def _resend_and_ping(self) -> None:
        """Send requests without a reply again; ask for the version of the table."""
        now = time.monotonic()
        for name in [n for n, sent in self._unanswered.items() if now - sent > RESEND_AFTER_S]:
            await self._send_again(name)
        if now - self._pinged > PING_INTERVAL_S:
            self._pinged = now
            await self._send({"do": "ping", "id": "p"})

    # Receiving

    async def _handle(self, message: Message) -> None:
        if "welcome" in message:
            await self._handle_welcome(message["welcome"])
        elif not self._welcomed:
            return  # the welcome will contain it
        elif "id" in message:
            self._handle_reply(message)
        elif "version" in message:
            self._handle_update(message)
        elif "present" in message:
            self.present = message["present"]

    async def _handle_welcome(self, welcome: Message) -> None:
        if self._welcomed and welcome["version"] <= self.version:
            return  # a copy
        if welcome["version"] < self.version:
            self.faults.append(f"went back from {self.version} to {welcome['version']}")
        for event in welcome["events"]:
            self._record(event)
        self.version = welcome["version"]
        self.table_info, self.view = welcome["room"], welcome.get("view")
        self.seat = welcome.get("seat")
        self.present = welcome.get("present", [])
        self._welcomed = True
        self._welcome_timeout_s = WELCOME_TIMEOUT_S
        for name in list(self._unanswered):
            await self._send_again(name)

    def _handle_reply(self, answer: Message) -> None:
        name, version = answer["id"], answer.get("version")
        if name in self.requests and version is None and answer["refused"]["code"] == "store":
            self.not_stored.append(answer["refused"])  # `_resend_and_ping` tries again
        elif name in self.requests:
            self._unanswered.pop(name, None)
            if version is None:
                self.refused.setdefault(name, answer["refused"])
            elif self.requests[name]["do"] not in SIGNALS:
                self._handle_acknowledgement(name, version)
        if version is not None and version > self.version:
            raise MessageLost(f"at {self.version}, the table at {version}")

    def _handle_acknowledgement(self, name: str, version: int) -> None:
        if self.acknowledged.setdefault(name, version) != version:
            self.faults.append(f"{name} was applied at {self.acknowledged[name]} and at {version}")

    def _handle_update(self, update: Message) -> None:
        version = update["version"]
        if version > self.version + 1:
            raise MessageLost(f"{version} after {self.version}")
        self._record(update)
        if version == self.version + 1:
            self.version = version
            self.view = update.get("view", self.view)
            if "room" in update:
                self.table_info, self.seat = update["room"], update.get("seat")

    def _record(self, update: Message) -> None:
        """Record an event. A version must never have two different events."""
        version, what = update["version"], {"at": update["at"], "event": update["event"]}
        if self.received.setdefault(version, what) != what:
            self.faults.append(f"version {version} was {self.received[version]}, then {what}")
