"""PostgreSQL and Redis for the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.services import PostgreSQL, Redis, postgresql, redis_server


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
