"""A client with a socket: it keeps what it is told as a page would."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.club import PATIENCE, Club, Person, visits
from tests.server.wire_check import check_server_message
from theriac.server.rate_limit import TokenBucket
from theriac.server.socket.connection import MESSAGE_BURST, MESSAGE_RATE

_ids = itertools.count(1)


class Line:
    """An open line to a table. `room`, `view` and `version` are as last told."""

    def __init__(
        self, club: Club, table: str, person: Person | None = None, since: int | None = None
    ) -> None:
        self.club = club
        self.table = table
        self.socket = dial(club, table)
        self.heard: list[str] = []
        self.answers: dict[str | None, list[Any]] = {}
        self.events: list[Any] = []
        self.passing: list[Any] = []
        self.present: list[int] | None = None
        self.room: Any = None
        self.view: Any = None
        self.seat: int | None = None
        self.bye: str | None = None
        self.version = 0
        self._bucket = TokenBucket(MESSAGE_RATE, MESSAGE_BURST - 2)
        key = {} if person is None else {"key": person.key}
        self.do("hello", **key, **({} if since is None else {"since": since}))

    # Talking

    def send(self, do: str, **more: Any) -> str:
        """Send a message, as fast as one may; its id."""
        name: str = more.pop("id", f"line{next(_ids)}")
        while not self._bucket.take():
            time.sleep(0.02)
        self.socket.send(json.dumps({"do": do, "id": name, **more}))
        return name

    def ask(self, do: str, **more: Any) -> Any:
        """Send a message; the answer."""
        name = self.send(do, **more)
        before = len(self.answers.get(name, []))
        self.until(lambda: len(self.answers.get(name, [])) > before)
        return self.answers[name][-1]

    def do(self, do: str, **more: Any) -> int:
        """Do something that is accepted; the version it led to, which this line has heard of."""
        answer = self.ask(do, **more)
        assert "refused" not in answer, answer
        version: int = answer["version"]
        return version

    def refused(self, do: str, **more: Any) -> Any:
        """Try something that is refused; the refusal."""
        answer = self.ask(do, **more)
        assert set(answer) == {"id", "refused"}, answer
        assert answer["refused"]["why"]
        return answer["refused"]

    def sit(self, seat: int, nonce: str = "nonce") -> None:
        """Take a seat."""
        self.do("sit", seat=seat, nonce=nonce)
        self.until(lambda: self.room["seats"][seat]["taken"])
        self.seat = seat

    def play(self, move: str) -> int:
        """Make a move and hear of it."""
        version = self.do("move", move=move, version=self.version)
        self.reach(version)
        return version

    # Listening

    def read(self, seconds: float = PATIENCE) -> Any:
        """Take in the next message; raises TimeoutError if none comes."""
        text = self.socket.recv(seconds)
        assert isinstance(text, str)
        self.heard.append(text)
        message = json.loads(text)
        check_server_message(message)
        self._take_in(message)
        return message

    def _take_in(self, message: Any) -> None:
        match message:
            case {"welcome": told}:
                self.events += told["events"]
                self.room, self.view, self.version = told["room"], told.get("view"), told["version"]
                self.seat = told.get("seat")
                self.present = told.get("present", [])
            case {"event": _, "version": version}:
                assert version == self.version + 1, "versions have no gaps"
                self.version = version
                self.events.append(message)
                self.room = message.get("room", self.room)
                self.view = message.get("view", self.view)
            case {"id": name}:
                self.answers.setdefault(name, []).append(message)
            case {"passing": told}:
                self.passing.append(told)
            case {"present": seats}:
                self.present = seats
            case {"bye": why}:
                self.bye = why
            case _:
                raise AssertionError(f"a message of no known kind: {message}")

    def until(self, holds: Callable[[], Any], seconds: float = PATIENCE) -> None:
        """Listen until something holds."""
        ends = time.monotonic() + seconds
        while not holds():
            self.read(max(0.01, ends - time.monotonic()))

    def reach(self, version: int) -> None:
        """Listen until this line has heard of a version."""
        self.until(lambda: self.version >= version)

    def listen(self, seconds: float) -> None:
        """Take in all that comes within some time."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            try:
                self.read(left)
            except TimeoutError:
                return

    def hang_up(self) -> None:
        """Go away."""
        self.socket.close()

    def closed(self) -> tuple[int, str]:
        """Listen until the server hangs up: its code and reason."""
        try:
            while True:
                self.read()
        except ConnectionClosed as end:
            assert end.rcvd is not None
            return end.rcvd.code, end.rcvd.reason

    # Looking

    @property
    def kinds(self) -> list[str]:
        """The kinds of the events heard of, in order."""
        return [told["event"]["kind"] for told in self.events]

    def last(self, kind: str) -> Any:
        """The last event of a kind."""
        return next(t["event"] for t in reversed(self.events) if t["event"]["kind"] == kind)


def dial(club: Club, table: str, origin: str | None = None) -> Any:
    """A socket to a table, before hello."""
    address = f"ws://{club.host}/api/tables/{table}/socket"
    line = connect(address, origin=origin, open_timeout=PATIENCE, max_size=None, compression=None)  # type: ignore[arg-type]
    return visits.enter_context(line)


def seated(table: str, *people: Person, since: int | None = None) -> list[Line]:
    """Lines of people who take the seats 0, 1, … one after another; all have heard of it all."""
    lines = [Line(person.club, table, person, since) for person in people]
    for seat, line in enumerate(lines):
        line.sit(seat, f"nonce {seat}")
    version = lines[-1].do("ping")
    for line in lines:
        line.reach(version)
    return lines
