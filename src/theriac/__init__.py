"""Theriac: a home for small card games of poison and jewels.

>>> import theriac
>>> match = theriac.new("poison", players=4, seed=bytes(32))
>>> match.play(match.legal()[0])
>>> match.view(seat=0)["table"]["taken"]
[0, 0, 0, 0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from theriac.faults import BadDeal, BadDeck, BadOption, BadRecord, Fault, Refused

if TYPE_CHECKING:
    from theriac.engine.batch import Batch, Device
    from theriac.engine.rule import Speed
    from theriac.game import Game
    from theriac.match import Match

__all__ = [
    "BadDeal",
    "BadDeck",
    "BadOption",
    "BadRecord",
    "Fault",
    "Refused",
    "all_games",
    "batch",
    "new",
    "replay",
]
__version__ = "0.1.0"


def all_games() -> dict[str, Game]:
    """All games, by name.

    >>> all_games()["poison"].players
    (3, 4, 5, 6)
    """
    from theriac.game import all_games

    return all_games()


def new(
    game: str,
    *,
    seed: bytes | None = None,
    deals: Sequence[Sequence[str]] | None = None,
    speed: Speed | None = None,
    **options: Any,
) -> Match:
    """A match of one game. Without a seed or deals, a fresh secret seed shuffles the cards.

    >>> new("poison", players=5).players
    5
    """
    from theriac.game import find
    from theriac.match import Match
    from theriac.seal import new_seed

    if seed is None and deals is None:
        seed = new_seed()
    return Match(find(game), options, seed=seed, deals=deals or (), speed=speed)


def replay(record: dict[str, Any], *, speed: Speed | None = None) -> Match:
    """The match at the end of a game record.

    >>> match = new("poison", players=3, seed=bytes(32))
    >>> match.play(match.legal()[0])
    >>> replay(match.record()).moves == match.moves
    True
    """
    from theriac.record import replay

    return replay(record, speed=speed)


def batch(
    game: str,
    n: int,
    *,
    device: Device = "cpu",
    seed: int = 0,
    auto_reset: bool = False,
    threads: int | None = None,
    **options: Any,
) -> Batch:
    """Many games at once: as NumPy arrays on threads of the CPU, or on a GPU (``device="cuda"``).

    Without `players`, the usual number plays (`Game.usual_players`).

    >>> batch("poison", 8, players=3).masks().shape
    (8, 48)
    >>> batch("poison", 8).players
    4
    """
    from theriac.game import find

    known = find(game)
    settings = known.usual_settings(options)
    return known.batch(
        settings, n, device=device, seed=seed, auto_reset=auto_reset, threads=threads
    )
