"""Who has won what at the end of a game, when some bots have forfeited it."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def direction(scores: Sequence[int], shares: Sequence[float]) -> int:
    """1 where the winners have the most points, -1 where they have the fewest, else 0.

    The rules know who has won; here it is read off a finished game.

    >>> direction([3, 8, 5], [1.0, 0.0, 0.0])
    -1
    """
    best = next((s for s, share in zip(scores, shares, strict=True) if share > 0), None)
    if best is None or min(scores) == max(scores):
        return 0
    return {max(scores): 1, min(scores): -1}.get(best, 0)


def settle(
    scores: Sequence[int], shares: Sequence[float], out: Collection[int], *, together: bool
) -> tuple[list[float], list[int]]:
    """Each seat's share of the win and its rank from 1; the seats in `out` have forfeited.

    They get nothing and come last; the best of the others share the win. In a game won or lost
    together all have lost. There, rank 1 is won and rank 2 is lost.

    >>> settle([3, 8, 5], [1.0, 0.0, 0.0], [0], together=False)
    ([0.0, 0.0, 1.0], [3, 2, 1])
    """
    if together:
        won = not out and sum(shares) > 0
        return [1 / len(scores) if won else 0.0 for _ in scores], [1 if won else 2 for _ in scores]
    sign = direction(scores, shares)
    kept = [seat for seat in range(len(scores)) if seat not in out]
    worth = [sign * score for score in scores]
    ranks = [
        1 + sum(worth[other] > worth[seat] for other in kept) if seat in kept else 1 + len(kept)
        for seat in range(len(scores))
    ]
    if not out:
        return list(shares), ranks
    best = ranks.count(1) if kept else 0
    return [
        1 / best if best and rank == 1 and seat in kept else 0.0 for seat, rank in enumerate(ranks)
    ], ranks
