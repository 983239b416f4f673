"""What all tests share: their order, the marker of clauses, and how long Hypothesis looks."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

#: Alembic runs them, and nobody else can.
collect_ignore_glob = ["src/theriac/server/store/migrations/*"]

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

# "ci" tries the same few examples every time; "long" looks for new ones and makes them simpler.
settings.register_profile(
    "ci",
    max_examples=5,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=_SLOW,
)
settings.register_profile("long", max_examples=200, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


#: Where the longest tests are. They come first: at the end no process waits for one of another's.
_LONG = tuple(
    f"tests/{name}.py"
    for name in (
        "page/test_boards",
        "page/test_whole_games",
        "page/test_living_room",
        "page/test_tutorials",
        "arena/test_cluster",
        "faults/test_processes",
    )
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long ones first, all others in their order."""
    items.sort(key=lambda item: not item.nodeid.startswith(_LONG))


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker that ties a test to the clauses it holds."""
    config.addinivalue_line(
        "markers", "clause(*ids): the clauses of the rules that this test fails without"
    )


@pytest.fixture(autouse=True)
def _same_speed_after() -> Iterator[None]:
    """A test that leaves THERIAC_JIT behind makes all that come after it a hundred times slower."""
    before = os.environ.get("THERIAC_JIT")
    yield
    after = os.environ.get("THERIAC_JIT")
    if before is None:
        os.environ.pop("THERIAC_JIT", None)
    else:
        os.environ["THERIAC_JIT"] = before
    assert after == before, "the test leaves THERIAC_JIT behind"
