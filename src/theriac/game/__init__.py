"""What the rest of Theriac sees of a game, and how a game is found.

- `descriptor`: `Game`, the one object that describes a game, and `Settings`, its checked options;
- `options`: the options that a game takes;
- `notation`: cards and moves as text;
- `presentation`: positions, refusals and score sheets as text and JSON;
- `position`: one position of a game, and `batch_source`: where a batch of games comes from;
- `discovery`: all games, and one of them by its name.
"""

from theriac.game.descriptor import Game, Settings
from theriac.game.discovery import all_games, find
from theriac.game.notation import Notation
from theriac.game.options import IntOption, Option, SetOption, as_json, as_typed
from theriac.game.presentation import Presentation, Text

__all__ = [
    "Game",
    "IntOption",
    "Notation",
    "Option",
    "Presentation",
    "SetOption",
    "Settings",
    "Text",
    "all_games",
    "as_json",
    "as_typed",
    "find",
]
