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
    from theriac.review import Review

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
    "review",
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


def review(
    record: dict[str, Any],
    *,
    budget: int = 800_000,
    seed: int = 0,
    seconds: float | None = None,
) -> Review:
    """Skill and luck apart for the record of a finished game (`docs/review.md`).

    `budget` is the number of playouts; the same seed and budget give the same review.

    >>> match = new("poison", players=3, seed=bytes(32), deck=["R1", "B1", "P1", "X", "R4", "B4"])
    >>> while not match.over:
    ...     match.play(match.legal()[0])
    >>> account = review(match.record(), budget=1000).seats[0]
    >>> parts = account.fair + account.cards + account.hidden + account.skill + account.others
    >>> abs(parts - account.result) < 1e-9
    True
    """
    from theriac.review.reviewing import review

    return review(record, budget=budget, seed=seed, seconds=seconds)


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
