"""How strong a bot is to be, in a word: which bot each level is.

A game may say that a level is another bot there (`Game.levels`). Each level up to `hard` wins more
games than the one before it, as measured in the arena (`bench/strength.toml`); `expert` is `hard`
with five times the time.
"""

from __future__ import annotations

from theriac.game import all_games

#: Stands for all games that say nothing else.
EVERY = "*"

LEVELS = {
    "easy": "greedy:slip=0.2",
    "medium": "greedy",
    "hard": "search:ms=200",
    "expert": "search:ms=1000",
}


def bots_of(level: str) -> dict[str, str]:
    """The bot that a level is, and the games where it is another."""
    own = {game.name: game.levels[level] for game in all_games().values() if level in game.levels}
    return {EVERY: LEVELS[level], **own}
