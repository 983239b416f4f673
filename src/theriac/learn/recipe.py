"""How a network is trained: all that decides it, kept beside what comes of it.

>>> recipe = Recipe(game="poison", players=(4,), **usual("cpu"))
>>> recipe.games, recipe.width
(256, 128)
"""

from __future__ import annotations

from typing import Any

import msgspec

from theriac import __version__
from theriac.faults import BadOption


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides how a network is trained, apart from how long and on which device.

    `games` are played side by side, shared among the numbers of `players`; between two lessons each
    goes on by `moves`. A lesson goes through what was played `epochs` times, `rows` moves at once.
    In the share `past` of the games one seat is the learner's, the others an earlier self's.
    """

    game: str
    players: tuple[int, ...]
    options: dict[str, Any] = {}
    seed: int = 0
    games: int
    moves: int
    width: int
    layers: int
    rows: int
    rate: float
    epochs: int = 3
    trust: float = 0.2
    trace: float = 0.95
    spread: float = 0.01
    past: float = 0.25
    theriac: str = __version__


#: Small enough for two cores; large enough to keep a GPU busy.
_USUAL: dict[str, dict[str, Any]] = {
    "cpu": {"games": 256, "moves": 64, "width": 128, "layers": 2, "rows": 1024, "rate": 0.001},
    "cuda": {"games": 16384, "moves": 64, "width": 512, "layers": 3, "rows": 16384, "rate": 0.0005},
}


def usual(device: str) -> dict[str, Any]:
    """The sizes that suit a device."""
    if device not in _USUAL:
        raise BadOption(f"option device: {device} is not cpu or cuda")
    return dict(_USUAL[device])
