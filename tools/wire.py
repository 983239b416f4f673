"""Write the schema of every socket message, and the page's types, from the server's classes.

`make wire` runs this. It writes

- `docs/wire.schema.json`: JSON Schema of every message of a socket, for authors of clients;
- `web/src/wire.ts`: these messages and the bodies of HTTP requests as TypeScript types.
"""

from __future__ import annotations

import json
import re
import textwrap
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from theriac.review import results
from theriac.server.http import bodies
from theriac.server.store import events
from theriac.server.tables import messages, redacted

ROOT = Path(__file__).parent.parent
SCHEMA_FILE = ROOT / "docs" / "wire.schema.json"
TYPES_FILE = ROOT / "web" / "src" / "wire.ts"

Schema = dict[str, Any]

_REF = "#/$defs/"
#: The names of the wire's modules. Clients get redacted events, not the stored ones they replace.
_NAMES = {
    **vars(events),
    **vars(redacted),
    **vars(messages),
    **vars(results),
    **vars(bodies),
}
#: The types of HTTP bodies: all that `bodies` defines.
_HTTP = [
    each for each in vars(bodies).values() if getattr(each, "__module__", "") == bodies.__name__
]


# The schema


def socket_schema() -> Schema:
    """JSON Schema of every message of a socket."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Theriac: the messages of a table's socket",
        "description": "docs/wire.md describes them. Written by `make wire`: do not edit.",
        "anyOf": [{"$ref": _REF + "ClientMessage"}, {"$ref": _REF + "ServerMessage"}],
        "$defs": definitions([]),
    }


def definitions(more: Sequence[Any]) -> dict[str, Schema]:
    """The schemas of the socket's messages, and of more types, by name."""
    client = typing.get_args(messages.AnyRequest)
    server = typing.get_args(messages.ServerMessage)
    refs, components = msgspec.json.schema_components(
        [*client, *server, *more], ref_template=_REF + "{name}"
    )
    for name, schema in components.items():
        del schema["title"]  # the name already says it
        schema["description"] = " ".join(schema["description"].split())
        if issubclass(_NAMES[name], msgspec.Struct):
            _require_sent_keys(_NAMES[name], schema)
        else:  # msgspec sorts the keys of a TypedDict
            keys = _NAMES[name].__annotations__
            schema["properties"] = {key: schema["properties"][key] for key in keys}
    named: dict[str, Schema] = {}
    hoisted = {name: _hoist(schema, named) for name, schema in components.items()}
    return {
        "ClientMessage": {"anyOf": list(refs[: len(client)])},
        "ServerMessage": {"anyOf": list(refs[len(client) : len(client) + len(server)])},
        **dict(sorted({**hoisted, **named}.items())),
    }


def _require_sent_keys(struct: type[msgspec.Struct], schema: Schema) -> None:
    """Say which keys the server always sends. Structs that the server reads stay as they are."""
    config = struct.__struct_config__
    if config.forbid_unknown_fields:
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(struct)}
    for key, field in fields.items():
        optional = schema["properties"][key]
        optional.pop("default", None)
        if config.omit_defaults:
            if field.default is None:  # left out, so null is never sent
                schema["properties"][key] = _without_null(optional)
        elif field.default is not msgspec.UNSET and key not in schema["required"]:
            schema["required"].append(key)


def _without_null(schema: Schema) -> Schema:
    kept = [option for option in schema["anyOf"] if option != {"type": "null"}]
    others = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**others, **(kept[0] if len(kept) == 1 else {"anyOf": kept})}


def _hoist(schema: Any, named: dict[str, Schema]) -> Any:
    """Move every schema with a title to `named`, and refer to it."""
    if isinstance(schema, list):
        return [_hoist(item, named) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "properties" in schema:
        fields = {key: _hoist(value, named) for key, value in schema["properties"].items()}
        return {**schema, "properties": fields}
    inner = {key: _hoist(value, named) for key, value in schema.items() if key != "title"}
    name = schema.get("title")
    if name is None:
        return inner
    default = {"default": inner.pop("default")} if "default" in inner else {}
    if "enum" in inner:
        inner["enum"] = _in_order(name, inner["enum"])
    if named.setdefault(name, inner) != inner:
        raise ValueError(f"two types have the title {name}: give each its own")
    return {"$ref": _REF + name, **default}


def _in_order(name: str, values: list[str]) -> list[str]:
    """The values of a `Literal` in the order of its definition: msgspec sorts them."""
    literal = typing.get_args(_NAMES[name])[0]
    return list(typing.get_args(literal)) or values


# The types


def page_types() -> str:
    """`wire.ts`: the types of everything that the page sends and gets."""
    found = definitions(_HTTP)
    return "\n".join([_HEAD, *(_declare(name, schema) for name, schema in found.items())])


_HEAD = """/** What the server sends and takes. Written by `make wire`: do not edit. */

/** Anything JSON can hold. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
"""


def _declare(name: str, schema: Schema) -> str:
    comment = _comment(schema.get("description", ""))
    if "enum" in schema:
        constant = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper() + "S"
        values = ", ".join(json.dumps(value) for value in schema["enum"])
        return (
            f"{comment}export const {constant} = [{values}] as const;\n"
            f"export type {name} = (typeof {constant})[number];\n"
        )
    if "properties" not in schema:
        lines = textwrap.wrap(f"export type {name} = {_type(schema)};", 96, subsequent_indent="  ")
        return comment + "\n".join(lines) + "\n"
    return f"{comment}export interface {name} {{\n{''.join(_fields(schema))}}}\n"


def _fields(schema: Schema) -> Iterator[str]:
    required = schema.get("required", [])
    for key, value in schema["properties"].items():
        yield _comment(value.get("description", ""), "  ")
        yield f"  {key}{'' if key in required else '?'}: {_type(value)};\n"


def _comment(text: str, indent: str = "") -> str:
    if not text:
        return ""
    lines = textwrap.wrap(text, 96, initial_indent="/** ", subsequent_indent=" * ")
    return textwrap.indent("\n".join(lines) + " */\n", indent)


def _type(schema: Schema) -> str:
    """A schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_REF)
    if "anyOf" in schema:
        return " | ".join(_type(option) for option in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    match schema.get("type"):
        case "array":
            item = _type(schema["items"]) if "items" in schema else "Value"
            return f"({item})[]" if "|" in item else f"{item}[]"
        case "object":
            return f"Record<string, {_type(schema.get('additionalProperties') or {})}>"
        case "integer" | "number":
            return "number"
        case None:
            return "Value"
        case plain:
            return str(plain)


def outputs() -> dict[Path, str]:
    """What each generated file should hold."""
    return {
        SCHEMA_FILE: json.dumps(socket_schema(), indent=2, ensure_ascii=False) + "\n",
        TYPES_FILE: page_types(),
    }


if __name__ == "__main__":
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
