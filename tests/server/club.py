"""A running server, and persons who ask it for things over HTTP."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx

from theriac.engine.cache import cache_home

#: How long a test waits for what should come at once: other programs may keep the machine busy.
PATIENCE = 120.0
#: Each person asks from another address, or the limit of new tables would hold the tests up.
_addresses = itertools.count(1)
#: Everything that a test has open towards a server; it is closed after the test.
visits = contextlib.ExitStack()
#: The servers that a test has started; those that still run after it are killed.
servers = contextlib.ExitStack()


class Club:
    """A process of `theriac serve`."""

    def __init__(self, folder: Path, *more: str, pace: float = 0, **environment: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.database = folder / "tables.sqlite"
        self.log = folder / "log.jsonl"
        self._arguments = ["--port", "0", "--database", str(self.database)]
        self._arguments += ["--bot-delay", str(pace), *more]
        compiled = {"THERIAC_CACHE": str(cache_home())}  # by `theriac setup`, in the real home
        self._environment = {**os.environ, "HOME": str(folder), **compiled, **environment}
        self.start()
        servers.callback(self.kill)

    def start(self) -> None:
        """Start the server, for the first time or again."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "theriac", "serve", *self._arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self.folder,
                env=self._environment,
            )
        assert self.process.stdout is not None
        self.said = _read_line(self.process)
        assert self.said.startswith("Serving on http://127.0.0.1:"), self.said + self.log_text()
        self.host = self.said.removeprefix("Serving on http://").strip()
        self.web = httpx.Client(base_url=f"http://{self.host}", timeout=PATIENCE)

    def kill(self) -> None:
        """End the server, if it still runs."""
        self.web.close()
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop the server; its exit status."""
        self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.kill()

    def log_text(self) -> str:
        """All that the server has written down."""
        return self.log.read_text(encoding="utf-8")

    def complaints(self) -> list[str]:
        """The lines of the log that no healthy server writes."""
        bad = ('"level":"error"', '"level":"critical"', "Traceback", "Warning", "not compiled")
        return [line for line in self.log_text().splitlines() if any(word in line for word in bad)]

    def person(self, name: str = "Ana") -> Person:
        """Somebody new."""
        address = next(_addresses)
        place = f"10.{address >> 16}.{address >> 8 & 255}.{address & 255}"
        web = httpx.Client(
            base_url=self.web.base_url, timeout=PATIENCE, headers={"X-Forwarded-For": place}
        )
        visits.enter_context(web)
        answer = web.post("/api/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        web.headers["Authorization"] = f"Bearer {answer.json()['key']}"
        return Person(self, web, name, answer.json()["key"])

    def persons(self, *names: str) -> list[Person]:
        """Several people."""
        return [self.person(name) for name in names]


def _read_line(process: subprocess.Popen[bytes]) -> str:
    """The first line that a process prints; it is killed if none comes."""
    assert process.stdout is not None
    watch = threading.Timer(2 * PATIENCE, process.kill)
    watch.start()
    try:
        return process.stdout.readline().decode()
    finally:
        watch.cancel()


class Person:
    """Somebody with a key."""

    def __init__(self, club: Club, web: httpx.Client, name: str, key: str) -> None:
        self.club = club
        self.web = web
        self.name = name
        self.key = key

    @property
    def player(self) -> str:
        """Who this is in the store."""
        return self.key.partition(".")[0]

    def open(self, game: str, seats: list[str | None], **wish: Any) -> str:
        """Open a table; its name."""
        answer = self.web.post("/api/tables", json={"game": game, "seats": seats, **wish})
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]
        return table

    def get(self, path: str, **parameters: Any) -> Any:
        """What is at a path."""
        answer = self.web.get(path, params=parameters)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def look(self, table: str, **parameters: Any) -> Any:
        """The table as this person is told of it."""
        return self.get(f"/api/tables/{table}", **parameters)["welcome"]

    def ask(self, table: str, do: str, **more: Any) -> Any:
        """Do something at a table without a socket; the answer."""
        name = more.pop("id", f"web{next(_addresses)}")
        answer = self.web.post(f"/api/tables/{table}", json={"do": do, "id": name, **more})
        assert answer.status_code == 200, answer.text
        return answer.json()
