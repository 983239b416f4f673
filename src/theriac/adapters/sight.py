"""What both environments show: the space of what a seat sees, and how a game is rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Box

from theriac.faults import Fault, listed, quote

if TYPE_CHECKING:
    from theriac.adapters.episode import Episode
    from theriac.game import Game

#: Features are of about 0 to 1, but no game promises how far they go. This is far outside.
_FAR = 1000.0

MODES = ["human", "ansi"]
METADATA: dict[str, Any] = {"render_modes": MODES, "render_fps": 1}


def features(game: Game) -> Any:
    """The numbers that `encode` writes."""
    return Box(-_FAR, _FAR, (game.shape.features,), np.float32)


def check_mode(mode: str | None) -> None:
    """Raise `Fault` if there is no such way to render."""
    if mode is not None and mode not in MODES:
        raise Fault(f"render_mode {quote(mode)} is not {listed(MODES)}")


def show(episode: Episode, mode: str | None) -> str | None:
    """What the seat to act sees, as in the terminal: printed, or as text."""
    if mode is None:
        logger.warn("render() shows nothing: make the environment with a render_mode")
        return None
    drawn = episode.draw()
    if mode == "ansi":
        return drawn
    print(drawn)
    return None
