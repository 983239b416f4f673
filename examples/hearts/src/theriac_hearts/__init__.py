"""Hearts for four players, in a package of its own: the only module that others import."""

from __future__ import annotations

from theriac.game import Game
from theriac_hearts import options
from theriac_hearts.state import SEATS
from theriac_hearts.text import HeartsText

GAMES = (
    Game(
        name="hearts",
        title="Hearts",
        letters="HEA",
        module=__name__,
        summary="Win no hearts and never the queen of spades, or else win all of them.",
        players=(SEATS,),
        players_clause=2,
        shuffle_clause=4,
        deck_clause=1,
        first_help="the seat that deals first",
        options=options.ALL,
        text=HeartsText,
        check_options=options.check_options,
    ),
)
