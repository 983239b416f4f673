"""One browser and one server for all tests of the page."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.page.browser import Visitor, launch
from tests.page.profiles import Profiles
from tests.server.server_process import ServerProcess, started_servers
from theriac.server.http.page import FOLDER, INDEX

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session", autouse=True)
def _page_is_built() -> None:
    assert (FOLDER / INDEX).is_file(), "the page has not been built: make page"


@pytest.fixture(autouse=True)
def _no_server_is_left() -> Iterator[None]:
    yield
    started_servers.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with its own store; at the end it must exit cleanly.

    A test may stop it and start it again: it keeps its port.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    # Reviews need not be exact here, and a test that plays without the page plays fast.
    limits = ("review_playouts=5000", "player_rate=40", "player_burst=160")
    given = [part for limit in limits for part in ("--limit", limit)]
    running = ServerProcess(folder, "--port", str(port), *given, compiled=True)
    started_servers.pop_all()  # it outlives this test
    yield running
    assert running.stop() == 0
    assert running.unexpected_log_lines() == []


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, until a test of something else follows: while Playwright runs, no other event loop
    can run in this process.
    """
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def profiles(browser: Browser) -> Profiles:
    """Profiles that visitors use one after the other."""
    return Profiles(browser)


@pytest.fixture
def visit(browser: Browser, profiles: Profiles, server: ServerProcess) -> Iterator[Visit]:
    """Makes visitors, of this server or another; no page may have logged an error.

    One who has never been here, or whose clock the test sets, is `new`: their profile is thrown
    away.
    """
    visitors: list[Visitor] = []
    left = contextlib.ExitStack()

    def make(
        size: str = "desktop",
        address: str = f"http://{server.host}",
        *,
        new: bool = False,
        **more: Any,
    ) -> Visitor:
        visitor = Visitor(browser if new else profiles, address, size, **more)
        if new:
            left.callback(visitor.context.close)
        else:
            left.callback(profiles.take_back, visitor.context)
        visitors.append(visitor)
        return visitor

    with left:
        yield make
    assert [error for visitor in visitors for error in visitor.console_errors] == []
