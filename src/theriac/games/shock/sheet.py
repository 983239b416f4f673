"""How a round of Shock! ended (SHK-38): worked out by the rules, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theriac.engine.bits import bit
from theriac.engine.contract import NATURE
from theriac.engine.records import record
from theriac.games.shock.rules import deal, play
from theriac.games.shock.state import (
    CHEST_KINDS,
    NONE,
    NUMBERS,
    OPEN,
    ROUNDS,
    STATE,
    WITHDRAW_MOVES,
)
from theriac.games.shock.view import copy_open


def play_again(before: Any, move: int) -> Any:
    """The STATE to which a move leads, as far as a VIEW shows, up to nature's next card.

    It is played as in the last round, after which nothing is cleared away.
    """
    g = record(STATE)
    copy_open(before, g)
    g.bags[:] = before.stored
    g.rounds = ROUNDS
    if move < OPEN:
        g.hands[g.to_act] = bit(move % NUMBERS)
    play(g, move)
    return g


def find_revealed(g: Any, before: Any, after: Any) -> list[tuple[int, Any]]:
    """The chest or door card revealed after a move, and the STATE it leads to.

    None if no card was; else the one that makes what has been seen of the chest as it is now, or as
    it was when the round ended.
    """
    if g.to_act != NATURE:
        return []
    found = []
    for kind in range(CHEST_KINDS):
        if g.chest_seen[kind] < g.chest_deck[kind]:
            end = g.copy()
            deal(end, NUMBERS + kind)
            if _fits(end, before, after):
                found.append((kind, end))
    return found


def _fits(end: Any, before: Any, after: Any) -> bool:
    if after.rounds == before.rounds:
        return bool((end.chest_seen == after.chest_seen).all())
    return bool((end.chest_seen == after.chest_seen_before).all())


def sum_up_round(before: Any, after: Any, move: int, cards: Sequence[str]) -> dict[str, Any]:
    """The sheet of the round that a move ended: who won its last trick, the last card revealed,
    and for each seat how it ended and what that move put into its bag (None: it was out before).
    """
    g = play_again(before, move)
    found = find_revealed(g, before, after)
    revealed = [cards[NUMBERS + kind] for kind, _ in found]
    ends = [end for _, end in found] or [g]
    return {
        "round": int(before.rounds),
        "winner": None if g.last_winner == NONE else int(g.last_winner),
        "revealed": revealed[0] if len(revealed) == 1 else None,
        "seats": [
            {
                "how": _how(before, ends, move, seat),
                "stored": int(after.stored[seat] - before.stored[seat])
                if before.in_round[seat]
                else None,
            }
            for seat in range(int(before.players))
        ],
    }


def _how(before: Any, ends: Sequence[Any], move: int, seat: int) -> str | None:
    """What became of a seat; None where the views do not show it."""
    if not before.in_round[seat]:
        return "out"
    if seat == before.to_act and WITHDRAW_MOVES <= move < OPEN:
        return "withdrew"
    stayed = [bool(end.in_round[seat]) for end in ends]
    return "stayed" if all(stayed) else None if any(stayed) else "shock"
