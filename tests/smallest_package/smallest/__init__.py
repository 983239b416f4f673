"""The smallest game: everything that can be derived is derived. It keeps the defaults tested."""

from __future__ import annotations

from smallest.text import SmallestText
from theriac.game import Game

GAMES = (
    Game(
        name="smallest",
        summary="Win tricks with the higher card.",
        players=(2,),
        text=SmallestText,
        wins="highest",
    ),
)
