"""The drawing of the layers, from the contract that import-linter enforces.

`python -m docs.site.layers` writes it into `docs/architecture.md`; a test compares the two.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "architecture.md"
_DRAWING = re.compile(r"(?<=<!-- layers -->\n)```text\n.*?^```$", re.M | re.S)


def contracts() -> list[dict[str, Any]]:
    """The contracts of `pyproject.toml`."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    found: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return found


def drawing() -> str:
    """One box per layer, the highest first, as a code block."""
    layers = next(contract["layers"] for contract in contracts() if contract["type"] == "layers")
    rows = ["   ".join(re.findall(r"theriac\.(\w+)", layer)) for layer in layers]
    width = max(map(len, rows)) + 4
    line = "─" * width
    boxes = f"\n├{line}┤\n".join(f"│{row.center(width)}│" for row in rows)
    return f"```text\n┌{line}┐\n{boxes}\n└{line}┘\n```"


def shown() -> str:
    """The drawing on the page."""
    found = _DRAWING.search(PAGE.read_text("utf-8"))
    return found[0] if found else ""


if __name__ == "__main__":
    PAGE.write_text(_DRAWING.sub(lambda _: drawing(), PAGE.read_text("utf-8")), "utf-8")
