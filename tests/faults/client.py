"""The reference client: how to be at a table over lines that break, lose, repeat and mix up.

It needs four habits. It says `hello` with the last version it has seen. A message stays with it
until it is answered, and is sent again with the same id; so is one that could not be written down
(`store`). An event that is not the next one means
that something was lost: it says hello again. And since the last event may be lost with nothing
after it, it asks now and then (`ping`) which version the table has come to.

Everything it is told, it notes down, for `ledger` to compare with the store.
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

Message = dict[str, Any]

#: What is told to all and kept nowhere.
PASSING = ("gesture", "typing")
#: How long to wait for an answer before a message is sent again, and between two pings, in seconds.
AGAIN, PING = 1.5, 1.0
#: How long to wait for the welcome, in seconds; each time in vain twice as long, up to the other:
#: it may have been lost, or the server may be busy.
WELCOME, LONGEST_WELCOME = 4.0, 60.0


class Lost(Exception):
    """Something the server sent has not arrived: say hello again."""


class Client:
    """One who is at one table, with a key or only watching."""

    def __init__(
        self, table: str, key: str | None, address: Callable[[], str | None], random: Random
    ) -> None:
        self.table = table
        self.key = key
        self.version = 0
        self.room: Message | None = None
        self.view: Message | None = None
        self.seat: int | None = None
        self.present: list[int] = []
        #: What was told of each version; each message that was sent, by its id, and its answer;
        #: answers that it could not be written down.
        self.heard: dict[int, Message] = {}
        self.asked: dict[str, Message] = {}
        self.done: dict[str, int] = {}
        self.refused: dict[str, Message] = {}
        self.put_off: list[Message] = []
        #: What no server may ever do, in sentences.
        self.faults: list[str] = []
        self.lines = self.again = self.hellos = 0
        self._address = address
        self._random = random
        self._open: dict[str, float] = {}
        self._line: ClientConnection | None = None
        self._welcome = False
        self._patience = WELCOME
        self._pinged = 0.0
        self._ids = 0

    @property
    def player(self) -> str | None:
        """Who it is, as the store knows it."""
        return None if self.key is None else self.key.partition(".")[0]

    @property
    def busy(self) -> bool:
        """Does it wait for an answer, or for a welcome?"""
        return bool(self._open) or not self._welcome

    # Asking

    async def ask(self, **request: Any) -> str:
        """Send a request, now or as soon as there is a line; its id."""
        self._ids += 1
        name = f"m{self._ids}"
        self.asked[name] = {**request, "id": name}
        self._open[name] = 0.0
        if self._welcome:
            with contextlib.suppress(WebSocketException):
                await self._send_again(name)
        return name

    async def _send_again(self, name: str) -> None:
        if self._open[name]:
            self.again += 1
        self._open[name] = time.monotonic()
        await self._send(self.asked[name])

    async def _send(self, message: Message) -> None:
        assert self._line is not None
        await self._line.send(json.dumps(message))

    # Lines

    async def run(self) -> None:
        """Be at the table until cancelled."""
        while True:
            address = self._address()
            if address is not None:
                with contextlib.suppress(OSError, WebSocketException, TimeoutError, Lost):
                    await self._visit(f"ws://{address}/api/tables/{self.table}/socket")
            await asyncio.sleep(self._random.uniform(0.02, 0.2))

    async def leave(self) -> None:
        """Break the line; `run` makes another."""
        if self._line is not None:
            await self._line.close()

    async def _visit(self, url: str) -> None:
        async with connect(
            url,
            open_timeout=30,
            close_timeout=0.5,
            ping_interval=None,
            compression=None,
            proxy=None,
        ) as line:
            self.lines += 1
            self._line = line
            try:
                await self._say_hello()
                await self._listen(line)
            finally:
                self._line, self._welcome = None, False

    async def _say_hello(self) -> None:
        self.hellos += 1
        hello: Message = {"do": "hello", "id": f"h{self.hellos}", "since": self.version}
        await self._send(hello if self.key is None else {**hello, "key": self.key})
        self._pinged = time.monotonic()

    async def _listen(self, line: ClientConnection) -> None:
        ends = time.monotonic() + self._patience
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.25):
                    message = await line.recv()
                    await self._take(json.loads(message))
            if self._welcome:
                await self._look_up()
            elif time.monotonic() > ends:
                self._patience = min(2 * self._patience, LONGEST_WELCOME)
                raise Lost("no welcome")

    async def _look_up(self) -> None:
        """Send again what was not answered; ask how far the table has come."""
        now = time.monotonic()
        for name in [n for n, sent in self._open.items() if now - sent > AGAIN]:
            await self._send_again(name)
        if now - self._pinged > PING:
            self._pinged = now
            await self._send({"do": "ping", "id": "p"})

    # Being told

    async def _take(self, message: Message) -> None:
        if "welcome" in message:
            await self._take_welcome(message["welcome"])
        elif not self._welcome:
            return  # what happens before the welcome is in it
        elif "id" in message:
            self._take_answer(message)
        elif "version" in message:
            self._take_event(message)
        elif "present" in message:
            self.present = message["present"]

    async def _take_welcome(self, welcome: Message) -> None:
        if self._welcome and welcome["version"] <= self.version:
            return  # a copy
        if welcome["version"] < self.version:
            self.faults.append(f"went back from {self.version} to {welcome['version']}")
        for event in welcome["events"]:
            self._hear(event)
        self.version = welcome["version"]
        self.room, self.view = welcome["room"], welcome.get("view")
        self.seat = welcome.get("seat")
        self.present = welcome.get("present", [])
        self._welcome = True
        self._patience = WELCOME
        for name in list(self._open):
            await self._send_again(name)

    def _take_answer(self, answer: Message) -> None:
        name, version = answer["id"], answer.get("version")
        if name in self.asked and version is None and answer["refused"]["code"] == "store":
            self.put_off.append(answer["refused"])  # it is sent again
        elif name in self.asked:
            self._open.pop(name, None)
            if version is None:
                self.refused.setdefault(name, answer["refused"])
            elif self.asked[name]["do"] not in PASSING:
                self._take_done(name, version)
        if version is not None and version > self.version:
            raise Lost(f"at {self.version}, the table at {version}")

    def _take_done(self, name: str, version: int) -> None:
        if self.done.setdefault(name, version) != version:
            self.faults.append(f"{name} was done at {self.done[name]} and at {version}")

    def _take_event(self, told: Message) -> None:
        version = told["version"]
        if version > self.version + 1:
            raise Lost(f"{version} after {self.version}")
        self._hear(told)
        if version == self.version + 1:
            self.version = version
            self.view = told.get("view", self.view)
            if "room" in told:
                self.room, self.seat = told["room"], told.get("seat")

    def _hear(self, told: Message) -> None:
        """Note an event. Nobody may ever be told two things of the same version."""
        version, what = told["version"], {"at": told["at"], "event": told["event"]}
        if self.heard.setdefault(version, what) != what:
            self.faults.append(f"version {version} was {self.heard[version]}, then {what}")
