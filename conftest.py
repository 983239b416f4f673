"""What all tests share: their order, and how long Hypothesis looks."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

from theriac.testing.profiles import load_profile

pytest_plugins = ["theriac.testing.plugin"]

#: Alembic runs the first, and nobody else can. The others become games first: tests/new_game.
collect_ignore_glob = [
    "src/theriac/server/store/migrations/*",
    "src/theriac/new_game/templates/*",
]

load_profile()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for garbage neither while tests are collected nor, later, among them: ten thousand
    tests and their modules stay to the end, and each search among them takes long.
    """
    gc.disable()
    try:
        collected = yield
        gc.collect()
        gc.freeze()
    finally:
        gc.enable()
    return collected


# Under nohup and in a background job SIGINT is ignored, and the programs that tests start would
# inherit that: those that a test interrupts would run on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples only where there are some: every process would import all modules."""
    collectors = yield
    if file_path.suffix == ".py" and b">>> " not in file_path.read_bytes():
        return [each for each in collectors if not isinstance(each, DoctestModule)]
    return collectors


#: Where the longest tests are. They come first: at the end no process waits for one of another's.
#: Those of the page stay together, and share a browser.
_LONG = tuple(
    f"tests/{name}"
    for name in (
        "page/",
        "package/test_installed.py",
        "test_site.py",
        "test_ptx.py",
        "new_game/test_templates.py",
        "test_envelopes.py",
        "test_smallest.py",
        "test_documents.py",
        "arena/test_cluster.py",
        "faults/",
    )
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long ones first, all others in their order."""
    items.sort(key=lambda item: not item.nodeid.startswith(_LONG))


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
