"""Knock, Knock! Dungeon!, for 1 to 6 players together."""

from __future__ import annotations

from theriac.game import Game, IntOption, Option, SetOption
from theriac.games.dungeon import gpu
from theriac.games.dungeon.options import check_options, fill_options
from theriac.games.dungeon.state import MOST_MINUTES
from theriac.games.dungeon.text import SPELL_NAMES, DungeonText

GAMES = (
    Game(
        name="dungeon",
        title="Knock, Knock! Dungeon!",
        letters="KKD",
        module=__name__,
        summary="Build the fort together, card on card, and bring down the Black Knight in time.",
        players=(1, 2, 3, 4, 5, 6),
        effort=4,
        players_clause=4,
        shuffle_clause=33,
        deck_clause=2,
        first_help="the seat that plays first",
        options=(
            IntOption("minutes", 6, MOST_MINUTES, "KKD-07", "what the clock gives; 0: no clock"),
            Option("treasure", (False, True), "KKD-24", "count the chests after a win"),
            Option("level", (0, 1, 2, 3, 4), "KKD-25", "the fort of the adventure; 0: none"),
            SetOption(
                "spells", SPELL_NAMES, "KKD-25", "spells held at the start (in the adventure)"
            ),
        ),
        gpu=gpu.HINTS,
        text=DungeonText,
        fill_options=fill_options,
        check_options=check_options,
        together=True,
        gestures_in_silence=True,
        search={"exploration": 0.15, "playout_width": 1000, "width": 5},
        # The heuristics win nearly every fort of the base game: levels differ by slips.
        levels={
            "beginner": "greedy:slip=1",
            "easy": "greedy:slip=0.75",
            "medium": "greedy:slip=0.5",
            "hard": "greedy:slip=0.27",
            "expert": "greedy:slip=0.12",
            "master": "search:simulations=300",
        },
    ),
)
