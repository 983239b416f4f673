"""Previews: what is certain to be so after a move, from the VIEW of the seat that considers it.

The rest of the position is sampled several times from that VIEW, and the move is made in each
sample. Only what is equal in all samples is shown. So a preview uses nothing that the seat may not
know, and shows nothing that depends on a hidden card.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from theriac.engine.records import View, records
from theriac.game.position import Fields
from theriac.match import Match

#: How many positions are sampled for a move.
SAMPLES = 12


#: Runs a function in a thread: what it returns.
InThread = Callable[..., Awaitable[dict[str, dict[str, Any]]]]


class Previews:
    """The previews of one position after the other. Each move is sampled once: it takes time, so it
    is done in a thread.
    """

    def __init__(self) -> None:
        self._version = -1
        self._certain: dict[str, dict[str, Any]] = {}

    async def of(
        self, version: int, match: Match, moves: Sequence[str], in_thread: InThread
    ) -> dict[str, dict[str, Any]]:
        """The same as `preview_moves`, for the position of a version."""
        if version != self._version:
            self._version, self._certain = version, {}
        certain = self._certain
        missing = [move for move in moves if move not in certain]
        if legal := _legal(match, missing):
            certain |= await in_thread(_sample, match, *_seen(match), legal)
        return {move: certain[move] for move in moves if move in certain}


def preview_moves(match: Match, moves: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For each move that is legal for the seat to act, what is certain to lie open after it."""
    return _sample(match, *_seen(match), _legal(match, moves))


def _legal(match: Match, moves: Sequence[str]) -> set[str]:
    return set(moves) & set(match.legal())


def _seen(match: Match) -> tuple[int, View]:
    """The seat to act, and its VIEW now."""
    assert match.to_act is not None
    return match.to_act, match.look(match.to_act).copy()


def _sample(match: Match, seat: int, seen: View, moves: Iterable[str]) -> dict[str, dict[str, Any]]:
    return {move: _certain_after(match, seat, seen, move) for move in moves}


def _certain_after(match: Match, seat: int, seen: View, move: str) -> dict[str, Any]:
    """Of the match only what is fixed for the game is used: its position may change meanwhile."""
    engine, text = match.game.engine(match.speed), match.settings.text
    states = records(match.game.shape.state, SAMPLES)
    views = records(match.game.shape.view, SAMPLES)
    chance = engine.chance()
    engine.seed_stream(chance.random, 0, 0)
    engine.imagine_many(seen, chance.random, states)
    outcomes = []
    for i in range(SAMPLES):
        engine.step_at(states, i, text.read(move))
        engine.see_at(states, i, seat, views)
        after = Fields(views[i : i + 1])
        outcomes.append(text.recall(after) | text.table(after))
    return common_items(outcomes)


def common_items(outcomes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The items that all outcomes share.

    >>> common_items([{"sums": [7], "next": "R1"}, {"sums": [7], "next": "X"}])
    {'sums': [7]}
    """
    first, *others = outcomes
    return {
        key: value
        for key, value in first.items()
        if all(key in other and other[key] == value for other in others)
    }
