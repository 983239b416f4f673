"""Win shares and ranks at the end of a game, when some bots have forfeited it."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def score_direction(scores: Sequence[int], shares: Sequence[float]) -> int:
    """1 if the winners have the highest scores, -1 if they have the lowest, else 0.

    The rules of the game decide who has won; this reads it off a finished game.

    >>> score_direction([3, 8, 5], [1.0, 0.0, 0.0])
    -1
    """
    best = next((s for s, share in zip(scores, shares, strict=True) if share > 0), None)
    if best is None or min(scores) == max(scores):
        return 0
    return {max(scores): 1, min(scores): -1}.get(best, 0)


def final_standings(
    scores: Sequence[int],
    shares: Sequence[float],
    forfeited: Collection[int],
    *,
    together: bool,
) -> tuple[list[float], list[int]]:
    """Each seat's share of the win and its rank from 1, given the seats that have forfeited.

    Those get nothing and come last; the best of the others share the win. In a game that all win or
    lose together, a forfeit loses it for all; rank 1 is won and rank 2 is lost.

    >>> final_standings([3, 8, 5], [1.0, 0.0, 0.0], [0], together=False)
    ([0.0, 0.0, 1.0], [3, 2, 1])
    """
    if together:
        won = not forfeited and sum(shares) > 0
        return [1 / len(scores) if won else 0.0 for _ in scores], [1 if won else 2 for _ in scores]
    sign = score_direction(scores, shares)
    kept = [seat for seat in range(len(scores)) if seat not in forfeited]
    points = [sign * score for score in scores]
    ranks = [
        1 + sum(points[other] > points[seat] for other in kept) if seat in kept else 1 + len(kept)
        for seat in range(len(scores))
    ]
    if not forfeited:
        return list(shares), ranks
    winners = ranks.count(1) if kept else 0
    return [
        1 / winners if winners and rank == 1 and seat in kept else 0.0
        for seat, rank in enumerate(ranks)
    ], ranks
