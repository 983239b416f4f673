"""Letters for the free places (a, b, … z, aa, …) and for the creatures that stand (A, B, …; K is
the Black Knight), counted line by line as the fort is read. They change with every move.
"""

from __future__ import annotations

from itertools import count, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from theriac.games.dungeon.fort import is_standing
from theriac.games.dungeon.text import coordinates

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[int, int]


def place_labels(v: Any) -> dict[str, Place]:
    """The x and y of each free place, by its letters."""
    ends = zip(v.place_us[: v.places].tolist(), v.place_vs[: v.places].tolist(), strict=True)
    places = sorted((coordinates(u, w) for u, w in ends), key=lambda place: place[::-1])
    return dict(zip(_letters(), places, strict=False))


def creature_labels(v: Any) -> dict[str, int]:
    """The number of each standing creature in the fort, by its letters."""
    standing = [i for i in range(int(v.laid)) if is_standing(v, i)]
    standing.sort(key=lambda i: card_place(v, i)[::-1])
    letters = (label.upper() for label in _letters() if label != "k")
    return {"K" if v.kinds[i] == v.knight else next(letters): i for i in standing}


def card_place(v: Any, i: int) -> Place:
    """The x and y of a card of the fort."""
    return coordinates(int(v.us[i]), int(v.vs[i]))


def _letters() -> Iterator[str]:
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            yield "".join(letters)
