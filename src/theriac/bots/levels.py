"""The levels of strength, and the bot behind each of them.

A game can choose another bot for a level (`Game.levels`). Each level up to `hard` wins more games
than the level before, as measured in the arena (`bench/strength.toml`); `expert` is `hard` with
five times the time, unless the game chooses another bot for one of them.
"""

from __future__ import annotations

from theriac.game import all_games

#: Key for all games that choose no bot of their own.
ALL_GAMES = "*"

LEVELS = {
    "easy": "greedy:slip=0.2",
    "medium": "greedy",
    "hard": "search:ms=200",
    "expert": "search:ms=1000",
}


def bots_of(level: str) -> dict[str, str]:
    """The bot of a level, by game; `ALL_GAMES` for the games that choose none."""
    own = {game.name: game.levels[level] for game in all_games().values() if level in game.levels}
    return {ALL_GAMES: LEVELS[level], **own}
