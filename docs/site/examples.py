"""The scripts of `examples/`, each with what its docstring says."""

from __future__ import annotations

import ast
from pathlib import Path

from docs.site.markdown import nest


def pages(folder: Path) -> dict[str, str]:
    """The page of all examples."""
    parts = ["# Examples", "Scripts to start from, in `examples/`. The tests run all of them.", ""]
    for path in sorted(folder.glob("*.py")):
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        said = ast.get_docstring(tree) or ""
        code = "\n".join(source.splitlines()[tree.body[0].end_lineno or 0 :]).strip()
        parts += [f"## {path.name}", nest(said), f"```python\n{code}\n```"]
    return {"examples.md": "\n\n".join(parts) + "\n"}
