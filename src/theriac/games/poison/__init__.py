"""Reiner Knizia's Poison, for 3 to 6 players: the only door to this game."""

from __future__ import annotations

from theriac.engine.shape import Shape
from theriac.game import Game, Option
from theriac.games.poison import bots, gpu, rules, view
from theriac.games.poison.options import check_options, fill_options
from theriac.games.poison.state import CARDS, MOST_CARDS, MOVES, OPTIONS, SEATS, STATE, VIEW
from theriac.games.poison.text import PoisonText

GAMES = (
    Game(
        name="poison",
        title="Reiner Knizia's Poison",
        letters="POI",
        module=__name__,
        summary="Play potions into three cauldrons; go above 13, and you take what is inside.",
        players=(3, 4, 5, 6),
        players_clause=3,
        shuffle_clause=21,
        deck_clause=1,
        first_help="the seat that deals first",
        options=(
            Option("open_piles", (False, True), "POI-13", "show which cards have been taken"),
        ),
        shape=Shape(
            state=STATE,
            view=VIEW,
            options=OPTIONS,
            cards=CARDS,
            piles=((0, CARDS - 1),),
            pack=MOST_CARDS,
            players=SEATS,
            moves=MOVES,
            features=view.FEATURES,
        ),
        rules={
            "setup": rules.setup,
            "refuse": rules.refuse,
            "play": rules.play,
            "odds": rules.odds,
            "deal": rules.deal,
            "score": rules.score,
            "result": rules.result,
            "list_legal": rules.list_legal,
            "pick_legal": rules.pick_legal,
            "see": view.see,
            "imagine": view.imagine,
            "encode": view.encode,
            "advise": bots.advise,
            "advise_source": bots.advise_source,
            "prospect": bots.prospect,
        },
        gpu=gpu.HINTS,
        text=PoisonText,
        fill_options=fill_options,
        check_options=check_options,
        search={"exploration": 0.3, "playout_width": 12, "reuse": 4},
    ),
)
