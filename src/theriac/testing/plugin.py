"""A plugin of pytest: the option `--game`, and the markers of the tests of games.

An installed Theriac brings it to every run of pytest, so it imports nothing and changes nothing.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--game`."""
    parser.getgroup("theriac").addoption(
        "--game",
        action="append",
        default=[],
        metavar="NAME",
        help="in theriac.testing, test this game only (more than one: repeat it)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    for marker in (
        "clause(*ids): the clauses of the rules that this test fails without",
        "only(condition): in theriac.testing, the values that this test is for",
    ):
        config.addinivalue_line("markers", marker)
