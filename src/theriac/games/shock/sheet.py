"""How a round of Shock! ended (SHK-38): worked out by the rules, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theriac.engine.bits import bit
from theriac.engine.contract import NATURE
from theriac.engine.records import record
from theriac.games.shock.rules import count_in, deal, play
from theriac.games.shock.state import (
    CARD,
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


def sheet_of_end(before: Any, after: Any, move: int, cards: Sequence[str]) -> dict[str, Any]:
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
                "stored": int(after.bags[seat] - before.bags[seat])
                if before.in_round[seat]
                else None,
            }
            for seat in range(int(before.players))
        ],
    }


def totals_of_round(seen: Sequence[Any], moves: Sequence[int]) -> list[dict[str, Any]]:
    """What the whole round brought each seat, from the VIEWs around its moves.

    `fate` is how it ended: withdrew, stayed, or shock. The jewels from `tricks` and from the
    `chest` (or the doors) are those put into the bag and those `lost` to a shock (SHK-20).
    """
    players = range(int(seen[0].players))
    fates: list[str] = ["stayed"] * len(players)
    tricks, chest, lost = ([0] * len(players) for _ in range(3))
    for before, after, move in zip(seen, seen[1:], moves, strict=False):
        g = play_again(before, move)
        won = _wins(before, g, move)
        if won is not None:
            tricks[won] += _jewels_of(g)
        end = next((end for _, end in find_revealed(g, before, after)), g)
        for seat in players:
            on_bag = int(before.on_bag[seat]) + (_jewels_of(g) if seat == won else 0)
            brought = _brought(g, end, seat)
            chest[seat] += brought
            if before.in_round[seat] and not end.in_round[seat]:
                withdraws = seat == before.to_act and WITHDRAW_MOVES <= move < OPEN
                fates[seat] = "withdrew" if withdraws else "shock"
                lost[seat] += 0 if withdraws else on_bag + brought
    return [
        {
            "fate": fates[seat],
            "tricks": tricks[seat],
            "chest": chest[seat],
            "lost": lost[seat],
            "bagged": int(seen[-1].bags[seat] - seen[0].bags[seat]),
        }
        for seat in players
    ]


def _wins(before: Any, g: Any, move: int) -> int | None:
    """The seat that wins the trick with this move's card; None if the trick is not won now."""
    if before.phase != CARD or g.in_trick or everybody_left(before, move):
        return None
    return int(g.last_winner)


def everybody_left(before: Any, move: int) -> bool:
    """SHK-36: does the last one who is in withdraw?"""
    return WITHDRAW_MOVES <= move < OPEN and count_in(before) == 1


def _jewels_of(g: Any) -> int:
    """SHK-16: the jewels on the cards of the trick just won."""
    return int(g.trick_jewels[: g.players].sum())


def _brought(g: Any, end: Any, seat: int) -> int:
    """SHK-28, SHK-29, SHK-32: what the revealed card brought a seat, also if a shock took it."""
    if end is g:
        return 0
    if g.in_round[seat] and not end.in_round[seat]:
        kind = next(k for k in range(CHEST_KINDS) if end.chest_seen[k] > g.chest_seen[k])
        return int(g.large[kind]) if seat == g.last_winner else 0
    return int(end.on_bag[seat] + end.bags[seat] - g.on_bag[seat] - g.bags[seat])


def _how(before: Any, ends: Sequence[Any], move: int, seat: int) -> str | None:
    """What became of a seat; None where the views do not show it."""
    if not before.in_round[seat]:
        return "out"
    if seat == before.to_act and WITHDRAW_MOVES <= move < OPEN:
        return "withdrew"
    stayed = [bool(end.in_round[seat]) for end in ends]
    return "stayed" if all(stayed) else None if any(stayed) else "shock"
