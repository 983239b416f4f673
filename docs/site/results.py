"""How it was measured: the results of `bench/`, each with what its benchmark says of itself."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from docs.site.markdown import table

_HEAD = """\
# How it was measured

Every table below is generated from a file in `bench/results/`, which the benchmark named above it
wrote. `make bench` measures most of them again on your machine.
"""


def pages(bench: Path) -> dict[str, str]:
    """The page of all measurements."""
    parts = [_HEAD]
    for path in sorted((bench / "results").glob("*.json")):
        if not path.stem.endswith("-quick"):
            parts += section(path, bench / f"{path.stem}.py")
    return {"measurements.md": "\n\n".join(parts) + "\n"}


def section(path: Path, benchmark: Path) -> Iterator[str]:
    """One benchmark: what it does, on which machine, and what it found."""
    results = json.loads(path.read_text("utf-8"))
    title, _, said = (ast.get_docstring(ast.parse(benchmark.read_text("utf-8"))) or "").partition(
        "\n"
    )
    yield f"## {path.stem}: {title.rstrip('.')}"
    yield said.strip()
    machine = results.pop("machine")
    versions = ", ".join(f"{name} {value}" for name, value in machine.items() if value is not None)
    yield f"Measured on {results.pop('date')}: {versions}."
    yield from tables(results)


def tables(results: Mapping[str, Any]) -> Iterator[str]:
    """Single numbers in one table, then one table for each list or group."""
    single = {name: value for name, value in results.items() if not isinstance(value, (dict, list))}
    if single:
        yield table(list(single), [[number(value) for value in single.values()]])
    for name, value in results.items():
        rows = list(records(value))
        if rows and name not in single:
            head = list(dict.fromkeys(key for row in rows for key in row if is_cell(row[key])))
            yield f"**{name.replace('_', ' ')}**"
            yield table(
                [key.replace("_", " ") for key in head],
                [[number(row.get(key, "")) for key in head] for row in rows],
            )


def is_cell(value: Any) -> bool:
    """Does a value fit into a cell? A list of records does not."""
    return not (isinstance(value, list) and value and isinstance(value[0], dict))


def records(value: Any) -> Iterator[dict[str, Any]]:
    """The rows of a table: a list of objects, or objects by name."""
    if isinstance(value, list):
        yield from (flat(row) for row in value if isinstance(row, Mapping))
    elif isinstance(value, Mapping):
        for name, row in value.items():
            if isinstance(row, Mapping):
                yield {"": name, **flat(row)}
            else:
                yield {"": name, "value": row}


def flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """A row whose nested objects have become columns."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{before}{name} ")
        else:
            found[before + name] = value
    return found


def number(value: Any) -> str:
    """A value as text, large numbers with commas."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(number, value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)
