"""The least that a server of this kind can do: what its traffic costs without tables and rules.

It reads a short message, writes a row of the log's size with SQLite, waits for the disk, and sends
400 bytes to the four sockets of the table. It knows no rules, views, limits or requests. So its CPU
time per move is what uvloop, the kernel and SQLite cost on a machine; what a real server adds is
the difference. `python -m bench.server --floor` measures it beside the others.

    python -m bench.floor FILE [thread|loop|memory]

The rows are written by a thread, by the event loop itself, or not at all.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import sqlite3
import sys
import time
from collections import defaultdict
from queue import SimpleQueue
from threading import Thread
from typing import cast

import msgspec
import uvloop
from websockets.speedups import apply_mask

from theriac.server.socket.protocols import text_frame
from theriac.server.store.writer import BATCH_INTERVAL_S

SEATS = 4
_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_HEALTHY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
_UPGRADE = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: %b\r\n\r\n"
)
#: What is sent after a move: with the numbers, 400 bytes.
_PADDING = "x" * 340


class Message(msgspec.Struct):
    """A client's message: where it sits, then a move."""

    table: str
    seat: int
    number: int = 0


class Floor:
    """Tables of four sockets, whose moves are written and sent."""

    def __init__(self, database: str, how: str) -> None:
        self.seated: defaultdict[str, dict[int, Protocol]] = defaultdict(dict)
        self._versions: defaultdict[str, int] = defaultdict(int)
        self._pending: list[Message] = []
        self._written = 0.0
        self._writing = False
        self._how = how
        self._database = database
        self._jobs: SimpleQueue[list[Message]] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        if how == "thread":
            Thread(target=self._work, daemon=True).start()
        elif how == "loop":
            self._connection = self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._database, isolation_level=None)
        for setting in ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=4000"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS log (name TEXT, number INTEGER, at INTEGER, mark TEXT, "
            "event TEXT, PRIMARY KEY (name, number)) WITHOUT ROWID"
        )
        return connection

    def sit(self, message: Message, client: Protocol) -> None:
        """A client has said where it sits; at the last one the game begins."""
        seats = self.seated[message.table]
        seats[message.seat] = client
        if len(seats) == SEATS:
            self._send(message)

    def play(self, message: Message) -> None:
        """Write a move with what else comes within the batch interval."""
        self._pending.append(message)
        if not self._writing:
            self._writing = True
            wait = self._written + BATCH_INTERVAL_S - time.monotonic()
            self._loop.call_later(max(0.0, wait), self._write)

    def _write(self) -> None:
        self._written = time.monotonic()
        batch, self._pending = self._pending, []
        if self._how == "thread":
            self._jobs.put(batch)
            return
        if self._how == "loop":
            self._insert(self._connection, batch)
        self._finish(batch)

    def _work(self) -> None:
        connection = self._connect()
        while True:
            batch = self._jobs.get()
            self._insert(connection, batch)
            self._loop.call_soon_threadsafe(self._finish, batch)

    def _insert(self, connection: sqlite3.Connection, batch: list[Message]) -> None:
        values = ",".join(["(?,?,?,?,?)"] * len(batch))
        event = '{"kind":"moved","seat":2,"move":"R5@1"}'
        rows = [
            (move.table, self._versions[move.table] + 1, 1, f"{move.table}:{move.number}", event)
            for move in batch
        ]
        connection.execute(
            f"INSERT INTO log VALUES {values}",  # noqa: S608
            [cell for row in rows for cell in row],
        )

    def _finish(self, batch: list[Message]) -> None:
        self._writing = False
        for message in batch:
            self._send(message)
        if self._pending:
            first = self._pending.pop()
            self.play(first)

    def _send(self, message: Message) -> None:
        table = message.table
        self._versions[table] += 1
        version = self._versions[table]
        for seat, client in self.seated[table].items():
            legal = '["R5@1","B4@2"]' if seat == version % SEATS else "[]"
            number = message.number if seat == message.seat else -1
            text = f'{{"version":{version},"answers":{number},"legal":{legal},"x":"{_PADDING}"}}'
            client.transport.write(text_frame(text.encode()))


class Protocol(asyncio.Protocol):
    """A connection: a request for its health, or a WebSocket of short frames."""

    transport: asyncio.Transport

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._is_open = False
        self._sits = False
        self._decoder = msgspec.json.Decoder(Message)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected."""
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """A request, or a frame."""
        if not self._is_open:
            self._shake_hands(data)
        elif data[0] == 0x81:
            message = self._decoder.decode(apply_mask(data[6:], data[2:6]))
            if self._sits:
                self._floor.play(message)
            else:
                self._sits = True
                self._floor.sit(message, self)

    def _shake_hands(self, data: bytes) -> None:
        lines = [line.partition(b": ") for line in data.split(b"\r\n")]
        headers = {name.lower(): value for name, _, value in lines}
        key = headers.get(b"sec-websocket-key")
        if key is None:
            self.transport.write(_HEALTHY)
            self.transport.close()
            return
        accept = base64.b64encode(hashlib.sha1(key + _GUID).digest())  # noqa: S324
        self.transport.write(_UPGRADE % accept)
        self._is_open = True


async def main(database: str, how: str = "thread") -> None:
    """Serve until killed."""
    floor = Floor(database, how)
    server = await asyncio.get_running_loop().create_server(
        lambda: Protocol(floor), "127.0.0.1", 0, backlog=4096
    )
    host, port = server.sockets[0].getsockname()
    print(f"Serving on http://{host}:{port}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
