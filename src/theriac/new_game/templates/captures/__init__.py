"""Game Title: the only module that others import. To fill in: how others see it."""

from __future__ import annotations

from theriac.game import Game

from .options import check_options
from .text import GameText

GAMES = (
    Game(
        name="game_name",
        title="Game Title",
        letters="ABC",
        module=__name__,
        summary="Take cards from the table with cards of your hand.",
        players=(2, 3, 4),  # each number of players, not a range
        wins="highest",  # or "lowest"; for anything else, write `result` in rules.py
        # The clauses that refuse a number of players, a written shuffle, a deck.
        players_clause=2,
        shuffle_clause=3,
        deck_clause=1,
        first_help="the seat that begins",
        check_options=check_options,
        text=GameText,
    ),
)
