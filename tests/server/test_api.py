"""The HTTP interface is as it says it is: Schemathesis tries it from its own description."""

from __future__ import annotations

import re
from typing import Any

import pytest
import schemathesis
from hypothesis import given, settings
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.club import Club, visits
from tests.server.line import seated
from tests.server.test_adventure import QUICK, play_fort
from theriac.server.http.routes import ROUTES

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
#: Every method of every path.
OPERATIONS = sorted(
    (re.sub(r":\w+}", "}", path), str(method))
    for route in ROUTES
    for path in route.paths
    for method in route.http_methods
)

#: Each is tried with what it asks for, and where something can be wrong, with something wrong.
TRIED = [(*operation, "POSITIVE") for operation in OPERATIONS] + [
    (path, method, "NEGATIVE")
    for path, method in OPERATIONS
    if method != "GET" or "{number}" in path or path.endswith(("/rules", "/tables/{name}"))
]


@pytest.fixture(scope="module")
def description(club: Club) -> Any:
    """The interface as the server describes it."""
    return schemathesis.openapi.from_url(f"{club.web.base_url}/api/openapi.json")


@pytest.fixture(scope="module")
def finished(club: Club) -> str:
    """A table where a game is over."""
    ana = club.person()
    table = ana.open("dungeon", [None], options={"minutes": 0, "deck": QUICK}, listed=True)
    (line,) = seated(table, ana)
    play_fort(line, win=True)
    return table


def test_all_of_it_is_described(description: Any) -> None:
    described = [operation.ok() for operation in description.get_all_operations()]
    assert sorted((op.path, op.method.upper()) for op in described) == OPERATIONS


@pytest.mark.parametrize(("path", "method", "mode"), TRIED, ids=[" ".join(t) for t in TRIED])
def test_every_path_answers_as_described(
    club: Club, description: Any, finished: str, path: str, method: str, mode: str
) -> None:
    """Whatever is sent, known names mixed in, nothing fails and every answer fits."""
    operation = description[path][method]
    kind = schemathesis.GenerationMode[mode]
    known = {"name": finished, "game": "poison", "number": 1}
    tried = 0

    @settings(max_examples=12)
    @given(case=operation.as_strategy(generation_mode=kind))
    def call(case: Any) -> None:
        nonlocal tried
        tried += 1
        if tried % 2 and case.path_parameters:
            case.path_parameters = {name: known[name] for name in case.path_parameters}
        if case.query and "wait" in case.query and mode == "POSITIVE":
            case.query["wait"] = 0
        headers = {"X-Forwarded-For": "10.255.0.1"}
        if tried % 3:
            person = club.person()
            headers = dict(person.web.headers)
        response = case.call(base_url=str(club.web.base_url), headers=headers)
        case.validate_response(response, checks=CHECKS)
        visits.close()

    call()
