"""Game Title: the only module that others import. To fill in: how others see it."""

from __future__ import annotations

from theriac.game import Game

from .options import OPTIONS, check_options
from .text import GameText

GAMES = (
    Game(
        name="game_name",
        title="Game Title",
        letters="ABC",
        module=__name__,
        summary="Win tricks: each is a point.",
        players=(3, 4),  # each number of players, not a range
        wins="highest",  # or "lowest"; for anything else, write `result` in rules.py
        # The clauses that refuse a number of players, a written shuffle, a deck.
        players_clause=2,
        shuffle_clause=4,
        deck_clause=1,
        first_help="the seat that deals first",
        options=OPTIONS,
        check_options=check_options,
        text=GameText,
    ),
)
