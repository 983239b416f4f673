"""docs/server.md names every module of the server, and nothing that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import theriac.server

SERVER = Path(theriac.server.__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
MODULES = {
    path.relative_to(SERVER).as_posix(): path
    for path in SERVER.rglob("*.py")
    if path.name != "__init__.py" and "migrations" not in path.parts
}


def test_every_module_is_in_the_table_under_its_folder() -> None:
    listed, folder = set(), ""
    for row in PAGE.split("## Modules")[1].split("##")[0].splitlines():
        if heading := re.match(r"\| \*\*`(\w+/)`\*\*", row):
            folder = heading[1]
        else:
            listed |= {folder + name for name in re.findall(r"`(\w+\.py)`", row)}
    assert listed == set(MODULES)


def test_the_walk_of_a_move_has_a_dozen_stops_and_names_what_exists() -> None:
    walk = PAGE.split("## A move")[1].split("\n##")[0]
    assert len(re.findall(r"^\d+\. ", walk, re.MULTILINE)) <= 12
    assert set(re.findall(r"`([a-z_]+/[a-z_]+\.py)`", walk)) <= set(MODULES)
    sources = "\n".join(path.read_text(encoding="utf-8") for path in MODULES.values())
    for owner, name in re.findall(r"`([A-Z]\w+)\.(\w+)`", walk):
        assert owner == "Match" or f"class {owner}" in sources, owner
        assert owner == "Match" or f"def {name}(" in sources, name
    for name in re.findall(r"`([a-z_]+)`", walk):
        assert f"def {name}(" in sources, name
