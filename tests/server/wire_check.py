"""Checks socket messages against the published schema, more strictly than the schema itself.

The schema lets the server add keys later. Here a key that it does not name is an error, so that a
renamed optional key does not go unnoticed.
"""

from __future__ import annotations

import copy
import functools
import json
from pathlib import Path
from typing import Any

import jsonschema_rs

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "wire.schema.json").read_text(encoding="utf-8")
)


@functools.cache
def _validator(definition: str) -> jsonschema_rs.Draft202012Validator:
    strict = copy.deepcopy(SCHEMA)
    del strict["anyOf"]
    for schema in strict["$defs"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return jsonschema_rs.Draft202012Validator({**strict, "$ref": f"#/$defs/{definition}"})


def check_client_message(message: Any) -> None:
    """Raise if no client may send this."""
    _validator("ClientMessage").validate(message)


def check_server_message(message: Any) -> None:
    """Raise if the server may not send this."""
    _validator("ServerMessage").validate(message)
