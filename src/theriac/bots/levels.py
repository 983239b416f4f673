"""The levels of strength, and the bot behind each of them.

A game can choose another bot for a level (`Game.levels`). Each level is meant to win clearly
against the level before; `bench.strength --only levels` measures it. Below `medium` a bot makes the
slips of a person: it overlooks the best move and plays the next best. The levels below `master` are
meant to answer in less than a tenth of a second; with simulations instead of milliseconds they are
equally strong on every machine.
"""

from __future__ import annotations

from theriac.game import all_games

#: Key for all games that choose no bot of their own.
ALL_GAMES = "*"

#: From the weakest to the strongest.
LEVELS = {
    "beginner": "greedy:slip=0.5",
    "easy": "greedy:slip=0.2",
    "medium": "greedy",
    "hard": "search:simulations=250",
    "expert": "search:ms=90",
    "master": "search:ms=900",
}


def bots_of(level: str) -> dict[str, str]:
    """The bot of a level, by game; `ALL_GAMES` for the games that choose none."""
    own = {game.name: game.levels[level] for game in all_games().values() if level in game.levels}
    return {ALL_GAMES: LEVELS[level], **own}
