"""What a game's package says by names alone: its rules, its shape, the size of its observation."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Container, Iterator
from types import ModuleType
from typing import Any

from theriac.engine import contract
from theriac.engine.rule import is_rule, is_slot
from theriac.engine.shape import Shape
from theriac.faults import Fault

#: A module without this text has no rules, and is not imported to look for them.
_MARK = "@rule"


def rules_in(package: str, given: Container[str] = ()) -> dict[str, Callable[..., Any]]:
    """The rules in the modules of a package that have the name of a slot of the contract.

    Raises `Fault` where two modules have different ones, unless the name is among those `given`.
    """
    found: dict[str, Callable[..., Any]] = {}
    places: dict[str, str] = {}
    for module in _modules_with_rules(package):
        file = f"{module.__name__.removeprefix(package).removeprefix('.') or '__init__'}.py"
        for name, value in vars(module).items():
            if name in given or name not in contract.SLOTS or not is_rule(value) or is_slot(value):
                continue
            if found.setdefault(name, value) is not value:
                raise Fault(
                    f"{package}: {places[name]} and {file} both have a rule {name}: rename one, "
                    f"or name the one that counts in Game(rules=...)"
                )
            places.setdefault(name, file)
    return found


def _modules_with_rules(package: str) -> Iterator[ModuleType]:
    """The package itself and its modules that have rules; none if there is no such package."""
    try:
        home = importlib.import_module(package)
    except ImportError:
        return
    yield home
    for entry in pkgutil.iter_modules(getattr(home, "__path__", [])):
        name = f"{package}.{entry.name}"
        if not entry.ispkg and _has_rules(name):
            yield importlib.import_module(name)


def _has_rules(module: str) -> bool:
    """Does the source of a module mention rules? Yes, if it cannot be read."""
    spec = importlib.util.find_spec(module)
    get_source = getattr(spec.loader if spec else None, "get_source", None)
    source = get_source(module) if get_source else None
    return source is None or _MARK in source


def shape_in(package: str) -> Shape:
    """The `SHAPE` of a package's `state.py`; raises `Fault`."""
    name = f"{package}.state"
    shape = None
    if importlib.util.find_spec(name) is not None:
        shape = getattr(importlib.import_module(name), "SHAPE", None)
    if not isinstance(shape, Shape):
        raise Fault(f"{package}: state.py has no SHAPE: end it with SHAPE: Final = Shape(...)")
    return shape


def features_of(encode: Callable[..., Any]) -> int:
    """How many features a game's own `encode` writes: `FEATURES` in its module; 0 without one."""
    features = vars(importlib.import_module(encode.__module__)).get("FEATURES", 0)
    return int(features)
