"""The dialect of `@rule`: what all three speeds understand.

The interpreter runs any Python; the compilers do not. So that nobody plays for a week with a rule
that will never compile, a rule is checked when it is marked, and every violation gets one sentence:
file, line, what is wrong, what to write instead.

Nearly every rule is fine, and importing a game must be fast: its bytecode is checked first
(`_is_plain`). Only a rule with an instruction that is not on the list of harmless ones is parsed.
"""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import linecache
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

from theriac.faults import Fault

#: The attribute that marks a function as a rule.
RULE_MARK: Final = "__theriac_rule__"


class BadRule(Fault):
    """A rule that cannot be compiled: where, and what to write instead.

    `compiler` is what Numba said, if it was Numba that noticed.
    """

    def __init__(self, name: str, file: str, line: int, why: str) -> None:
        super().__init__(f"{_short(file)}:{line}: in the rule {name}, {why}")
        self.rule = name
        self.file = file
        self.line = line
        self.why = why
        self.compiler: Exception | None = None


def _short(file: str) -> str:
    """A path as it is read best: relative to the current folder, if the file is below it."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file


# What may not be written

_LOOP: Final = "write a plain loop"
_BUFFER: Final = "use a field of the record, or a buffer that the caller passes in"
_NUMBERS: Final = "rules work on numbers; sentences are written in text.py"
_MODULE: Final = "write it at the top of the module"

_FORBIDDEN: Final[dict[type[ast.AST], tuple[str, str]]] = {
    ast.List: ("a list", _BUFFER),
    ast.Dict: ("a dict", "use a NumPy array at the top of the module, indexed by number"),
    ast.Set: ("a set", "use the bits of an int (engine/bits.py)"),
    ast.ListComp: ("a comprehension", _LOOP),
    ast.SetComp: ("a comprehension", _LOOP),
    ast.DictComp: ("a comprehension", _LOOP),
    ast.GeneratorExp: ("a generator", _LOOP),
    ast.Yield: ("yield", "write the values to a buffer and return their number"),
    ast.YieldFrom: ("yield", "write the values to a buffer and return their number"),
    ast.Raise: ("raise", "return a code, such as the number of a clause"),
    ast.Try: ("try", "check first, and return a code"),
    ast.Assert: ("assert", "write a test"),
    ast.With: ("with", "rules open nothing"),
    ast.JoinedStr: ("a string", _NUMBERS),
    ast.Lambda: ("a lambda", "write a rule of its own"),
    ast.FunctionDef: ("a function in a function", "write a rule of its own"),
    ast.AsyncFunctionDef: ("a function in a function", "write a rule of its own"),
    ast.Await: ("await", "rules wait for nothing"),
    ast.ClassDef: ("a class", "keep data in the fields of the record"),
    ast.Global: ("global", "keep what changes in a field of the record"),
    ast.Nonlocal: ("nonlocal", "keep what changes in a field of the record"),
    ast.Import: ("an import", _MODULE),
    ast.ImportFrom: ("an import", _MODULE),
    ast.Starred: ("a starred expression", "write the arguments one by one"),
    ast.Delete: ("del", "leave it out"),
    ast.Is: ("is", "compare numbers with =="),
    ast.IsNot: ("is not", "compare numbers with !="),
}
_CONSTANTS: Final[dict[type, tuple[str, str]]] = {
    str: ("a string", _NUMBERS),
    bytes: ("a bytes object", _NUMBERS),
    complex: ("a complex number", "use two floats"),
    type(None): ("None", "use a number that means none, such as -1"),
    type(...): ("an ellipsis", "write out the indices"),
}


def check_syntax(function: Any) -> None:
    """Check the source of a rule; raises `BadRule`. A function without source is not checked."""
    if not isinstance(function, FunctionType):
        what = type(function).__name__
        raise TypeError(f"@rule marks a plain function, not {what}: leave out other decorators")
    if _is_plain(function.__code__, function.__doc__):
        return
    source = find_source(function)
    for node, what, remedy in violations(source) if source else ():
        raise bad_rule(function, node.lineno, f"{what} does not compile: {remedy}")


def bad_rule(function: Any, line: int, why: str) -> BadRule:
    """What is wrong in a line of a rule."""
    return BadRule(function.__name__, function.__code__.co_filename, line, why)


def violations(function: ast.FunctionDef) -> Iterator[tuple[Any, str, str]]:
    """What in a function does not compile: the place, what it is, and what to write instead."""
    arguments = function.args
    if arguments.vararg or arguments.kwarg:
        found = arguments.vararg or arguments.kwarg
        yield found, "a variable number of parameters", "write them one by one"
    for keyword_only in arguments.kwonlyargs:
        yield keyword_only, "a keyword-only parameter", "leave out the *"
    statements = function.body[_has_docstring(function) :]
    yield from _violations_in(ast.Module(statements, []))


def _violations_in(node: ast.AST) -> Iterator[tuple[Any, str, str]]:
    for child in _parts(node):
        found = _FORBIDDEN.get(type(child))
        if isinstance(child, ast.Constant):
            found = _CONSTANTS.get(type(child.value))
        if isinstance(child, ast.keyword) and child.arg is None:
            found = "a starred expression", "write the arguments one by one"
        if found:
            yield child if hasattr(child, "lineno") else node, *found
        yield from _violations_in(child)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """A node's children, without what is never run: annotations, and the None of `return None`."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_comment"):
            continue
        if isinstance(node, ast.Return) and isinstance(value, ast.Constant) and value.value is None:
            continue
        yield from (item for item in _as_list(value) if isinstance(item, ast.AST))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _has_docstring(function: ast.FunctionDef) -> bool:
    return ast.get_docstring(function, clean=False) is not None


# Finding the source


def find_source(function: Any) -> ast.FunctionDef | None:
    """The parsed source of a function; None if there is none."""
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    return _functions(text).get((code.co_firstlineno, code.co_name))


def function_at(file: str, line: int) -> str | None:
    """The name of the function that a line of a file belongs to."""
    for node in _functions("".join(linecache.getlines(file))).values():
        if node.lineno <= line <= (node.end_lineno or 0):
            return node.name
    return None


@functools.lru_cache(maxsize=64)
def _functions(text: str) -> dict[tuple[int, str], ast.FunctionDef]:
    """Every function in a source file, by the line where it begins and its name."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # the file was changed after it was imported
        return {}
    found: dict[tuple[int, str], ast.FunctionDef] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            found[first, node.name] = node
    return found


# The quick look

#: Instructions that a rule may have, in Python 3.11 to 3.14. Any other means a closer look.
_HARMLESS: Final = frozenset(
    """
    CACHE RESUME NOP EXTENDED_ARG PUSH_NULL POP_TOP COPY SWAP NOT_TAKEN
    LOAD_CONST LOAD_SMALL_INT LOAD_FAST LOAD_FAST_CHECK LOAD_FAST_LOAD_FAST LOAD_FAST_BORROW
    LOAD_FAST_BORROW_LOAD_FAST_BORROW STORE_FAST STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST
    LOAD_GLOBAL LOAD_ATTR LOAD_METHOD STORE_ATTR
    BINARY_OP BINARY_SUBSCR STORE_SUBSCR BUILD_SLICE BINARY_SLICE STORE_SLICE
    COMPARE_OP CONTAINS_OP UNARY_NOT UNARY_NEGATIVE UNARY_INVERT TO_BOOL
    JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP
    POP_JUMP_IF_FALSE POP_JUMP_IF_TRUE POP_JUMP_FORWARD_IF_FALSE POP_JUMP_FORWARD_IF_TRUE
    POP_JUMP_BACKWARD_IF_FALSE POP_JUMP_BACKWARD_IF_TRUE
    GET_ITER FOR_ITER END_FOR POP_ITER BUILD_TUPLE UNPACK_SEQUENCE
    PRECALL CALL KW_NAMES CALL_KW RETURN_VALUE RETURN_CONST
    """.split()
)
_HARMLESS_CODES: Final = frozenset(dis.opmap[name] for name in _HARMLESS if name in dis.opmap)
_UNUSUAL_FLAGS: Final = (
    inspect.CO_VARARGS
    | inspect.CO_VARKEYWORDS
    | inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
)


def _is_plain(code: CodeType, docstring: str | None) -> bool:
    """Is it clear from its bytecode alone that nothing is wrong with a function?"""
    return (
        _HARMLESS_CODES.issuperset(code.co_code[::2])
        and not code.co_flags & _UNUSUAL_FLAGS
        and not code.co_kwonlyargcount
        and all(_is_number(value) or value == docstring for value in code.co_consts)
    )


def _is_number(constant: Any) -> bool:
    """Can a rule have this constant? Every function has None: a bare return returns it."""
    if isinstance(constant, tuple):
        return all(_is_number(value) for value in constant)
    return constant is None or isinstance(constant, int | float)
