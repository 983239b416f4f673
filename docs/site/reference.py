"""The library reference: one page per package, from the docstrings."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

from docs.site.navigation import toctree

#: The modules on each page; a package adds all its modules.
PAGES = {
    "theriac": ["theriac", "theriac.match", "theriac.record", "theriac.encoding", "theriac.faults"],
    "game": [
        "theriac.game",
        "theriac.deck",
        "theriac.rulebook",
        "theriac.tutorial",
        "theriac.seal",
    ],
    "engine": ["theriac.engine"],
    "bots": ["theriac.bots"],
    "review": ["theriac.review"],
    "arena": ["theriac.arena"],
    "learn": ["theriac.learn"],
    "adapters": ["theriac.adapters"],
}


def pages() -> dict[str, str]:
    """The pages of the reference, and the list of them."""
    index = "# Library reference\n\nGenerated from the docstrings.\n\n" + toctree(list(PAGES))
    return {
        "reference/index.md": index,
        **{f"reference/{name}.md": page(name, roots) for name, roots in PAGES.items()},
    }


def page(name: str, roots: list[str]) -> str:
    """The members of these modules."""
    parts = [f"# {roots[0]}\n"]
    for module in (found for root in roots for found in modules(root)):
        is_package = module != "theriac" and hasattr(importlib.import_module(module), "__path__")
        members = "" if is_package else "   :members:\n"  # its modules document them
        parts.append(f"## {module}\n\n```{{eval-rst}}\n.. automodule:: {module}\n{members}```\n")
    return "\n".join(parts)


def modules(root: str) -> list[str]:
    """A module, and those of it if it is a package (not those of packages within)."""
    module = importlib.import_module(root)
    if root == "theriac" or not hasattr(module, "__path__"):
        return [root]
    found = pkgutil.iter_modules([str(Path(path)) for path in module.__path__])
    return [root, *(f"{root}.{entry.name}" for entry in found if not entry.ispkg)]
