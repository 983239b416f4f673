"""A load generator: many players at many tables, over real sockets, in one process.

For each move it measures two times: until the player who made it got the reply, and until the last
socket of the table got the update.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection
from random import Random
from time import perf_counter

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from bench.wires import Wire

#: How many tables are opened at once.
OPEN_AT_ONCE = 16
#: How long to wait for a server that sends nothing, in seconds.
REPLY_TIMEOUT_S = 60.0
#: How many tables are played at from the same local address.
TABLES_PER_ADDRESS = 4000
#: The first size of a client's read buffer.
READ_BUFFER_BYTES = 2048
#: More moves than any run makes.
UNLIMITED = 1 << 40


class Move:
    """A move: when it was sent, when its player got the reply, when every socket got the update."""

    __slots__ = ("base", "broadcast", "replied", "seat", "sent")

    def __init__(self, base: int, seat: int) -> None:
        self.base = base
        self.seat = seat
        self.sent = perf_counter()
        self.replied = 0.0
        self.broadcast = 0.0

    @property
    def done(self) -> bool:
        """Has every socket of the table got it?"""
        return bool(self.replied and self.broadcast)


class Tally:
    """The counts of all tables."""

    moves: list[Move]
    messages: int
    received: int
    #: Moves that had to wait for the previous one.
    delayed: int

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Reset the counts."""
        self.moves = []
        self.messages = self.received = self.delayed = 0


class SocketClient(WSListener):  # type: ignore[misc]
    """One player's socket."""

    def __init__(self, table: TableClients, seat: int) -> None:
        self._table = table
        self._seat = seat
        self._transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The socket is open."""
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass a message on to the table."""
        if frame.msg_type == WSMsgType.TEXT:
            self._table.on_message(self._seat, frame.get_payload_as_bytes())

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The socket is closed: by us, or too early by the server."""
        self._table.on_disconnect(self._seat)

    def send(self, message: bytes) -> None:
        """Send a text message."""
        assert self._transport is not None
        self._transport.send(WSMsgType.TEXT, message)

    def close(self) -> None:
        """Close the socket."""
        assert self._transport is not None
        self._transport.disconnect()


class TableClients:
    """The clients of one table."""

    def __init__(
        self, wire: Wire, name: str, keys: Sequence[str], tally: Tally, random: Random
    ) -> None:
        self._wire = wire
        self._name = name
        self._keys = keys
        self._tally = tally
        self._random = random
        self._clients: list[SocketClient] = []
        self._versions = [-1] * len(keys)
        self._turn: tuple[int, Sequence[str], int] = (0, (), -1)
        self._move: Move | None = None
        self._number = 0
        self._scheduled = 0
        self._leaving = False
        #: What went wrong at this table.
        self.fault: str | None = None

    async def connect(self, address: str, local: str | None = None) -> None:
        """Connect all players, one after another, from a local address."""
        path = self._wire.path.format(table=self._name)
        own_end = {} if local is None else {"local_addr": (local, 0)}
        for seat, key in enumerate(self._keys):
            client = SocketClient(self, seat)
            await ws_connect(
                lambda one=client: one,
                f"ws://{address}{path}",
                read_buffer_init_size=READ_BUFFER_BYTES,
                **own_end,
            )
            self._clients.append(client)
            client.send(self._wire.hello(self._name, seat, key)[0])

    @property
    def ready(self) -> bool:
        """Is the last move done, has every client the same version, and is a seat to act?"""
        _, legal, version = self._turn
        done = self._move is None or self._move.done
        return done and bool(legal) and all(heard == version for heard in self._versions)

    def schedule(self, moves: int) -> None:
        """Make this many more moves, each as soon as the table is ready."""
        self._scheduled += moves
        if self.ready:
            self._play()
        else:
            self._tally.delayed += 1

    def pause(self) -> None:
        """Make no more moves."""
        self._scheduled = 0

    def _play(self) -> None:
        seat, legal, version = self._turn
        choice = legal[self._random.randrange(len(legal))]
        self._number += 1
        self._scheduled -= 1
        self._turn = (seat, (), version)
        message = self._wire.move(self._name, seat, choice, version, self._number)
        self._move = Move(version, seat)
        self._tally.moves.append(self._move)
        self._clients[seat].send(message)

    def on_message(self, seat: int, message: bytes) -> None:
        """Handle a message to a seat."""
        self._tally.messages += 1
        self._tally.received += len(message)
        heard = self._wire.read(message)
        if heard.refused is not None:
            self.fault = heard.refused
        if heard.greeted:
            self._clients[seat].send(self._wire.hello(self._name, seat, self._keys[seat])[1])
        if heard.reply is not None:
            self._clients[seat].send(heard.reply)
        if heard.version is not None:
            self._versions[seat] = heard.version
        if heard.legal:
            self._turn = (seat, heard.legal, heard.version or 0)
        if self._move is not None and not self._move.done:
            self._note(self._move, seat, heard.answers)
        if self._scheduled > 0 and self.ready:
            self._play()

    def _note(self, move: Move, seat: int, answers: int | None) -> None:
        own = seat == move.seat and self._versions[seat] > move.base
        if not move.replied and (answers == self._number if self._wire.answers else own):
            move.replied = perf_counter()
        if not move.broadcast and min(self._versions) > move.base:
            move.broadcast = perf_counter()

    def on_disconnect(self, seat: int) -> None:
        """Note a socket that the server closed."""
        if not self._leaving:
            self.fault = f"the server has closed the socket of seat {seat}"

    def leave(self) -> None:
        """Close all sockets."""
        self._leaving = True
        for client in self._clients:
            client.close()


class LoadGenerator:
    """Plays at many tables of one server."""

    def __init__(self, wire: Wire, address: str) -> None:
        self._wire = wire
        self._address = address
        self._random = Random(1)
        self._tables: list[TableClients] = []
        self.tally = Tally()

    async def open_tables(self, tables: int) -> None:
        """Open tables and seat all players; returns when all games have begun."""
        numbers = iter(range(tables))
        await asyncio.gather(*(self._open(numbers) for _ in range(min(OPEN_AT_ONCE, tables))))
        await self._until(lambda: all(table.ready for table in self._tables))

    async def _open(self, numbers: Iterator[int]) -> None:
        connection = HTTPConnection(self._address, timeout=REPLY_TIMEOUT_S)
        for number in numbers:
            name, keys = await asyncio.to_thread(self._wire.open_table, connection, number)
            table = TableClients(self._wire, name, keys, self.tally, self._random)
            self._tables.append(table)
            # One address has too few ports for all of them.
            local = f"127.0.0.{1 + number // TABLES_PER_ADDRESS}"
            await table.connect(self._address, local)
            self.opened(number)
        connection.close()

    def opened(self, number: int) -> None:
        """A table is open, and its players sit."""

    async def play_at_rate(self, rate: float, seconds: float) -> float:
        """Play at an average rate, in moves per second, at random times, table after table.

        Returns how late the latest move was sent, in seconds: whether the load generator keeps up.
        """
        self.tally.begin()
        due, latest = perf_counter(), 0.0
        for i in range(round(rate * seconds)):
            due += self._random.expovariate(rate)
            while (early := due - perf_counter()) > 0:
                await asyncio.sleep(early)
            latest = max(latest, -early)
            self._tables[i % len(self._tables)].schedule(1)
        await self._settle()
        return latest

    async def play_flat_out(self, seconds: float) -> None:
        """Play as fast as the server lets us: each move follows the update of the last one."""
        self.tally.begin()
        for table in self._tables:
            table.schedule(UNLIMITED)
        await asyncio.sleep(seconds)
        for table in self._tables:
            table.pause()
        await self._settle()

    async def _settle(self) -> None:
        await self._until(lambda: all(move.done for move in self.tally.moves))

    async def _until(self, holds: Callable[[], bool]) -> None:
        limit = perf_counter() + REPLY_TIMEOUT_S
        while not holds() or self._faults():
            if self._faults() or perf_counter() > limit:
                raise SystemExit([*self._faults(), "the server has stopped sending"][0])
            await asyncio.sleep(0.02)

    def _faults(self) -> list[str]:
        return [table.fault for table in self._tables if table.fault]

    async def leave(self) -> None:
        """Close all sockets."""
        for table in self._tables:
            table.leave()
        await asyncio.sleep(0.2)
