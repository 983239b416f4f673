"""The HTTP interface behaves as its OpenAPI schema says: Schemathesis generates the requests."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings

from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess, open_clients
from tests.server.socket_client import seat_players
from tests.server.test_adventure import QUICK, play_fort
from theriac.server.http.routes import ROUTES
from theriac.testing.profiles import often

#: Every method of every path.
OPERATIONS = sorted(
    (re.sub(r":\w+}", "}", path), str(method))
    for route in ROUTES
    if route.include_in_schema is not False
    for path in route.paths
    for method in route.http_methods
)

#: Operations without a body.
NO_BODY = (("/api/me", "DELETE"), ("/api/me/key", "POST"))
#: Each operation gets valid requests and, where a part can be invalid, invalid ones.
OPERATIONS_AND_MODES = [(*operation, "POSITIVE") for operation in OPERATIONS] + [
    (path, method, "NEGATIVE")
    for path, method in OPERATIONS
    if (method != "GET" and (path, method) not in NO_BODY)
    or "{number}" in path
    or path.endswith(("/rules", "/tables/{name}"))
]


@pytest.fixture(scope="module")
def schema(server: ServerProcess) -> Any:
    """The OpenAPI schema that the server publishes."""
    import schemathesis  # slowly: only where these tests run

    return schemathesis.openapi.from_url(f"{server.http.base_url}/api/openapi.json")


@pytest.fixture(scope="module")
def finished(server: ServerProcess) -> str:
    """A table whose game is over."""
    ana = server.new_player()
    table = ana.open("dungeon", [None], options={"minutes": 0, "deck": QUICK}, listed=True)
    (client,) = seat_players(table, ana)
    play_fort(client, win=True)
    return table


def test_the_schema_describes_every_operation(schema: Any) -> None:
    described = [operation.ok() for operation in schema.get_all_operations()]
    assert sorted((op.path, op.method.upper()) for op in described) == OPERATIONS


@pytest.mark.parametrize(
    ("path", "method", "mode"),
    OPERATIONS_AND_MODES,
    ids=[" ".join(t) for t in OPERATIONS_AND_MODES],
)
def test_every_operation_answers_as_its_schema_says(
    server: ServerProcess, schema: Any, finished: str, path: str, method: str, mode: str
) -> None:
    """Random requests, half of them with names that exist: no failure, and every response fits."""
    from schemathesis import GenerationMode, checks

    conforms = [
        checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    operation = schema[path][method]
    kind = GenerationMode[mode]
    known = {"name": finished, "game": "poison", "number": 1}
    tried = 0

    @settings(max_examples=often(6, 200))
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
            player = server.new_player()
            headers = dict(player.http.headers)
        response = case.call(
            base_url=str(server.http.base_url), headers=headers, timeout=RESPONSE_TIMEOUT_S
        )
        case.validate_response(response, checks=conforms)
        open_clients.close()

    call()
