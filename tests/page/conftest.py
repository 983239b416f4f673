"""One browser and one server for all tests of the page."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.page.browser import Visitor, launch, new_context
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
    few = ("--limit", "review_playouts=5000")  # reviews need not be exact here
    running = ServerProcess(folder, "--port", str(port), *few, compiled=True)
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


#: Contexts that nobody visits with now, by what they were made with.
Spare = dict[str, list[BrowserContext]]


@pytest.fixture(scope="package")
def spare(browser: Browser) -> Spare:
    """Contexts that have all files of the page, and nothing else of earlier visitors."""
    return {}


@pytest.fixture
def visit(browser: Browser, server: ServerProcess, spare: Spare) -> Iterator[Visit]:
    """Makes visitors, of this server or another; no page may have logged an error.

    Unless it is their first visit, they have the page's files from earlier: to load and compile
    them takes a third of the time of opening a table.
    """
    visitors: list[tuple[Visitor, list[BrowserContext]]] = []

    def make(
        size: str = "desktop",
        address: str = f"http://{server.host}",
        first_visit: bool = False,
        **more: Any,
    ) -> Visitor:
        alike = spare.setdefault(repr((size, address, sorted(more.items()))), [])
        known = alike.pop() if alike and not first_visit else None
        visitor = Visitor(known or new_context(browser, address, size, **more), size)
        visitors.append((visitor, alike))
        return visitor

    yield make
    errors = [error for visitor, _ in visitors for error in visitor.console_errors]
    for visitor, alike in visitors:
        if visitor.has_changed_context:
            visitor.context.close()
        else:
            visitor.leave()
            alike.append(visitor.context)
    assert errors == []
