"""Two servers on one SQLite file: the second refuses to start, and a killed one leaves no lock."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.command import process
from tests.server.server_process import ServerProcess
from theriac.server.store.database import database_url
from theriac.server.store.lock import StoreInUse, lock_file, locked


def test_a_second_server_on_the_same_file_is_refused_and_a_killed_one_leaves_no_lock(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path / "first")
    link = tmp_path / "link.sqlite"
    link.symlink_to(server.database)
    for name in (server.database, link):
        second = process(tmp_path, "serve", "--port", "0", "--database", str(name))
        assert second.status == 2 and second.out == ""
        assert f"another Theriac (process {server.process.pid}) uses" in second.err
        assert "stop it first" in second.err
    server.stop(signal.SIGKILL)
    server.start()  # at once, although the killed one could not clean up
    assert server.http.get("/healthz").status_code == 200
    assert server.stop() == 0


def test_the_lock_is_free_again_after_use(tmp_path: Path) -> None:
    url = database_url(str(tmp_path / "deep" / "t.sqlite"))
    with locked(url):
        with pytest.raises(StoreInUse), locked(url):
            pass
        assert lock_file(url) == tmp_path / "deep" / "t.sqlite.lock"
    with locked(url):
        pass


def test_postgresql_has_no_lock() -> None:
    url = database_url("postgresql://u@h/x")
    assert lock_file(url) is None
    with locked(url), locked(url):
        pass
