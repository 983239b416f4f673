"""Skill and luck apart: two bots play, and the review says who played well and who was lucky.

python examples/review_games.py [games]
"""

from __future__ import annotations

import sys
from typing import Any

import theriac
from theriac.bots import bot

BOTS = ("greedy", "random", "greedy:slip=0.5")


def play(seed: int) -> dict[str, Any]:
    """The record of a game between these bots."""
    match = theriac.new("poison", players=len(BOTS), first=0, seed=seed.to_bytes(32, "big"))
    players = [bot(name, seed=seed) for name in BOTS]
    while not match.over:
        assert match.to_act is not None
        players[match.to_act].play(match)
    return match.record()


def main(games: int) -> None:
    """Add up the parts of all games."""
    totals = {part: [0.0] * len(BOTS) for part in ("cards", "hidden", "skill", "others")}
    for seed in range(games):
        review = theriac.review(play(seed), budget=20_000)
        for part, values in totals.items():
            for account in review.seats:
                values[account.seat] += getattr(account, part)
        if review.mistakes:
            worst = review.mistakes[0]
            print(f"game {seed}: {BOTS[worst.seat]} played {worst.move}, {worst.best} was better")
    for part, values in totals.items():
        cells = (f"{name} {100 * v / games:+.0f} %" for name, v in zip(BOTS, values, strict=True))
        print(f"{part:>7} per game: {', '.join(cells)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
