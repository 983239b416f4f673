"""`@rule`: one source, three speeds.

A rule is a plain Python function. Marking it with `@rule` changes nothing about it: called as it
is, it runs interpreted, can be stepped through and counts for coverage. `Workshop` rebuilds a
rule, and every rule it calls, for one speed:

- ``plain``: interpreted;
- ``cpu``: compiled by Numba;
- ``cuda``: compiled as CUDA device code.

Loops are written once against the names of `contract`; the workshop puts a game's own functions
in their place. Both kinds of rebuilding are the same step: a function is made anew from the same
code object, with other things behind its global names. Numba's cache works for such functions
(unlike for closures, whose compiled callees change its key on every start).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any, Literal, TypeVar

Speed = Literal["plain", "cpu", "cuda"]
Rule = TypeVar("Rule", bound=Callable[..., Any])

_MARK = "__theriac_rule__"


def rule(function: Rule) -> Rule:
    """Mark a function as a rule: written in the dialect that all three speeds understand."""
    setattr(function, _MARK, True)
    return function


def is_rule(value: object) -> bool:
    """Tell whether a value is a function marked with `@rule`."""
    return isinstance(value, FunctionType) and hasattr(value, _MARK)


def default_speed() -> Speed:
    """``plain`` when THERIAC_JIT=0 is set in the environment, else ``cpu``."""
    return "plain" if os.environ.get("THERIAC_JIT") == "0" else "cpu"


class Workshop:
    """Rebuilds rules so that they call each other at one speed.

    `stand_ins` are the values that take the place of equally named globals in functions of the
    engine's loops; `finish` turns a rebuilt Python function into what callers get; `instead` are
    rules that take the place of others wherever those are called.
    """

    def __init__(
        self,
        stand_ins: Mapping[str, Any],
        finish: Callable[[FunctionType], Any] = lambda f: f,
        instead: Mapping[Any, Any] | None = None,
    ) -> None:
        self._stand_ins = stand_ins
        self._finish = finish
        self._instead = instead or {}
        self._built: dict[FunctionType, Any] = {}

    def build(self, function: Any) -> Any:
        """The function at this workshop's speed, built once."""
        if function not in self._built:
            source = self._instead.get(function, function)
            self._built[function] = self._finish(self.rewire(source))
        return self._built[function]

    def rewire(self, function: Any) -> FunctionType:
        """A copy of the function whose global names lead to rebuilt rules."""
        names = dict(function.__globals__)
        for name, value in self._globals(function):
            names[name] = self.build(value) if is_rule(value) else value
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        copy.__qualname__ = function.__qualname__
        copy.__module__ = function.__module__
        return copy

    def mentioned(self, functions: Iterable[Any]) -> set[str]:
        """Every name in these rules and in all that they call, the names of fields among them."""
        waiting, seen = list(functions), set(functions)
        names: set[str] = set()
        while waiting:
            function = waiting.pop()
            names.update(function.__code__.co_names)
            called = {value for _, value in self._globals(function) if is_rule(value)}
            waiting += called - seen
            seen |= called
        return names

    def _globals(self, function: Any) -> Iterator[tuple[str, Any]]:
        """The global names of a function, and what stands behind them here."""
        names = function.__globals__
        for name in function.__code__.co_names:
            if name in names:  # else it is a builtin, or the name of a field
                value = names[name]
                yield name, self._stand_ins.get(name, value) if is_loop(function) else value


def is_loop(function: Any) -> bool:
    """Tell whether a function belongs to the engine, and so may name parts of the contract."""
    return bool(function.__module__.startswith("theriac.engine."))
