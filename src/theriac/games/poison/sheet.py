"""The score sheet of a round: what each seat took, and what it cost.

POI-15, POI-16, POI-17 and POI-18 say how. The rules themselves work it out, for the terminal and
for the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from theriac.engine.records import record
from theriac.games.poison.rules import has_most, play, round_points
from theriac.games.poison.state import CAULDRONS, COLOURS, POISON, STATE
from theriac.games.poison.view import copy_open

if TYPE_CHECKING:
    from theriac.games.poison.text import PoisonText

#: What cards count by, in the order of their numbers.
SCORED: Final = ("red", "blue", "purple", "poison")


def card_points(colour: int) -> int:
    """POI-17, POI-18: what one taken card costs. Two players have one each, so neither sets it
    aside.
    """
    got = np.zeros((2, COLOURS + 1), np.int16)
    got[:, colour] = 1
    return int(round_points(got, 2, 0))


def score_so_far(v: Any) -> list[dict[str, Any]]:
    """What each seat's taken cards would cost if the round ended now, and the colours set aside."""
    players = int(v.players)
    return [
        {
            "points": int(round_points(v.got, players, seat)),
            "aside": [
                SCORED[colour]
                for colour in range(COLOURS)
                if has_most(v.got, players, seat, colour)
            ],
        }
        for seat in range(players)
    ]


def score_round(before: Any, move: int, text: PoisonText) -> dict[str, Any]:
    """The sheet of the round that a move ended, from a VIEW before that move.

    Taken cards are open when a round is scored (POI-13). `seats` has for each seat its `cards` in
    the order taken, a line for each colour and for poison, and the points. A colour that is
    `aside` counts nothing: the seat has the most of it (POI-16). `left` belongs to nobody (POI-15).
    """
    end = end_of_round(before, move)
    piles = text.piles(end)
    return {
        "round": int(before.rounds),
        "rounds": int(before.players),
        "left": [
            text.cards[card]
            for cauldron in range(CAULDRONS)
            for card in end.cauldrons[cauldron, : end.filled[cauldron]].tolist()
        ],
        "seats": [
            {
                "cards": piles[seat],
                "lines": [_line(end, seat, colour) for colour in range(COLOURS + 1)],
                "points": int(end.scores[seat] - before.scores[seat]),
                "total": int(end.scores[seat]),
            }
            for seat in range(int(before.players))
        ],
    }


def _line(end: Any, seat: int, colour: int) -> dict[str, Any]:
    """How many cards of a colour a seat took, and their points: those of a round without others."""
    players = int(end.players)
    alone = end.got.copy()
    alone[:, [other for other in range(COLOURS + 1) if other != colour]] = 0
    return {
        "for": SCORED[colour],
        "count": int(end.got[seat, colour]),
        "aside": colour != POISON and bool(has_most(end.got, players, seat, colour)),
        "points": int(round_points(alone, players, seat)),
    }


def end_of_round(before: Any, move: int) -> Any:
    """The STATE as the last move of a round leaves it, scored.

    It is played as in the last round, after which nothing is cleared away.
    """
    g = record(STATE)
    copy_open(before, g)
    g.rounds = g.players
    g.hands[g.to_act, move // CAULDRONS] = 1
    play(g, move)
    return g
