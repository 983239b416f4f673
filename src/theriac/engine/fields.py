"""The fields that rules name: are they in the records that they are given?

Interpreted, a field that a record lacks is noticed when the line is run; compiled, Numba complains
at length. Here the records are followed through the rules, from the parameters of the contract
(`g` of `play` is a STATE, `v` of `advise` a VIEW) to every rule that passes them on.
"""

from __future__ import annotations

import ast
import difflib
import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from theriac.engine import contract
from theriac.engine.dialect import BadRule, bad_rule, find_source
from theriac.engine.rule import is_rule, is_slot
from theriac.engine.shape import Shape

#: What the contract calls the records, and what games call them.
_RECORDS: Final = {"State": "STATE", "View": "VIEW", "Options": "OPTIONS"}
#: Attributes of NumPy's own records: a field with such a name could not be read as `g.name`.
_TAKEN: Final = frozenset(dir(np.recarray)) | frozenset(dir(np.record))

Kinds = tuple[str | None, ...]


class _Call(NamedTuple):
    """A rule, and which record each of its parameters is; None for one that is not a record."""

    function: Any
    kinds: Kinds


class _Facts(NamedTuple):
    """What a rule does with its parameters."""

    parameters: list[str]
    #: Names that it assigns to.
    assigned: set[str]
    #: Each `g.field`: the name, the field and the line.
    fields: list[tuple[str, str, int]]
    #: Each call: the name of the function, and the names among its arguments, "" for others.
    calls: list[tuple[str, list[str]]]


def check_fields(rules: Mapping[str, Callable[..., Any]], shape: Shape) -> None:
    """Check every field that the rules of a game name; raises `BadRule`."""
    for bad in field_violations(rules, shape):
        raise bad


def field_violations(rules: Mapping[str, Callable[..., Any]], shape: Shape) -> Iterator[BadRule]:
    """Every field that a rule of a game names and its record lacks."""
    layouts = {"STATE": shape.state, "VIEW": shape.view, "OPTIONS": shape.options}
    known = {kind: frozenset(layout.names or ()) for kind, layout in layouts.items()}
    waiting = [_Call(rule, _kinds_of(name)) for name, rule in rules.items()]
    seen = set(waiting)
    while waiting:
        call = waiting.pop()
        facts = _facts(call.function)
        records = _records_in(facts, call.kinds)
        for name, field, line in facts.fields:
            kind = records.get(name)
            if kind and field not in known[kind]:
                yield bad_rule(call.function, line, _missing(field, kind, layouts))
        fresh = {*_calls(facts, records, call.function.__globals__)} - seen
        waiting += fresh
        seen |= fresh


def taken_names(layout: np.dtype[Any]) -> list[str]:
    """The fields of a record that have the name of a method of NumPy's records."""
    return [name for name in layout.names or () if name in _TAKEN]


def _kinds_of(slot: str) -> Kinds:
    """The records that the contract gives to a rule, parameter by parameter."""
    annotations = dict(vars(contract)[slot].__annotations__)
    annotations.pop("return", None)
    return tuple(_RECORDS.get(annotation) for annotation in annotations.values())


@functools.cache
def _facts(function: Any) -> _Facts:
    """What a rule does with its parameters; nothing, if it has no source."""
    source = find_source(function)
    facts = _Facts([], set(), [], [])
    for node in ast.walk(source) if source else ():
        if isinstance(node, ast.arg):
            facts.parameters.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            facts.assigned.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            facts.fields.append((node.value.id, node.attr, node.lineno))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            arguments = [part.id if isinstance(part, ast.Name) else "" for part in node.args]
            facts.calls.append((node.func.id, arguments))
    return facts


def _records_in(facts: _Facts, kinds: Kinds) -> dict[str, str]:
    """The parameters that are records all through a rule: it assigns nothing else to the name."""
    pairs = zip(facts.parameters, kinds, strict=False)
    return {name: kind for name, kind in pairs if kind and name not in facts.assigned}


def _calls(facts: _Facts, records: Mapping[str, str], names: Mapping[str, Any]) -> Iterator[_Call]:
    """Every rule that gets a record from this one."""
    for name, arguments in facts.calls:
        kinds = tuple(records.get(argument) for argument in arguments)
        called = names.get(name)
        if any(kinds) and is_rule(called) and not is_slot(called):
            yield _Call(called, kinds)


def _missing(field: str, kind: str, layouts: Mapping[str, np.dtype[Any]]) -> str:
    """The error text for a field that a record lacks."""
    known = layouts[kind].names or ()
    near = difflib.get_close_matches(field, known, n=1)
    others = [name for name, layout in layouts.items() if field in (layout.names or ())]
    there = f" (there is one in {' and '.join(others)})" if others else ""
    hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
    return f"{kind} has no field {field}{there}: {hint}"
