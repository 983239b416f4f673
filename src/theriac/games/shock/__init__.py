"""Shock! Knights & Poisons and its original edition, for 3 to 5 players, as two games."""

from __future__ import annotations

from dataclasses import replace

from theriac.game import Game, Option
from theriac.games.shock import gpu
from theriac.games.shock.options import check_options, fill_options
from theriac.games.shock.text import AnaphylaxisText, ShockText

_BAGS = Option("open_bags", (False, True), "SHK-10", "show what is inside the bags")

_SHOCK = Game(
    name="shock",
    title="Shock!",
    letters="SHK",
    module=__name__,
    summary="Win tricks for jewels, and leave the dungeon before a poison gets you twice.",
    players=(3, 4, 5),
    effort=3,
    players_clause=7,
    shuffle_clause=47,
    deck_clause=1,
    first_help="the seat that leads first",
    options=(
        Option("simplified", (False, True), "SHK-41", "hands are discarded between rounds"),
        Option("potions", ("must", "may"), "SHK-25", "whether a potion must be used"),
        _BAGS,
    ),
    gpu=gpu.HINTS,
    text=ShockText,
    fill_options=fill_options,
    check_options=check_options,
    search={"exploration": 0.7, "reuse": 4},
    levels={
        "hard": "neural:temperature=8",
        "expert": "neural:temperature=5",
        "master": "neural",
    },
)

GAMES = (
    _SHOCK,
    replace(
        _SHOCK,
        name="anaphylaxis",
        title="Anaphylaxis (the original edition of Shock!)",
        summary="The same knights: doors instead of a chest, and soba if you dare.",
        options=(
            Option("potions", ("must",), "SHK-25", "a potion must be used"),
            Option("soba", (False, True), "SHK-46", "the 9s are soba cards, a fourth poison"),
            _BAGS,
        ),
        text=AnaphylaxisText,
        search={"exploration": 0.7, "playout_width": 4, "reuse": 4},
        guided={"playout": 0.5, "playout_width": 4, "rounds": 1, "reuse": 4},
        levels={
            "hard": "search:simulations=100",
            "expert": "neural:temperature=8",
            "master": "neural",
        },
        deck_file="anaphylaxis.toml",
    ),
)
