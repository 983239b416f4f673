"""The score sheet of a round: what was captured, and who got a gem for what (SHO-17, SHO-19).

It is worked out by the rules themselves, for the terminal and for the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from theriac.engine.contract import NOBODY
from theriac.games.shokoba.rules import capture, collect_leftovers, has_most_of, show, side_of
from theriac.games.shokoba.state import (
    BANG,
    BASE,
    CARDS,
    CLAIM,
    DIAMOND,
    EMERALD,
    NONE,
    RUBY,
    SAPPHIRE,
)

#: What a gem is given for besides the most cards, in the order of the rulebook.
SCORED: Final = (
    (DIAMOND, "diamond"), (EMERALD, "emeralds"), (RUBY, "rubies"), (SAPPHIRE, "sapphires"),
)  # fmt: skip


def score_round(before: Any, move: int, cards: Sequence[str]) -> dict[str, Any]:
    """The sheet of the round that a move ended, from a VIEW before that move.

    A side is a list of seats: partners, or one alone. `lines`, `won` and `gems` have one number
    per side, `shokobas` one per seat; `got` is the place of a side among the sides. A round that a
    SHOKOBA ended before its time has no lines (SHO-21).
    """
    played = end_of_round(before, move, leftover=False)
    scored = int(played.to_act) != NOBODY
    end = end_of_round(before, move) if scored else played
    sides = sides_of(end)
    numbers = [int(side_of(end, side[0])) for side in sides]
    lines = _lines(end, numbers) if scored else []
    given = [sum(line["got"] == i for line in lines) for i in range(len(sides))]
    left = played.table[: played.on_table].tolist() if scored else []
    return {
        "round": int(end.rounds),
        "tie_break": bool(end.tie_break),
        "target": int(end.target),
        "scored": scored,
        "sides": sides,
        "lines": lines,
        "shokobas": end.shokobas[: end.players].tolist(),
        "won": [
            n + int(sum(end.shokobas[seat] for seat in side))
            for n, side in zip(given, sides, strict=True)
        ],
        "gems": [int(end.gems[side]) + n for n, side in zip(given, numbers, strict=True)],
        "left": [cards[card] for card in left],
        "last_capture": None if end.last_capture == NONE else int(end.last_capture),
    }


def sides_of(v: Any) -> list[list[int]]:
    """SHO-02: the seats that count together and play this round: partners, or each one alone."""
    seats = range(int(v.players))
    numbers = sorted({int(side_of(v, seat)) for seat in seats if v.playing[seat]})
    return [[seat for seat in seats if side_of(v, seat) == side] for side in numbers]


def _lines(end: Any, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """SHO-19: for each gem to win, how many cards each side has for it, and who got it."""
    piles = [(name, end.got, gem) for gem, name in SCORED]
    piles.append(("cards", end.captured.reshape(-1, 1), 0))
    return [
        {
            "for": name,
            "counts": [int(pile[side, gem]) for side in numbers],
            "got": next(
                (i for i, side in enumerate(numbers) if has_most_of(pile, gem, side)), None
            ),
        }
        for name, pile, gem in piles
    ]


def end_of_round(before: Any, move: int, leftover: bool = True) -> Any:
    """The view as a move left it, before anything was cleared away.

    With `leftover` the cards left on the table have gone to the last to capture (SHO-17).
    """
    end = before.copy()
    seat = int(end.to_act)
    rest, played = divmod(move, BASE)
    if played == CLAIM:
        end.on_table -= 1
        capture(end, seat, int(end.laid), rest)
    elif played < CARDS and rest not in (0, BANG):
        capture(end, seat, played, rest)
    elif played < CARDS:
        show(end, played)
    if leftover:
        collect_leftovers(end)
    return end
