"""A running server, and players who send it HTTP requests."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

import httpx

from tests.forked import ForkedProcess, can_fork
from tests.nonces import Nonces
from theriac.engine.cache import cache_home
from theriac.server.limits import Limits
from theriac.server.rate_limit import TokenBucket

#: How long a test waits for a response that should come at once: the machine may be busy.
RESPONSE_TIMEOUT_S = 120.0
#: Each player has an address of their own, or the rate limit per address would slow the tests down.
_addresses = itertools.count(1)
#: The clients that a test has open; they are closed after the test.
open_clients = contextlib.ExitStack()
#: The servers that a test has started; those that still run after it are killed.
started_servers = contextlib.ExitStack()


class ServerProcess:
    """A process of `theriac serve`."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        bot_delay: float = 0,
        absence_grace: float = 0,
        proxies: str | None = "127.0.0.1",
        python: str = sys.executable,
        compiled: bool = False,
        forked: bool = True,
        **environment: str,
    ) -> None:
        """Without `compiled` it plays interpreted rules: that is the same, and it starts sooner.

        Unless not `forked`, it is forked from a process that has imported everything.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._python = python
        self.database = folder / "tables.sqlite"
        self.log = folder / "log.jsonl"
        self._arguments = ["--port", "0", "--database", str(self.database)]
        if proxies is not None:
            # Each player of a test says that it comes from another address, as a proxy would.
            self._arguments += ["--trusted-proxies", proxies]
        self._arguments += ["--bot-delay", str(bot_delay)]
        self._arguments += ["--absence-grace", str(absence_grace), *arguments]
        cache = str(cache_home())  # of `theriac setup`, in the real home
        own = {"HOME": str(folder), "THERIAC_CACHE": cache, "THERIAC_JIT": str(int(compiled))}
        self._environment = {**os.environ, **own, **environment}
        self._forked = forked and python == sys.executable and can_fork(self._environment)
        self.start()
        started_servers.callback(self.kill)

    def start(self) -> None:
        """Start the server, for the first time or again."""
        with self.log.open("ab") as log:
            self.process = self._fork(log) if self._forked else self._run(log)
        first_line = _read_line(self.process)
        assert first_line.startswith("Serving on http://127.0.0.1:"), first_line + self.log_text()
        self.host = first_line.removeprefix("Serving on http://").strip()
        self.http = httpx.Client(base_url=f"http://{self.host}", timeout=RESPONSE_TIMEOUT_S)

    def _fork(self, log: BinaryIO) -> ForkedProcess:
        arguments = ["serve", *self._arguments]
        return ForkedProcess(arguments, self.folder, self._environment, stderr=log.fileno())

    def _run(self, log: BinaryIO) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [self._python, "-m", "theriac", "serve", *self._arguments],
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=self.folder,
            env=self._environment,
        )

    def kill(self) -> None:
        """Kill the server, if it still runs."""
        self.http.close()
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop the server; its exit status."""
        self.process.send_signal(how)
        try:
            return self.process.wait(RESPONSE_TIMEOUT_S)
        finally:
            self.kill()

    def log_text(self) -> str:
        """Everything that the server has logged."""
        return self.log.read_text(encoding="utf-8")

    def unexpected_log_lines(self) -> list[str]:
        """The lines of the log that no healthy server writes."""
        bad = ('"level":"error"', '"level":"critical"', "Traceback", "Warning", "not compiled")
        return [line for line in self.log_text().splitlines() if any(word in line for word in bad)]

    def new_player(self, name: str = "Ana") -> Player:
        """Register a player."""
        address = new_address()
        http = httpx.Client(
            base_url=self.http.base_url,
            timeout=RESPONSE_TIMEOUT_S,
            headers={"X-Forwarded-For": address, "Content-Type": "application/json"},
        )
        open_clients.enter_context(http)
        response = http.post("/api/players", json={"name": name})
        assert response.status_code == 201, response.text
        http.headers["Authorization"] = f"Bearer {response.json()['key']}"
        return Player(self, http, name, response.json()["key"], address)

    def new_players(self, *names: str) -> list[Player]:
        """Register several players."""
        return [self.new_player(name) for name in names]


def new_address() -> str:
    """An address that nobody else in this process has."""
    number = next(_addresses)
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


def _read_line(process: subprocess.Popen[bytes] | ForkedProcess) -> str:
    """The first line that a process prints; the process is killed if none comes."""
    assert process.stdout is not None
    timer = threading.Timer(2 * RESPONSE_TIMEOUT_S, process.kill)
    timer.start()
    try:
        return process.stdout.readline().decode()
    finally:
        timer.cancel()


class Player:
    """A player with a key, who sends HTTP requests."""

    def __init__(
        self, server: ServerProcess, http: httpx.Client, name: str, key: str, address: str
    ) -> None:
        self.server = server
        self.http = http
        self.name = name
        self.key = key
        self.address = address
        limits = Limits()
        #: Of all sockets of this player, as in the server; a little less for what it sends at once.
        self.bucket = TokenBucket(limits.player_rate, limits.player_burst - 2)
        self.nonces = Nonces()

    @property
    def id(self) -> str:
        """The player's id in the store: the first half of the key."""
        return self.key.partition(".")[0]

    def open(self, game: str, seats: list[str | None], **fields: Any) -> str:
        """Open a table; its name."""
        response = self.http.post("/api/tables", json={"game": game, "seats": seats, **fields})
        assert response.status_code == 201, response.text
        table: str = response.json()["table"]
        return table

    def get(self, path: str, **parameters: Any) -> Any:
        """The JSON at a path."""
        response = self.http.get(path, params=parameters)
        assert response.status_code == 200, response.text
        return response.json()

    def get_table(self, table: str, **parameters: Any) -> Any:
        """The welcome that this player gets at a table."""
        return self.get(f"/api/tables/{table}", **parameters)["welcome"]

    def ask(self, table: str, do: str, **fields: Any) -> Any:
        """Send a request to a table without a socket; the reply.

        `sit` takes the nonce and sends the commitment to it. The nonce is revealed if the deal is
        sealed then.
        """
        nonce = fields.pop("nonce", None) if do == "sit" else None
        if nonce is not None:
            shown = self.get_table(table)["room"]["commitment"]
            fields |= self.nonces.commit(shown, fields["seat"], nonce)
        name = fields.pop("id", f"http{next(_addresses)}")
        response = self.http.post(f"/api/tables/{table}", json={"do": do, "id": name, **fields})
        assert response.status_code == 200, response.text
        if nonce is not None and self.nonces.to_reveal(self.get_table(table)["room"]):
            self.ask(table, "reveal", nonce=nonce)
        return response.json()
