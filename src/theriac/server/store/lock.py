"""One server per SQLite file: a lock that the kernel releases when the process ends.

A server keeps its tables in memory, and nothing tells it what another one has written to the same
file. Servers on PostgreSQL keep in step, so they need no lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import URL

from theriac.faults import Fault, quote
from theriac.server.store.database import is_sqlite


class StoreInUse(Fault):
    """Another process has the store."""


def lock_file(url: URL) -> Path | None:
    """The file that a server on this store locks; None for PostgreSQL.

    It is another file than the store: to close a file that SQLite has open would drop SQLite's own
    locks.
    """
    if not is_sqlite(url) or not url.database:
        return None
    return Path(os.path.realpath(url.database) + ".lock")


@contextlib.contextmanager
def locked(url: URL, *, create: bool = True) -> Iterator[None]:
    """Hold the lock of a store; raises `StoreInUse` if another process holds it.

    Without `create`, a store that no server has used yet is not touched.
    """
    path = lock_file(url)
    if path is None or not (create or path.exists()):
        yield
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Python's files are closed in child processes: a bot does not inherit the lock.
        opened = path.open("a+", encoding="ascii")
    except OSError as error:
        raise Fault(f"--database: it cannot be used ({error.strerror})") from None
    with opened as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise StoreInUse(_in_use(path, file.read().strip())) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        # The file stays: another process may have opened it already, and must lock the same one.
        yield


def _in_use(path: Path, process: str) -> str:
    which = f" (process {quote(process)})" if process else ""
    store = quote(str(path).removesuffix(".lock"), 200)
    return (
        f"--database: another Theriac{which} uses {store}: stop it first, or give another file; "
        "several servers can share a PostgreSQL"
    )
