"""Game Title: the only module that others import. To fill in: how others see it."""

from __future__ import annotations

from theriac.game import Game

from .text import GameText

GAMES = (
    Game(
        name="game_name",
        title="Game Title",
        letters="ABC",
        module=__name__,
        summary="Do not let a pile come to more than 13: its cards are yours, a point each.",
        players=(2, 3, 4),  # each number of players, not a range
        wins="lowest",  # or "highest"; for anything else, write `result` in rules.py
        # The clauses that refuse a number of players, a written shuffle, a deck.
        players_clause=2,
        shuffle_clause=3,
        deck_clause=1,
        first_help="the seat that begins",
        text=GameText,
    ),
)
