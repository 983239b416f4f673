"""A client with a socket, which keeps the state of its table as the page does."""

from __future__ import annotations

import contextlib
import itertools
import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.nonces import Nonces
from tests.server.server_process import (
    RESPONSE_TIMEOUT_S,
    Player,
    ServerProcess,
    new_address,
    open_clients,
)
from tests.server.wire_check import check_server_message
from theriac.server.rate_limit import TokenBucket

#: How long a client waits for a server that does not close its end, such as one that was flooded.
_CLOSE_TIMEOUT_S = 1.0
_ids = itertools.count(1)
_clients_at: dict[str, list[SocketClient]] = defaultdict(list)


class SocketClient:
    """A client at a table. `table_info`, `view` and `version` are the latest that it received."""

    def __init__(
        self,
        server: ServerProcess,
        table: str,
        player: Player | None = None,
        since: int | None = None,
    ) -> None:
        self.server = server
        self.table = table
        self.socket = open_socket(server, table, address=player.address if player else None)
        self.received: list[str] = []
        self.answers: dict[str | None, list[Any]] = {}
        self.events: list[Any] = []
        self.signals: list[Any] = []
        self.present: list[int] | None = None
        self.table_info: Any = None
        self.view: Any = None
        self.seat: int | None = None
        self.announcements: list[str] = []
        self.bye: str | None = None
        self.version = 0
        self.nonces = Nonces()
        self._revealed: set[str] = set()
        #: Does this client reveal its nonces, as clients should?
        self.reveals = True
        _clients_at[table].append(self)
        self.bucket = TokenBucket(10, 38) if player is None else player.bucket
        key = {} if player is None else {"key": player.key}
        self.do("hello", **key, **({} if since is None else {"since": since}))

    # Sending

    def send(self, do: str, **fields: Any) -> str:
        """Send a message as soon as the rate limit allows; its id.

        `sit` and `ready` take the nonce, and send the commitment to it.
        """
        if do in ("sit", "ready") and "nonce" in fields:
            self.reach(self.do("ping"))
            seat, nonce = fields.get("seat", self.seat), fields.pop("nonce")
            fields |= self.nonces.commit(self.table_info["commitment"], seat or 0, nonce)
        name: str = fields.pop("id", f"socket{next(_ids)}")
        while not self.bucket.take():
            time.sleep(0.02)
        self.socket.send(json.dumps({"do": do, "id": name, **fields}))
        return name

    def ask(self, do: str, **fields: Any) -> Any:
        """Send a message; the reply."""
        name = self.send(do, **fields)
        before = len(self.answers.get(name, []))
        self.until(lambda: len(self.answers.get(name, [])) > before)
        return self.answers[name][-1]

    def do(self, do: str, **fields: Any) -> int:
        """Send a request that must be accepted; the version it led to."""
        answer = self.ask(do, **fields)
        assert "refused" not in answer, answer
        version: int = answer["version"]
        return version

    def refused(self, do: str, **fields: Any) -> Any:
        """Send a request that must be refused; the refusal."""
        answer = self.ask(do, **fields)
        assert set(answer) == {"id", "refused"}, answer
        assert answer["refused"]["why"]
        return answer["refused"]

    def sit(self, seat: int, nonce: str = "nonce") -> None:
        """Take a seat, and reveal the nonce if that seals the deal."""
        self.do("sit", seat=seat, nonce=nonce)
        self.until(lambda: self.table_info["seats"][seat]["taken"])
        self.seat = seat
        if self.reveals:
            self.until(lambda: self.nonces.to_reveal(self.table_info) is None)
            self.reach(self.do("ping"))

    def play(self, move: str) -> int:
        """Make a move, and wait for its event."""
        version = self.do("move", move=move, version=self.version)
        self.reach(version)
        return version

    # Receiving

    def receive(self, seconds: float = RESPONSE_TIMEOUT_S) -> Any:
        """The next message, after it has been handled; raises TimeoutError if none comes."""
        text = self.socket.recv(seconds)
        assert isinstance(text, str)
        self.received.append(text)
        message = json.loads(text)
        check_server_message(message)
        self._handle(message)
        return message

    def _handle(self, message: Any) -> None:
        match message:
            case {"welcome": welcome}:
                self.events += welcome["events"]
                self.table_info, self.view = welcome["room"], welcome.get("view")
                self.version, self.seat = welcome["version"], welcome.get("seat")
                self.present = welcome.get("present", [])
                self._reveal()
            case {"event": _, "version": version}:
                assert version == self.version + 1, "versions have no gaps"
                self.version = version
                self.events.append(message)
                self.table_info = message.get("room", self.table_info)
                self.view = message.get("view", self.view)
                self._reveal()
            case {"id": name}:
                self.answers.setdefault(name, []).append(message)
            case {"passing": signal}:
                self.signals.append(signal)
            case {"present": seats}:
                self.present = seats
            case {"announcement": text}:
                self.announcements.append(text)
            case {"bye": why}:
                self.bye = why
            case _:
                raise AssertionError(f"a message of no known kind: {message}")

    def _reveal(self) -> None:
        """Reveal the own nonce, once, when the deal is sealed."""
        nonce = self.nonces.to_reveal(self.table_info) if self.reveals else None
        if nonce is not None and nonce not in self._revealed:
            self._revealed.add(nonce)
            self.send("reveal", nonce=nonce)

    def until(self, holds: Callable[[], Any], seconds: float = RESPONSE_TIMEOUT_S) -> None:
        """Receive messages until a condition holds."""
        deadline = time.monotonic() + seconds
        while not holds():
            left = max(0.01, deadline - time.monotonic())
            if self.table_info is None or self.table_info["stage"] != "sealing":
                self.receive(left)
                continue
            # The deal waits for the others, who read only when the test lets them.
            try:
                self.receive(min(left, 0.05))
            except TimeoutError:
                if time.monotonic() > deadline:
                    raise
                for other in _clients_at[self.table]:
                    other.read_unread()

    def read_unread(self) -> None:
        """Receive what has arrived, and wait for nothing."""
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            while True:
                self.receive(0)

    def reach(self, version: int) -> None:
        """Receive messages until this client has a version."""
        self.until(lambda: self.version >= version)

    def close(self) -> None:
        """Close the connection."""
        self.socket.close()

    def wait_closed(self) -> tuple[int, str]:
        """Receive messages until the server closes the connection: its code and reason."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as end:
            assert end.rcvd is not None
            return end.rcvd.code, end.rcvd.reason

    # State

    @property
    def kinds(self) -> list[str]:
        """The kinds of the events received, in order."""
        return [update["event"]["kind"] for update in self.events]

    def last(self, kind: str) -> Any:
        """The last event of a kind."""
        return next(u["event"] for u in reversed(self.events) if u["event"]["kind"] == kind)


def open_socket(
    server: ServerProcess, table: str, origin: str | None = None, address: str | None = None
) -> Any:
    """A socket of a table, before hello."""
    connection = connect(
        f"ws://{server.host}/api/tables/{table}/socket",
        origin=origin,  # type: ignore[arg-type]
        additional_headers={"X-Forwarded-For": address or new_address()},
        open_timeout=RESPONSE_TIMEOUT_S,
        close_timeout=_CLOSE_TIMEOUT_S,
        max_size=None,
        compression=None,
    )
    return open_clients.enter_context(connection)


def seat_players(table: str, *players: Player, since: int | None = None) -> list[SocketClient]:
    """Clients of players who take the seats 0, 1, … in turn; all of them have all events."""
    clients = [SocketClient(player.server, table, player, since) for player in players]
    for seat, client in enumerate(clients):
        client.sit(seat, f"nonce {seat}")
    share_events(clients)
    return clients


def share_events(clients: Sequence[SocketClient]) -> None:
    """Let clients receive all events, until none of them waits for the nonce of another."""
    version = 0
    while version < (version := max(client.do("ping") for client in clients)):
        for client in clients:
            client.reach(version)
