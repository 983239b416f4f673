"""Many players at many tables, over real sockets, in one lean process.

A move is *answered* when its player has heard that it is made, and *told* when the last socket of
the table has heard of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection
from random import Random
from time import perf_counter

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from bench.wires import Wire

#: How many tables are opened at the same time.
TOGETHER = 16
#: How long players wait for a server that says nothing, in seconds.
PATIENCE = 60.0
#: More moves than anybody makes.
ENDLESS = 1 << 40


class Move:
    """When it was sent, answered and told."""

    __slots__ = ("answered", "base", "seat", "sent", "told")

    def __init__(self, base: int, seat: int) -> None:
        self.base = base
        self.seat = seat
        self.sent = perf_counter()
        self.answered = 0.0
        self.told = 0.0

    @property
    def done(self) -> bool:
        """Have all heard of it?"""
        return bool(self.answered and self.told)


class Tally:
    """What the players of all tables have noted."""

    moves: list[Move]
    messages: int
    received: int
    #: Moves that had to wait until the table knew whose turn it was.
    held: int

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Count from nothing."""
        self.moves = []
        self.messages = self.received = self.held = 0


class Line(WSListener):  # type: ignore[misc]
    """One player's socket."""

    def __init__(self, table: Match, seat: int) -> None:
        self._table = table
        self._seat = seat
        self._transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        """It is open."""
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A message has come."""
        if frame.msg_type == WSMsgType.TEXT:
            self._table.hear(self._seat, frame.get_payload_as_bytes())

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """It is closed: by us, or too soon."""
        self._table.lose(self._seat)

    def send(self, message: bytes) -> None:
        """Send a text."""
        assert self._transport is not None
        self._transport.send(WSMsgType.TEXT, message)

    def close(self) -> None:
        """Hang up."""
        assert self._transport is not None
        self._transport.disconnect()


class Match:
    """The players of one table."""

    def __init__(
        self, wire: Wire, name: str, keys: Sequence[str], tally: Tally, random: Random
    ) -> None:
        self._wire = wire
        self._name = name
        self._keys = keys
        self._tally = tally
        self._random = random
        self._lines: list[Line] = []
        self._heard = [-1] * len(keys)
        self._turn: tuple[int, Sequence[str], int] = (0, (), -1)
        self._move: Move | None = None
        self._number = 0
        self._owed = 0
        self._leaving = False
        #: What went wrong here.
        self.fault: str | None = None

    async def sit_down(self, address: str) -> None:
        """All players connect, one after another."""
        path = self._wire.path.format(table=self._name)
        for seat, key in enumerate(self._keys):
            line = Line(self, seat)
            await ws_connect(lambda one=line: one, f"ws://{address}{path}")
            self._lines.append(line)
            line.send(self._wire.hello(self._name, seat, key)[0])

    @property
    def waits(self) -> bool:
        """Is the last move done, have all heard the same, and is somebody to act?"""
        _, legal, version = self._turn
        done = self._move is None or self._move.done
        return done and bool(legal) and all(heard == version for heard in self._heard)

    def owe(self, moves: int) -> None:
        """Make so many moves more, each as soon as all have heard whose turn it is."""
        self._owed += moves
        if self.waits:
            self._play()
        else:
            self._tally.held += 1

    def rest(self) -> None:
        """Make no more moves."""
        self._owed = 0

    def _play(self) -> None:
        seat, legal, version = self._turn
        choice = legal[self._random.randrange(len(legal))]
        self._number += 1
        self._owed -= 1
        self._turn = (seat, (), version)
        message = self._wire.move(self._name, seat, choice, version, self._number)
        self._move = Move(version, seat)
        self._tally.moves.append(self._move)
        self._lines[seat].send(message)

    def hear(self, seat: int, message: bytes) -> None:
        """A message has come for a seat."""
        self._tally.messages += 1
        self._tally.received += len(message)
        heard = self._wire.read(message)
        if heard.refused is not None:
            self.fault = heard.refused
        if heard.greeted:
            self._lines[seat].send(self._wire.hello(self._name, seat, self._keys[seat])[1])
        if heard.reply is not None:
            self._lines[seat].send(heard.reply)
        if heard.version is not None:
            self._heard[seat] = heard.version
        if heard.legal:
            self._turn = (seat, heard.legal, heard.version or 0)
        if self._move is not None and not self._move.done:
            self._note(self._move, seat, heard.answers)
        if self._owed > 0 and self.waits:
            self._play()

    def _note(self, move: Move, seat: int, answers: int | None) -> None:
        own = seat == move.seat and self._heard[seat] > move.base
        if not move.answered and (answers == self._number if self._wire.answers else own):
            move.answered = perf_counter()
        if not move.told and min(self._heard) > move.base:
            move.told = perf_counter()

    def lose(self, seat: int) -> None:
        """A socket was closed."""
        if not self._leaving:
            self.fault = f"the server has closed the socket of seat {seat}"

    def leave(self) -> None:
        """All go home."""
        self._leaving = True
        for line in self._lines:
            line.close()


class Crowd:
    """All tables."""

    def __init__(self, wire: Wire, address: str) -> None:
        self._wire = wire
        self._address = address
        self._random = Random(1)
        self._tables: list[Match] = []
        self.tally = Tally()

    async def gather(self, tables: int) -> None:
        """Open so many tables and let all players sit down; returns when all games have begun."""
        numbers = iter(range(tables))
        await asyncio.gather(*(self._open(numbers) for _ in range(min(TOGETHER, tables))))
        await self._until(lambda: all(table.waits for table in self._tables))

    async def _open(self, numbers: Iterator[int]) -> None:
        connection = HTTPConnection(self._address, timeout=PATIENCE)
        for number in numbers:
            name, keys = await asyncio.to_thread(self._wire.open_table, connection, number)
            table = Match(self._wire, name, keys, self.tally, self._random)
            self._tables.append(table)
            await table.sit_down(self._address)
        connection.close()

    async def offer(self, rate: float, seconds: float) -> float:
        """So many moves a second on average, at times of chance, one table after another.

        Returns how late a move was sent at most, in seconds: whether the players keep up.
        """
        self.tally.begin()
        due, latest = perf_counter(), 0.0
        for i in range(round(rate * seconds)):
            due += self._random.expovariate(rate)
            while (early := due - perf_counter()) > 0:
                await asyncio.sleep(early)
            latest = max(latest, -early)
            self._tables[i % len(self._tables)].owe(1)
        await self._settle()
        return latest

    async def hurry(self, seconds: float) -> None:
        """Each table makes its next move as soon as all have heard of the last."""
        self.tally.begin()
        for table in self._tables:
            table.owe(ENDLESS)
        await asyncio.sleep(seconds)
        for table in self._tables:
            table.rest()
        await self._settle()

    async def _settle(self) -> None:
        await self._until(lambda: all(move.done for move in self.tally.moves))

    async def _until(self, holds: Callable[[], bool]) -> None:
        limit = perf_counter() + PATIENCE
        while not holds() or self._faults():
            if self._faults() or perf_counter() > limit:
                raise SystemExit([*self._faults(), "the server says nothing more"][0])
            await asyncio.sleep(0.02)

    def _faults(self) -> list[str]:
        return [table.fault for table in self._tables if table.fault]

    async def leave(self) -> None:
        """All go home."""
        for table in self._tables:
            table.leave()
        await asyncio.sleep(0.2)
