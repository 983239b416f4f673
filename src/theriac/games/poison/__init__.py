"""Reiner Knizia's Poison, for 3 to 6 players: the only module that others import."""

from __future__ import annotations

from theriac.game import Game, Option
from theriac.games.poison import gpu
from theriac.games.poison.options import check_options, fill_options
from theriac.games.poison.text import PoisonText

GAMES = (
    Game(
        name="poison",
        title="Reiner Knizia's Poison",
        letters="POI",
        module=__name__,
        summary="Play potions into three cauldrons; go above 13, and you take what is inside.",
        players=(3, 4, 5, 6),
        effort=1,
        players_clause=3,
        shuffle_clause=21,
        deck_clause=1,
        first_help="the seat that deals first",
        options=(
            Option("open_piles", (False, True), "POI-13", "show which cards have been taken"),
        ),
        gpu=gpu.HINTS,
        text=PoisonText,
        fill_options=fill_options,
        check_options=check_options,
        search={"exploration": 0.3, "playout_width": 12, "reuse": 4},
        guided={"playout": 0.5, "playout_width": 12, "rounds": 1, "reuse": 4},
        levels={
            "hard": "neural:temperature=6",
            "expert": "neural",
            "master": "guided:simulations=5000",
        },
    ),
)
