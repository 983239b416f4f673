"""`@rule`: one source, three speeds.

A rule is a plain Python function. Marking it with `@rule` changes nothing about it: called
directly, it runs interpreted, can be stepped through and counts for coverage. A `Linker` rebuilds
a rule, and every rule it calls, for one speed:

- ``plain``: interpreted;
- ``cpu``: compiled by Numba;
- ``cuda``: compiled as CUDA device code.

The engine's loops are written once, against *slots*: functions and values that are declared with
type and docstring, and that each game fills (all of them are in `contract`; the usual rules and the
GPU's kernels have a few more). The linker replaces a slot wherever a function names it. It
recognises a slot by identity, never by name: a global of the engine that happens to be called
``play`` is left alone, and a slot that nothing fills is an error.

Rebuilding a function makes a new function object from the same code object, with its own
dictionary of globals. Numba's cache works for such functions (unlike for closures, whose
compiled callees change its key on every start).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any, Literal, TypeVar

from theriac.engine.dialect import RULE_MARK, BadRule, bad_rule, check_syntax
from theriac.engine.names import check_names, uses_of

Speed = Literal["plain", "cpu", "cuda"]
Rule = TypeVar("Rule", bound=Callable[..., Any])

_SLOT = "__theriac_slot__"


def rule(function: Rule) -> Rule:
    """Mark a function as a rule: written in the dialect that all three speeds understand.

    Raises `BadRule` for one that is not.
    """
    check_syntax(function)
    setattr(function, RULE_MARK, True)
    return function


def is_rule(value: object) -> bool:
    """Whether a value is a function marked with `@rule`."""
    return isinstance(value, FunctionType) and hasattr(value, RULE_MARK)


class ValueSlot:
    """A slot for a value that is not a function, such as a size."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        setattr(self, _SLOT, True)

    def __repr__(self) -> str:
        return f"<slot {self.__name__}>"


def value_slot(name: str) -> Any:
    """Declare a slot for a value, such as ``CARDS: int``."""
    return ValueSlot(name)


def slot(function: Rule) -> Rule:
    """Declare a slot for a rule, with the signature and the docstring of the rules that fill it."""
    setattr(function, _SLOT, True)
    return rule(function)


def is_slot(value: object) -> bool:
    """Whether a value is a slot."""
    return isinstance(value, ValueSlot | FunctionType) and hasattr(value, _SLOT)


def default_speed() -> Speed:
    """``plain`` when THERIAC_JIT=0 is set in the environment, else ``cpu``."""
    return "plain" if os.environ.get("THERIAC_JIT") == "0" else "cpu"


class UnfilledSlot(LookupError):
    """A function names a slot that nothing fills."""


class Linker:
    """Rebuilds rules so that they call each other at one speed.

    `filled` maps slots to what fills them. `finish` compiles a linked function; by default it
    stays interpreted. `replaced` maps rules to equivalent ones that are used instead.
    """

    def __init__(
        self,
        filled: Mapping[Any, Any],
        finish: Callable[[FunctionType], Any] = lambda f: f,
        replaced: Mapping[Callable[..., Any], Callable[..., Any]] | None = None,
    ) -> None:
        for key in filled:
            if not is_slot(key):
                raise TypeError(f"{key!r} is not a slot: declare it with @slot or value_slot()")
        self._filled = filled
        self._finish = finish
        self._replaced = replaced or {}
        self._built: dict[FunctionType, Any] = {}

    def build(self, function: Any, callers: tuple[Any, ...] = ()) -> Any:
        """The function at this linker's speed, built once; raises `BadRule`.

        `callers` are the functions that it is built for, each called by the one before.
        """
        if function not in self._built:
            if function in callers:
                raise _recursion(callers[callers.index(function) :])
            source = self._replaced.get(function, function)
            self._built[function] = self._finish(self.link(source, (*callers, function)))
        return self._built[function]

    def link(self, function: Any, callers: tuple[Any, ...] = ()) -> FunctionType:
        """A copy of the function whose global names refer to rebuilt rules."""
        if is_rule(function):
            check_names(function)
        names = dict(function.__globals__)
        for name, value in self._globals(function):
            if is_slot(value):
                raise UnfilledSlot(f"{function.__qualname__} needs {name}, which nothing fills")
            names[name] = self.build(value, callers) if is_rule(value) else value
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        copy.__qualname__ = function.__qualname__
        copy.__module__ = function.__module__
        return copy

    def names_used(self, functions: Iterable[Any]) -> set[str]:
        """Every name in these rules and in all that they call, including the names of fields."""
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
        """The global names of a function with their values, filled slots replaced."""
        names = function.__globals__
        for name in dict.fromkeys(use.name for use in uses_of(function.__code__).names):
            if name in names:  # else it is a builtin
                value = names[name]
                yield name, self._filled.get(value, value) if is_slot(value) else value


def _recursion(circle: tuple[Any, ...]) -> BadRule:
    """What is wrong with a rule that calls itself, directly or through others."""
    first = circle[0]
    way = " calls ".join(rule.__name__ for rule in (*circle, first))
    line = first.__code__.co_firstlineno
    return bad_rule(first, line, f"recursion does not compile ({way}): write a loop")
