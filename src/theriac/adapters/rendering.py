"""What the Gymnasium and PettingZoo environments share: the observation space and rendering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger
from gymnasium.spaces import Box, Space

from theriac.faults import Fault, listed, quote

if TYPE_CHECKING:
    from theriac.adapters.episode import Episode
    from theriac.game import Game

#: Features are roughly from 0 to 1, but no game guarantees bounds. These are far outside.
_BOUND = 1000.0

RENDER_MODES = ["human", "ansi"]
METADATA: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}


def observation_space(game: Game) -> Space[npt.NDArray[np.float32]]:
    """The space of the vectors that the game's `encode` writes."""
    space: Any = Box(-_BOUND, _BOUND, (game.shape.features,), np.float32)
    return space  # type: ignore[no-any-return]  # Box does not know the type of its numbers


def check_render_mode(mode: str | None) -> None:
    """Raise `Fault` if there is no such render mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise Fault(f"render_mode {quote(mode)} is not {listed(RENDER_MODES)}")


def render(episode: Episode, mode: str | None) -> str | None:
    """The view of the seat to act as the terminal shows it: printed, or returned as text."""
    if mode is None:
        logger.warn("render() does nothing: make the environment with a render_mode")
        return None
    text = episode.render()
    if mode == "ansi":
        return text
    print(text)
    return None
