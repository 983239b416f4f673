"""`notation.md` says how a game is written: all of its headings, and every key of `table`."""

from __future__ import annotations

import re

from theriac.game import Game
from theriac.rulebook import NOTATION, read_notation
from theriac.testing.setups import setups_of


def test_every_heading_is_there(game: Game) -> None:
    found = read_notation(game.folder)
    assert [heading for heading in NOTATION if not found.get(heading)] == []


def test_every_key_of_the_table_is_described(game: Game) -> None:
    described = set(re.findall(r"`(\w+)`", read_notation(game.folder)["Table"]))
    shown = {key for setup in setups_of(game) for key in setup.match(1).view()["table"]}
    missing = ", ".join(sorted(shown - described))
    assert not missing, f"notation.md does not describe {missing}, which the table has"
