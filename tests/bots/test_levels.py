"""Levels are documented and measured as they are."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

from theriac.bots.levels import ALL_GAMES, LEVELS, bots_of

ROOT = Path(__file__).parents[2]


def behind(game: str, level: str) -> str:
    bots = bots_of(level)
    return bots.get(game, bots[ALL_GAMES])


def test_the_table_of_levels_is_right() -> None:
    text = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `?(level|" + "|".join(LEVELS) + r")`? \| (.*) \|$", text, re.MULTILINE)
    table = {name: re.split(r" \| ", cells) for name, cells in rows}
    games = [re.sub(r"\W", "", name).lower() for name in table.pop("level")]
    assert set(games) == {"poison", "shokoba", "shock", "anaphylaxis", "dungeon"}
    assert table == {level: [f"`{behind(game, level)}`" for game in games] for level in LEVELS}


def test_levels_have_the_bots_that_were_measured() -> None:
    """A changed level is measured again, or what was measured is removed."""
    found = json.loads((ROOT / "bench/results/strength.json").read_text(encoding="utf-8"))
    pairs = [arena for arena in found["arenas"].values() if "behind" in arena]
    assert {tuple(arena["bots"]) for arena in pairs} == set(pairwise(LEVELS))
    for arena in pairs:
        assert arena["behind"] == [behind(arena["game"], level) for level in arena["bots"]]
