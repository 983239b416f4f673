"""A plugin for pytest (`-p tests.interpreted`): compiled rules are interpreted instead.

For a game that only one test has: to compile its rules would take longer than the test.
"""

from __future__ import annotations

from typing import Any

from theriac.game import Game

_engine = Game.engine


def _interpreted(self: Game, speed: Any = None) -> Any:
    return _engine(self, "cuda" if speed == "cuda" else "plain")


Game.engine = _interpreted  # type: ignore[method-assign]
