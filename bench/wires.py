"""The protocols of the servers: opening a table, saying hello, making a move.

A message is decoded only as far as a player needs it: the load generator must cost little beside
the servers.
"""

from __future__ import annotations

import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from http.client import HTTPConnection
from typing import Any, NamedTuple

import msgspec

from theriac.sealed_deal import seat_commitment

SEATS = 4


class Heard(NamedTuple):
    """A message: the version it brings the table to, and what the seat may do now.

    `answers` is the number of the move that it replies to, `reply` what to send back at once,
    `refused` why a request was refused; `greeted` confirms the first hello.
    """

    version: int | None = None
    legal: Sequence[str] = ()
    answers: int | None = None
    reply: bytes | None = None
    refused: str | None = None
    greeted: bool = False


NOTHING = Heard()


class Wire(ABC):
    """The protocol of one server."""

    #: Does the server reply to a move with a message of its own?
    answers: bool
    #: The path of a table's socket.
    path: str

    @abstractmethod
    def open_table(self, connection: HTTPConnection, number: int) -> tuple[str, list[str]]:
        """Open a table: its name, and the key of each seat."""

    @abstractmethod
    def hello(self, table: str, seat: int, key: str) -> tuple[bytes, bytes]:
        """The first message of a player, and the one after the greeting."""

    @abstractmethod
    def read(self, message: bytes) -> Heard:
        """Decode a message."""

    @abstractmethod
    def move(self, table: str, seat: int, move: str, version: int, number: int) -> bytes:
        """The message that makes a move; `number` is its own."""


# Ours


class _View(msgspec.Struct):
    legal: list[str]


class _Event(msgspec.Struct):
    kind: str
    commitment: str = ""


class _ServerMessage(msgspec.Struct):
    """A message of our server."""

    version: int | None = None
    id: str | None = None
    view: _View | None = None
    event: _Event | None = None
    refused: dict[str, Any] | None = None
    seat: int = 0


#: Nobody at these tables minds who chose the cards.
_NONCE = "bench"


def _commit(commitment: str, seat: int) -> dict[str, str]:
    return {"commitment": seat_commitment(commitment, seat, _NONCE), "to": commitment}


class Theriac(Wire):
    """Our protocol: docs/wire.md."""

    answers = True
    path = "/api/tables/{table}/socket"

    def __init__(self, game: str = "poison", seats: int = SEATS) -> None:
        self._game = game
        self._seats = seats
        self._decoder = msgspec.json.Decoder(_ServerMessage)
        self._commitments: dict[str, str] = {}

    def open_table(self, connection: HTTPConnection, number: int) -> tuple[str, list[str]]:
        """Open each table from another address: new tables and players are limited by address."""
        place = f"10.0.{number // 250}.{number % 250 + 1}"
        keys = [
            _post(connection, "/api/players", {"name": f"Player {seat}"}, place)["key"]
            for seat in range(self._seats)
        ]
        table = {"game": self._game, "seats": [None] * self._seats}
        name = _post(connection, "/api/tables", table, place, keys[0])["table"]
        connection.request("GET", f"/api/tables/{name}", headers={"X-Forwarded-For": place})
        welcome = json.loads(connection.getresponse().read())["welcome"]
        self._commitments[name] = welcome["room"]["commitment"]
        return name, keys

    def hello(self, table: str, seat: int, key: str) -> tuple[bytes, bytes]:
        """The key, and the seat."""
        commitment = _commit(self._commitments[table], seat)
        sit = {"do": "sit", "id": "sit", "seat": seat, **commitment}
        hello = {"do": "hello", "id": "hello", "key": key}
        return msgspec.json.encode(hello), msgspec.json.encode(sit)

    def read(self, message: bytes) -> Heard:
        """A reply or an event. A client reveals its nonce when the deal is sealed; after a game
        all players are ready for the next.
        """
        received = self._decoder.decode(message)
        if received.refused is not None:
            return Heard(refused=received.refused["why"])
        if received.id is not None:
            number = int(received.id) if received.id.isdigit() else None
            return Heard(answers=number, greeted=received.id == "hello")
        if received.event is not None and received.event.kind == "offered":
            commitment = _commit(received.event.commitment, received.seat)
            ready = {"do": "ready", "id": f"ready-{received.version}", **commitment}
            return Heard(received.version, reply=msgspec.json.encode(ready))
        if received.event is not None and received.event.kind == "sealed":
            reveal = {"do": "reveal", "id": f"reveal-{received.version}", "nonce": _NONCE}
            return Heard(received.version, reply=msgspec.json.encode(reveal))
        if received.view is not None:
            return Heard(received.version, received.view.legal)
        return NOTHING if received.version is None else Heard(received.version)

    def move(self, table: str, seat: int, move: str, version: int, number: int) -> bytes:
        """A move, and the version it refers to."""
        return b'{"do":"move","id":"%d","move":"%s","version":%d}' % (
            number,
            move.encode(),
            version,
        )


def _post(
    connection: HTTPConnection, path: str, body: Any, place: str, key: str | None = None
) -> Any:
    headers = {"Content-Type": "application/json", "X-Forwarded-For": place}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    connection.request("POST", path, json.dumps(body), headers)
    answer = connection.getresponse()
    content = json.loads(answer.read())
    if answer.status != 201:
        raise SystemExit(f"{path}: {content}")
    return content


# boardgame.io's


class _Shown(msgspec.Struct):
    legal: list[str]


class _State(msgspec.Struct):
    shown: _Shown = msgspec.field(name="G")
    number: int = msgspec.field(name="_stateID")


class _Synced(msgspec.Struct):
    state: _State


_NAMESPACE = b"/pots,"
#: Packets of Socket.IO: connect to a namespace, send an event.
_CONNECT, _EVENT = b"40" + _NAMESPACE, b"42" + _NAMESPACE
_UPDATE, _SYNC = _EVENT + b'["update"', _EVENT + b'["sync"'


class BoardgameIo(Wire):
    """Events of Socket.IO, as boardgame.io's own client sends them."""

    answers = False
    path = "/socket.io/?EIO=4&transport=websocket"

    def __init__(self) -> None:
        self._update = msgspec.json.Decoder(tuple[str, str, _State, msgspec.Raw])
        self._sync = msgspec.json.Decoder(tuple[str, str, _Synced])

    def open_table(self, connection: HTTPConnection, number: int) -> tuple[str, list[str]]:
        """The server opens a table on first use, and needs no keys."""
        return f"table{number}", [""] * SEATS

    def hello(self, table: str, seat: int, key: str) -> tuple[bytes, bytes]:
        """The game, then the table and the seat."""
        return _CONNECT, _EVENT + msgspec.json.encode(["sync", table, str(seat), None, SEATS])

    def read(self, message: bytes) -> Heard:
        """The state after a move, or at the beginning."""
        if message.startswith(_UPDATE):
            state = self._update.decode(message[len(_EVENT) :])[2]
            return Heard(state.number, state.shown.legal)
        if message.startswith(_SYNC):
            state = self._sync.decode(message[len(_EVENT) :])[2].state
            return Heard(state.number, state.shown.legal)
        return Heard(reply=b"3") if message == b"2" else Heard(greeted=message.startswith(_CONNECT))

    def move(self, table: str, seat: int, move: str, version: int, number: int) -> bytes:
        """A move, and the state it refers to."""
        card, _, place = move.partition("@")
        payload = {
            "type": "play",
            "args": [card, int(place) - 1],
            "playerID": str(seat),
            "credentials": None,
        }
        action = {"type": "MAKE_MOVE", "payload": payload}
        return _EVENT + msgspec.json.encode(["update", action, version, table, str(seat)])


# That of `bench.floor`


class _FloorMessage(msgspec.Struct):
    version: int
    answers: int
    legal: list[str]


class Floor(Wire):
    """The least: a table begins when four clients have named it."""

    answers = True
    path = "/"

    def __init__(self) -> None:
        self._decoder = msgspec.json.Decoder(_FloorMessage)

    def open_table(self, connection: HTTPConnection, number: int) -> tuple[str, list[str]]:
        """The server opens a table on first use, and needs no keys."""
        return secrets.token_hex(4), [""] * SEATS

    def hello(self, table: str, seat: int, key: str) -> tuple[bytes, bytes]:
        """The table and the seat; there is no greeting."""
        return self.move(table, seat, "", 0, 0), b""

    def read(self, message: bytes) -> Heard:
        """What the table sends after each move."""
        received = self._decoder.decode(message)
        answers = None if received.answers < 0 else received.answers
        return Heard(received.version, received.legal, answers)

    def move(self, table: str, seat: int, move: str, version: int, number: int) -> bytes:
        """Any move."""
        return b'{"table":"%s","seat":%d,"number":%d}' % (table.encode(), seat, number)
