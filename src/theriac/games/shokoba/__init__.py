"""Shokoba, for 2 to 4 players or two teams of two: the only module that others import."""

from __future__ import annotations

from theriac.game import Game, Option
from theriac.games.shokoba.options import check_options, fill_options
from theriac.games.shokoba.text import ShokobaText

GAMES = (
    Game(
        name="shokoba",
        title="Shokoba",
        letters="SHO",
        module=__name__,
        summary="Capture gems with cards of equal value or sums; clear the table for a SHOKOBA.",
        players=(2, 3, 4),
        effort=2,
        players_clause=2,
        shuffle_clause=25,
        deck_clause=1,
        first_help="the seat that deals first",
        options=(
            Option("teams", (False, True), "SHO-02", "two teams of two, partners opposite"),
            Option("target", (11, 16, 21), "SHO-03", "how many gems win"),
            Option("nine_cards", (False, True), "SHO-08", "nine cards each at once (teams only)"),
            Option("exact_first", (False, True), "SHO-13", "an equal card must be taken first"),
            Option(
                "finish",
                ("at_once", "after_round"),
                "SHO-21",
                "when the target is checked",
            ),
            Option("oversights", (False, True), "SHO-24", "missed captures may be claimed"),
        ),
        text=ShokobaText,
        fill_options=fill_options,
        check_options=check_options,
        search={"exploration": 0.7, "reuse": 4},
        guided={"playout": 0.5, "rounds": 1, "reuse": 4},
        # More simulations than these win no more, and neither does the network.
        levels={
            "beginner": "greedy:slip=0.8",
            "easy": "greedy:slip=0.5",
            "medium": "greedy:slip=0.25",
            "hard": "greedy",
            "expert": "search:simulations=120",
            "master": "search:simulations=5000",
        },
    ),
)
