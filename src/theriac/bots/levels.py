"""How strong a bot is to be, in a word: which bot each level is, game by game.

Each level up to `hard` wins more games than the one before it, as measured in the arena
(`bench/strength.toml`); `expert` is `hard` with five times the time. `EVERY` stands for all games
that have no line of their own.
"""

from __future__ import annotations

EVERY = "*"

#: Level, then game, then bot. To change a level for one game, add a line with the game's name.
LEVELS: dict[str, dict[str, str]] = {
    "easy": {
        EVERY: "greedy:slip=0.2",
        "anaphylaxis": "greedy:slip=0.3",
        "shokoba": "greedy:slip=0.3",
    },
    "medium": {
        EVERY: "greedy",
    },
    "hard": {
        EVERY: "search:ms=200",
    },
    "expert": {
        EVERY: "search:ms=1000",
    },
}
