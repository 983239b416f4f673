"""`docs/contract.md` documents exactly the functions that `engine/contract.py` declares."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from theriac.engine.contract import SLOTS
from theriac.engine.rule import is_rule

PAGE = Path(__file__).parents[2] / "docs" / "contract.md"


def test_the_page_has_every_function_with_its_parameters() -> None:
    first_cells = re.findall(r"^\| (`.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    documented = [call for cell in first_cells for call in re.findall(r"`(\w+\(.*?\))`", cell)]
    declared = [
        f"{name}({', '.join(inspect.signature(function).parameters)})"
        for name, function in SLOTS.items()
        if is_rule(function)
    ]
    assert sorted(documented) == sorted(declared)
