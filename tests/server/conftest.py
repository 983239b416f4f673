"""One server for the tests of a process that need no special one and do not stop it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.server_process import ServerProcess, open_clients, started_servers


@pytest.fixture(autouse=True)
def _close_clients_and_servers() -> Iterator[None]:
    """After each test, close its clients and kill the servers that it started."""
    yield
    open_clients.close()
    started_servers.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server on a free port with its own store; at the end it must exit cleanly."""
    few = ("--limit", "review_playouts=1000")  # reviews need not be exact here
    running = ServerProcess(tmp_path_factory.mktemp("server"), *few, compiled=True)
    started_servers.pop_all()  # it outlives this test
    yield running
    assert running.stop() == 0
    assert running.unexpected_log_lines() == []
