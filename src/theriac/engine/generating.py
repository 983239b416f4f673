"""Rules written by a program: source text in, a `@rule` out.

The source is kept in `linecache`, as doctest does: debuggers step through it, tracebacks show it,
and the checks of the dialect read it.
"""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Mapping
from typing import Any

from theriac.engine.rule import rule


def make_rule(name: str, source: str, names: Mapping[str, Any], module: str) -> Any:
    """The rule of that name in a source text; `names` are the globals that it may use.

    Numba caches no function without a file of its own, so an entry point of an engine is never
    made here: it is a rule in a file that calls a made one.
    """
    digest = hashlib.sha256(source.encode()).hexdigest()[:8]
    file = f"<{name} {digest}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace = {**names, "__name__": module}
    exec(compile(source, file, "exec"), namespace)  # noqa: S102 - our own text, made of field names
    return rule(namespace[name])
