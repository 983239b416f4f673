"""One server for all tests of a process that do not stop it or need it otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.club import Club, servers, visits


@pytest.fixture(autouse=True)
def _everybody_leaves() -> Iterator[None]:
    """What a test has open towards a server is closed after it."""
    yield
    visits.close()
    servers.close()


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A server on a free port with a store of its own; it must end well after all that."""
    running = Club(tmp_path_factory.mktemp("club"))
    servers.pop_all()  # it lasts longer than a test
    yield running
    assert running.stop() == 0
    assert running.complaints() == []
