"""Private PostgreSQL and Redis processes: found or installed, started in a folder, stopped, killed.

Both listen only on a Unix socket in that folder, so they do not collide with other services on
this machine.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: The Debian package of each program.
PACKAGES = {
    "caddy": "caddy",
    "chromium-headless-shell": "chromium-headless-shell",
    "initdb": "postgresql",
    "nginx": "nginx-light",
    "postgres": "postgresql",
    "redis-server": "redis-server",
}
#: How long a service may take to start or to stop, and a command of the setup to finish.
START_TIMEOUT_S = STOP_TIMEOUT_S = 120.0
COMMAND_TIMEOUT_S = 600.0


def find_program(name: str) -> str:
    """The path of a program; installed from Debian's packages if it is missing."""
    path = _found(name)
    if path is None:
        _install(name)
        path = _found(name)
    assert path is not None, f"{name} is still missing after its package was installed"
    return path


def _found(name: str) -> str | None:
    # Debian keeps PostgreSQL's programs off the path, in one folder per version.
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)  # noqa: PTH207
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders))


def _install(name: str) -> None:
    package = PACKAGES[name]
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise RuntimeError(
            f"these tests need {name}: install the package {package} "
            f"(Debian, Ubuntu: apt-get install {package})"
        )
    # Parallel tests must not install in parallel.
    with Path(tempfile.gettempdir(), "theriac-install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _found(name) is None:
            quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            install = ["apt-get", "install", "-y", "--no-install-recommends", package]
            for command in (["apt-get", "update"], install):
                _run(command, env=quietly)


def _run(command: list[str], **more: Any) -> None:
    """Run a command, which must succeed."""
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, **more
    )
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr or done.stdout}"


def unprivileged() -> dict[str, Any]:
    """Arguments for a process that must not run as root, such as PostgreSQL."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Service:
    """A process with its own folder, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """The command line."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Does it respond?"""
        raise NotImplementedError

    def start(self) -> None:
        """Start it, and wait until it responds."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command(), cwd=self.folder, stdout=log, stderr=log, **self.account()
            )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self.ready():
            running = self._process.poll() is None and time.monotonic() < deadline
            assert running, f"{self.command()[0]}: {(self.folder / 'log').read_text()}"
            time.sleep(0.02)

    def account(self) -> dict[str, Any]:
        """The user that it runs as, as arguments of `Popen`."""
        return {}

    def pause(self) -> None:
        """Stop it with SIGSTOP, so that it neither responds nor exits."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it continue."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def end(self, how: signal.Signals) -> None:
        """Send it a signal and wait until it has exited."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(STOP_TIMEOUT_S)
            self._process = None


class PostgreSQL(Service):
    """A cluster of databases."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._databases = 0

    def account(self) -> dict[str, Any]:
        """Not root: PostgreSQL refuses to run as root."""
        return unprivileged()

    def create(self) -> None:
        """Make an empty cluster."""
        account = self.account()
        if account:
            os.chown(self.folder, account["user"], account["group"])
        command = [find_program("initdb"), "--pgdata=data", "--username=theriac", "--auth=trust"]
        options = ["--encoding=UTF8", "--no-locale", "--no-sync"]
        _run([*command, *options], cwd=self.folder, **account)

    def command(self) -> list[str]:
        """The command line, with a socket in its folder."""
        socket = ["-D", "data", "-k", str(self.folder), "-c", "listen_addresses="]
        return [find_program("postgres"), *socket, "-c", "max_connections=60"]

    def ready(self) -> bool:
        """Does it accept connections?"""
        try:
            self.run(self._address("postgres"), "SELECT 1")
        except AssertionError:
            return False
        return True

    def crash(self) -> None:
        """Stop at once, as in a power failure: it must recover at the next start."""
        self.end(signal.SIGQUIT)  # its "immediate" shutdown; SIGKILL would leave processes behind

    def new_database(self) -> str:
        """The address of an empty database."""
        self._databases += 1
        name = f"theriac{self._databases}"
        self.run(self._address("postgres"), f"CREATE DATABASE {name}")
        return self._address(name)

    def _address(self, name: str) -> str:
        return f"postgresql://theriac@/{name}?host={self.folder}"

    def run(self, database: str, statement: str) -> None:
        """Run SQL in a database, by its address."""
        psql = str(Path(find_program("postgres")).resolve().with_name("psql"))
        _run([psql, "-qc", statement, database])


class Redis(Service):
    """A Redis without persistence."""

    @property
    def url(self) -> str:
        """Its address, for `--channels`."""
        return f"unix://{self.folder}/redis.sock"

    def command(self) -> list[str]:
        """The command line, with a socket in its folder."""
        socket = ["--port", "0", "--unixsocket", f"{self.folder}/redis.sock"]
        return [find_program("redis-server"), *socket, "--save", "", "--appendonly", "no"]

    def ready(self) -> bool:
        """Does it respond?"""
        import redis

        with contextlib.closing(redis.Redis.from_url(self.url)) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def crash(self) -> None:
        """Stop at once."""
        self.end(signal.SIGKILL)


@contextlib.contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """PostgreSQL in a temporary folder, deleted afterwards."""
    with temporary_folder() as folder:
        service = PostgreSQL(folder)
        service.create()
        service.start()
        try:
            yield service
        finally:
            service.crash()  # its files are about to be deleted


@contextlib.contextmanager
def redis_server() -> Iterator[Redis]:
    """Redis in a temporary folder, deleted afterwards."""
    with temporary_folder() as folder:
        service = Redis(folder)
        service.start()
        try:
            yield service
        finally:
            service.crash()


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A temporary folder with a short path: that of a Unix socket has at most 107 characters."""
    folder = Path(tempfile.mkdtemp(prefix="theriac-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
