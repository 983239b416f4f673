"""What Numba says when it cannot compile a rule, in one sentence.

Numba describes a failure in up to some hundred lines, the innermost function first: what it could
not do, every overload that it tried, and for each function on the way the line of the call.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from theriac.engine.dialect import BadRule, function_at

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
#: The places in what Numba says: `at rules.py (14)` and `File "rules.py", line 14`.
_PLACE: Final = re.compile(r' at (\S[^\n]*?\.py) \((\d+)\)|File "([^"\n]+)", line (\d+)')
_OPERATORS: Final = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "iadd": "+=",
    "isub": "-=",
    "imul": "*=",
    "itruediv": "/=",
    "ifloordiv": "//=",
    "imod": "%=",
    "ilshift": "<<=",
    "irshift": ">>=",
    "iand": "&=",
    "ior": "|=",
    "ixor": "^=",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "contains": "in",
    "neg": "-",
    "invert": "~",
    "not_": "not",
    "matmul": "@",
}
_ALLOCATES: Final = (
    "memory would have to be allocated, which does not compile: copy a row with copy_row "
    "(engine/rows.py), and keep results in fields or buffers"
)


@contextlib.contextmanager
def explained(function: Any, *also: type[Exception]) -> Iterator[None]:
    """A context in which errors of Numba, and some others, become `BadRule`.

    With THERIAC_NUMBA=1 in the environment, all that Numba says is shown too.
    """
    try:
        yield
        return
    except Exception as error:
        if not _is_numbas(error) and not isinstance(error, also):
            raise
        bad = explain(error, function)
    raise bad from bad.compiler if os.environ.get("THERIAC_NUMBA") else None


def _is_numbas(error: Exception) -> bool:
    """Does Numba raise such errors? They have other classes in numba-cuda, with the same names."""
    names = {base.__name__ for base in type(error).__mro__}
    return not names.isdisjoint({"NumbaError", "UnsupportedBytecodeError"})


def explain(error: Exception, function: Any) -> BadRule:
    """An error of Numba, in one sentence with file and line; `function` is what was compiled."""
    text = _COLOURS.sub("", str(error))
    file, line = _innermost(text) or _place_of(error, function)
    name = function_at(file, line) or function.__name__
    bad = BadRule(name, file, line, _reason(error, text))
    bad.compiler = error
    return bad


def _innermost(text: str) -> tuple[str, int] | None:
    """The innermost place that Numba names: of several in one function, the first."""
    inner = text.partition("\nDuring: Pass")[0]
    return min(_places(inner), default=None) or next(_places(text), None)


def _places(text: str) -> Iterator[tuple[str, int]]:
    """The places that Numba names, the innermost first, without those in Numba itself."""
    for match in _PLACE.finditer(text):
        path = Path(match[1] or match[3]).resolve()
        if "numba" not in path.parts:
            yield str(path), int(match[2] or match[4])


def _place_of(error: Exception, function: Any) -> tuple[str, int]:
    """Where an error is whose text names no place."""
    place = getattr(error, "loc", None)
    code = function.__code__
    return (place.filename, place.line) if place else (code.co_filename, code.co_firstlineno)


def _reason(error: Exception, text: str) -> str:
    if isinstance(error, KeyError):  # that is all that Numba says of a field that is not there
        return f"a record has no field {error.args[0]}: add it to its dtype, or correct the name"
    for pattern, say in _REASONS:
        match = pattern.search(text)
        if match:
            return say(match)
    lines = [line for line in text.splitlines() if not line.startswith("Failed in nopython")]
    return f"something does not compile: {' '.join((lines or [text])[0].split())[:200]}"


# Reasons


def _no_such_function(match: re.Match[str]) -> str:
    """No implementation of a function for these types."""
    name, types = match[1], [_type(part) for part in _split(match[2])]
    if name in ("getitem", "setitem") and len(types) > 1:
        return _bad_index(types[0], types[1])
    if name in ("bool", "truth"):
        return f"{types[0]} is used as a condition: compare a number"
    if name in _OPERATORS:
        return f"the operator {_OPERATORS[name]} does not take {' and '.join(types)}"
    return f"{name} does not take ({', '.join(types)})"


def _bad_index(container: str, index: str) -> str:
    if not container.startswith(("a row", "a tuple")):
        return f"{container} is indexed, which is not a row"
    if "float" in index:
        return f"an index is a {index}: use // or int(...)"
    if "None" in index:
        return f"an index is {index}: it must always be a number"
    if container.startswith("a tuple"):
        return "a tuple is indexed by a variable: make it a NumPy array"
    return f"{container} does not take the index {index}: count its dimensions"


def _bad_call(match: re.Match[str]) -> str:
    called = re.search(r"Dispatcher\(<function (\w+)", match.string[match.end() :])
    name = called[1] if called else "the function"
    return f"{name} takes {match[1]}: {match[2]}"


def _mixed_returns(match: re.Match[str]) -> str:
    types = [_type(part) for part in _split(match[1])]
    return f"it returns {' or '.join(types)}: return the same type everywhere"


def _mixed_variable(match: re.Match[str]) -> str:
    variable = match[3].split(".")[0]
    both = f"{_type(match[1])} and {_type(match[2])}"
    return f"the variable {variable} is {both}: give it one type"


def _bad_cast(match: re.Match[str]) -> str:
    wanted = _type(match[2])
    hint = ": write x[:] = value, or a loop" if wanted.startswith("a row") else ""
    return f"{_type(match[1])} is stored where {wanted} is needed{hint}"


Say = Callable[[re.Match[str]], str]
_REASONS: Final[list[tuple[re.Pattern[str], Say]]] = [
    (re.compile(pattern, re.MULTILINE), say)
    for pattern, say in (
        (
            r"numpy_take(?s:.*)\nDuring: lowering \"\(\w+\)\.(\w+) = ",
            lambda match: f"a row is stored in the field {match[1]}, which is a number",
        ),
        (r"NRT required|_ol_array_allocate|^Only accept returning of array", lambda _: _ALLOCATES),
        (r"^ ?>>> (?:numpy_)?(\w+)\((.*)\)$", _no_such_function),
        (r"^Can't unify return type from the following types: (.*)$", _mixed_returns),
        (r"^Cannot unify (.*?) and (.*?) for '([^']+)'", _mixed_variable),
        (r"to signature '(.*?)' due to \"TypeError: (.*?)\"", _bad_call),
        (r"^Cannot cast (.*?) to (.*?): ", _bad_cast),
        (
            r"^(?:Variable|variable) '(.*?)' (?:is not defined|referenced before)",
            lambda match: f"the variable {match[1]} is used before it has a value",
        ),
        (
            r"^Int value is too large: (\d+)",
            lambda match: f"the number {match[1]} is too large: 64 bits at the most",
        ),
        (
            r"^Invalid use of (.*?) with parameters",
            lambda match: f"{_type(match[1])} is called, which is not a rule",
        ),
        (
            r"^Unknown attribute '(\w+)' of type (.*)$",
            lambda match: f"{_type(match[2])} has no attribute {match[1]}",
        ),
    )
]


# Types


def _split(types: str) -> list[str]:
    """The types of a signature: what commas separate outside of brackets."""
    parts, depth = [""], 0
    for letter in types:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _type(name: str) -> str:
    """A type of Numba's, as people call it."""
    known: tuple[tuple[str, Any], ...] = (
        (r"(?:\w+=)?Literal\[(\w+)\].*", r"\1"),
        (r"nestedarray\((\w+), \(\d+,\)\)", r"a row of \1"),
        (r"nestedarray\((\w+), .*", r"a row of rows of \1"),
        (r"array\((\w+), 1d.*", r"a row of \1"),
        (r"array\((\w+), .*", r"a row of rows of \1"),
        (r"Record\(.*", "a record"),
        (r"OptionalType\((.*)\)", r"\1 or None"),
        (r"(?:Uni)?Tuple\(.*", "a tuple"),
        (r"unicode_type", "a string"),
        (r"none", "None"),
        (r"type\(\w*Dispatcher\(<function (\w+).*", r"the rule \1"),
        (r"Function\(<built-in function (\w+)>\)", r"\1"),
    )
    for pattern, spoken in known:
        match = re.fullmatch(pattern, name.strip())
        if match:
            return match.expand(spoken)
    return name.strip()[:60]
