"""PostgreSQL and Redis for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.services import PostgreSQL, Redis, postgresql, redis_server, temporary_folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgreSQL]:
    """A PostgreSQL that is there for these tests only."""
    with postgresql() as service:
        yield service


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A Redis that is there for these tests only."""
    with redis_server() as service:
        yield service


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder where a Unix socket can be: pytest's own have too long paths."""
    with temporary_folder() as folder:
        yield folder
