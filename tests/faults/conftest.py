"""PostgreSQL and Redis for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.services import PostgreSQL, Redis, postgresql, redis_server, temporary_folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    """A PostgreSQL for these tests only."""
    with postgresql() as service:
        yield service


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A Redis for these tests only."""
    with redis_server() as service:
        yield service


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder for a Unix socket: the paths of pytest's own folders are too long."""
    with temporary_folder() as folder:
        yield folder
