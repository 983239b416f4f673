"""Servers as processes: started, measured from outside, stopped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter, sleep
from typing import IO

_TICKS = os.sysconf("SC_CLK_TCK")
_SERVING = "Serving on http://"


class Process:
    """A server that prints its address on standard output; its log goes to a file."""

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        folder: Path | None = None,
        surroundings: Mapping[str, str] | None = None,
    ) -> None:
        self._log = log.open("ab")
        environment = {**os.environ, **(surroundings or {})}
        begun = perf_counter()
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self.address = self._read_address(log)
        self._wait_for_health()
        #: The seconds from the start of the process to its first response.
        self.starting = perf_counter() - begun

    def _read_address(self, log: Path) -> str:
        said: IO[str] | None = self._process.stdout
        assert said is not None
        for line in said:
            if _SERVING in line:
                return line.partition(_SERVING)[2].strip()
        raise SystemExit(f"The server did not start:\n{log.read_text()[-2000:]}")

    def _wait_for_health(self) -> None:
        while self.get("/healthz")[0] != 200:
            sleep(0.005)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def get(self, path: str) -> tuple[int, str]:
        """The status and body of a response."""
        connection = HTTPConnection(self.address, timeout=30)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def stop(self) -> None:
        """Stop it with SIGTERM, or kill it."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def cpu(self) -> float:
        """The CPU seconds it has used, its children included."""
        return sum(_cpu_of(pid) for pid in self._family())

    def memory(self) -> int:
        """The bytes of memory in use, its children included."""
        return sum(_memory_of(pid) for pid in self._family())

    def _family(self) -> list[int]:
        return _with_children(self._process.pid)


def _with_children(pid: int) -> list[int]:
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for thread in threads for child in thread.read_text().split()]
    return [pid, *(each for child in children for each in _with_children(child))]


def _cpu_of(pid: int) -> float:
    # The name of the program, in brackets, may have spaces in it. User and system time are the
    # 14th and 15th field, those of children that have ended the 16th and 17th.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(ticks) for ticks in fields[11:15]) / _TICKS


def _memory_of(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return 1024 * int(line.split()[1])
    return 0


def theriac(database: Path | str, log: Path, *more: str) -> Process:
    """Our server, with a new SQLite file or an existing database, and more options."""
    command = [sys.executable, "-m", "theriac", "serve", "--port", "0", "--log-level", "warning"]
    # All players come from this machine. The tables are opened from many addresses (`bench.wires`).
    command += ["--trusted-proxies", "127.0.0.0/8", "--limit", "sockets_per_address=1000000"]
    for limit in ("message_rate", "message_burst", "player_rate", "player_burst"):
        command += ["--limit", f"{limit}=1000000"]
    return Process([*command, "--database", str(database), "--bot-delay", "0", *more], log)


def floor(database: Path, log: Path, how: str) -> Process:
    """The least that a server can do (`bench.floor`), with a new SQLite file."""
    return Process([sys.executable, "-m", "bench.floor", str(database), how], log)


# boardgame.io needs Node: that of the machine, or one that came with pip.
_BOARDGAME_IO = Path(__file__).parent / "boardgame_io"
_PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"


def install_boardgame_io() -> bool:
    """Install boardgame.io if it is missing; False without Node."""
    npm = shutil.which("npm", path=_PATH)
    if npm is None:
        return False
    if not (_BOARDGAME_IO / "node_modules").is_dir():
        command = [npm, "ci", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=_BOARDGAME_IO, env={**os.environ, "PATH": _PATH}, check=True)
    return True


def boardgame_io(log: Path) -> Process:
    """The server of boardgame.io, once it is installed."""
    node = shutil.which("node", path=_PATH)
    assert node is not None
    return Process([node, "server.js"], log, _BOARDGAME_IO, {"NODE_ENV": "production"})
