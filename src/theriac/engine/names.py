"""The names that a rule uses: other rules, constants, functions of `math`.

Which value a global name has is known when rules are linked. A rule may name rules, slots, numbers,
NumPy arrays, tuples of those, and what both compilers have of the builtins, of `math` and of NumPy.
"""

from __future__ import annotations

import builtins
import difflib
import dis
import functools
import math
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from theriac.engine.dialect import RULE_MARK, BadRule, bad_rule

_BUILTINS: Final = frozenset("abs bool divmod float int len max min pow print range round".split())
_MATH: Final = frozenset(
    """
    acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees e erf erfc exp expm1 fabs
    floor fmod frexp gamma gcd hypot inf isfinite isinf isnan ldexp lgamma log log10 log1p log2 modf
    nan pi pow radians sin sinh sqrt tan tanh tau trunc
    """.split()
)
_TABLE: Final = "use a table, a NumPy array at the top of the module"
_STREAM: Final = "draw from the stream, with `below` of engine/chance.py"
#: What else a person would try, and what to write instead.
_REMEDIES: Final = {
    "any": "write a plain loop",
    "all": "write a plain loop",
    "sum": "write a plain loop",
    "sorted": "sort in a plain loop",
    "enumerate": "write `for i in range(len(row))`",
    "zip": "write `for i in range(len(row))`",
    "reversed": "write `for i in range(n - 1, -1, -1)`",
    "map": "write a plain loop",
    "filter": "write a plain loop",
    "list": "use a field of the record, or a buffer that the caller passes in",
    "dict": "use a NumPy array at the top of the module, indexed by number",
    "set": "use the bits of an int (engine/bits.py)",
    "tuple": "use a field of the record",
    "str": "rules work on numbers; sentences are written in text.py",
    "repr": "rules work on numbers; sentences are written in text.py",
    "isinstance": "a parameter has one type, the same in every call",
    "type": "a parameter has one type, the same in every call",
    "getattr": "name the field",
    "setattr": "name the field",
    "hasattr": "a record has the same fields always",
}


class Use(NamedTuple):
    """A global name in a rule, the attributes taken of it (`np.int16`), and the line."""

    name: str
    attributes: tuple[str, ...]
    line: int


class Uses(NamedTuple):
    """What a function names, and what it returns.

    `names` are globals, `methods` those called on anything else. `values` and `nothings` are the
    lines where it returns something and where it returns None; `nones` those where it uses None.
    """

    names: list[Use]
    methods: list[Use]
    values: list[int]
    nothings: list[int]
    nones: list[int]


@functools.cache
def uses_of(code: CodeType) -> Uses:
    """What a function names, and what it returns."""
    uses = Uses([], [], [], [], [])
    line = code.co_firstlineno
    base = ""  # the global that the last instructions loaded attributes of
    after_none = False
    for step in dis.get_instructions(code):
        line = (step.positions.lineno if step.positions else None) or line
        loads_none = step.opname == "LOAD_CONST" and step.argval is None
        if step.opname == "LOAD_GLOBAL":
            uses.names.append(Use(str(step.argval), (), line))
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and base:
            uses.names[-1] = Use(base, (*uses.names[-1].attributes, str(step.argval)), line)
        elif _is_method(step):
            uses.methods.append(Use(str(step.argval), (), line))
        if step.opname in ("RETURN_VALUE", "RETURN_CONST"):
            nothing = after_none or (step.opname == "RETURN_CONST" and step.argval is None)
            (uses.nothings if nothing else uses.values).append(line)
        elif after_none and step.opname.startswith(("STORE_FAST", "COMPARE_OP")):
            uses.nones.append(line)
        after_none = loads_none
        if step.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
            base = str(step.argval) if step.opname == "LOAD_GLOBAL" else ""
    return uses


#: Since Python 3.12 the lowest bit of LOAD_ATTR says that a method is loaded, to be called.
_HAS_BIT: Final = "PRECALL" not in dis.opmap


def _is_method(step: dis.Instruction) -> bool:
    """Does this instruction load a method, to be called?"""
    if step.opname == "LOAD_METHOD":
        return True
    return _HAS_BIT and step.opname == "LOAD_ATTR" and bool((step.arg or 0) & 1)


def check_names(function: Any) -> None:
    """Check the values of the global names of a rule; raises `BadRule`."""
    for bad in name_violations(function):
        raise bad


def name_violations(function: Any) -> Iterator[BadRule]:
    """What is wrong with what a rule names and returns."""
    uses = uses_of(function.__code__)
    for line in uses.nones:
        why = "None does not compile: use a number that means none, such as -1"
        yield bad_rule(function, line, why)
    for line in uses.nothings if uses.values else ():
        why = (
            f"nothing is returned, but a value in line {uses.values[0]}: return a value everywhere"
        )
        yield bad_rule(function, line, why)
    for method in uses.methods:
        why = f"the method {method.name} does not compile: write a plain loop, or a rule"
        yield bad_rule(function, method.line, why)
    for use in uses.names:
        for why in _violations(use, function.__globals__):
            yield bad_rule(function, use.line, why)


def _violations(use: Use, names: dict[str, Any]) -> Iterator[str]:
    """What is wrong with a global name."""
    if use.name in names:
        yield from _violations_about(use, names[use.name])
    elif not hasattr(builtins, use.name):
        near = difflib.get_close_matches(use.name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else "define it, or import it by this name"
        yield f"the name {use.name} is not defined: {hint}"
    elif use.name not in _BUILTINS:
        remedy = _REMEDIES.get(use.name, f"a rule may call {', '.join(sorted(_BUILTINS))}")
        yield f"{use.name} does not compile: {remedy}"


def _violations_about(use: Use, value: Any) -> Iterator[str]:
    if isinstance(value, ModuleType):
        yield from _violations_about_module(use, value)
    elif isinstance(value, FunctionType | BuiltinFunctionType):
        yield from _violations_about_function(use.name, value)
    elif isinstance(value, list | dict | set | frozenset | bytearray):
        what = type(value).__name__
        yield f"{use.name} is a {what}, which does not compile: make it a NumPy array, or a tuple"
    elif isinstance(value, str | bytes):
        yield f"{use.name} is a string: rules work on numbers; sentences are written in text.py"
    elif value is None:
        yield f"{use.name} is None: use a number that means none, such as -1"


def _violations_about_function(name: str, value: Any) -> Iterator[str]:
    """A function that is not a rule: only some of `math`."""
    if getattr(value, "__module__", None) == math.__name__:
        if value.__name__ not in _MATH:
            yield f"math.{value.__name__} does not compile: {_TABLE}"
    elif isinstance(value, FunctionType) and not hasattr(value, RULE_MARK):
        yield f"{name} is called, which is not a rule: mark it with @rule"


def _violations_about_module(use: Use, module: ModuleType) -> Iterator[str]:
    if not use.attributes:
        yield f"the module {use.name} is not a value: name what you need of it"
        return
    whole = ".".join((use.name, *use.attributes))
    value = getattr(module, use.attributes[0], None)
    if module is math:
        if use.attributes[0] not in _MATH:
            yield f"{whole} does not compile: {_TABLE}"
    elif module is np:
        if use.attributes[0] == "random":
            yield f"{whole} does not compile: {_STREAM}"
        elif not _is_scalar(value):
            yield f"{whole} does not compile: write a plain loop over a buffer that is passed in"
    elif module.__name__ == "random":
        yield f"{whole} does not compile: {_STREAM}"
    elif isinstance(value, FunctionType) and not module.__name__.startswith("numba"):
        yield f"{whole} is called through its module: import {use.attributes[0]} by its own name"


def _is_scalar(value: Any) -> bool:
    """Is this of NumPy a type of numbers, a function of numbers, or a number?"""
    is_type = isinstance(value, type) and issubclass(value, np.generic)
    return is_type or isinstance(value, np.ufunc | int | float)
