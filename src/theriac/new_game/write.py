"""The files of a new game, made from a template."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from theriac.new_game.plan import Plan

_TEMPLATES: Final = Path(__file__).with_name("templates")
#: What stands in a template for the name, the title and the letters of the new game.
_PLACEHOLDERS: Final = re.compile(r"game_name|Game Title|\bABC\b")
#: Python leaves compiled modules in a template that was imported.
_COMPILED: Final = "__pycache__"
#: Only a clone has `make mutants`, which reads this file.
_MUTANTS: Final = "mutants.toml"


def write_game(plan: Plan) -> list[Path]:
    """Write the files of a game into new folders; returns their paths. No file is overwritten."""
    written = []
    if plan.out is not None:
        written += _copy(_TEMPLATES / "package", plan.out, plan)
    return written + _copy(_TEMPLATES / plan.kind, plan.folder, plan)


def _copy(template: Path, folder: Path, plan: Plan) -> list[Path]:
    written = []
    for source in sorted(template.rglob("*")):
        if source.is_dir() or _COMPILED in source.parts:
            continue
        if plan.out is not None and source.name == _MUTANTS:
            continue
        target = folder / source.relative_to(template)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8") as file:
            file.write(_fill_in(source.read_text(encoding="utf-8"), plan))
        written.append(target)
    return written


def _fill_in(text: str, plan: Plan) -> str:
    """A text with the name, the title and the letters of the game."""
    words = {"game_name": plan.name, "Game Title": plan.title, "ABC": plan.letters}
    return _PLACEHOLDERS.sub(lambda found: words[found[0]], text)
