"""PostgreSQL and Redis for the tests, and how long they try to break things."""

from __future__ import annotations

import os
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


@pytest.fixture(scope="session")
def long() -> bool:
    """Is it the long form, `make faults`?"""
    return os.environ.get("THERIAC_FAULTS") == "long"
