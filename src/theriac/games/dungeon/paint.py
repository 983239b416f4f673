"""Cards of Knock, Knock! Dungeon! in the terminal. What a card is, is always a shape too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from theriac.games.dungeon.fort import is_standing
from theriac.games.dungeon.text import SPELL_NAMES, coordinates, read_face

if TYPE_CHECKING:
    from collections.abc import Iterable

CORRIDOR: Final = "□"
CREATURE: Final = "▲"
KNIGHT: Final = "♞"
SPELL: Final = "✶"
PIP: Final = "●"
#: Easy to tell apart for the colour-blind too, and readable on black and on white.
CORRIDOR_STYLE: Final = "bold #808080"
CREATURE_STYLE: Final = "bold #E0600F"
KNIGHT_STYLE: Final = "bold #C46BA6"
SPELL_STYLE: Final = "bold #3B8FD9"
PLACE_STYLE: Final = "bold #2E9E6B"
BAD_STYLE: Final = "bold reverse"
_CARD = re.compile(rf"[0-9]{{4}}(?:t\d+)?s?(?:c\d+)?(?:L\d)?K?|{'|'.join(SPELL_NAMES)}", re.ASCII)
_MOST_PIPS: Final = 6


def paint(written: str) -> Text:
    """A card or a move in its colours and shapes."""
    painted = Text()
    end = 0
    for card in _CARD.finditer(written):
        shape, style = look_of(card[0])
        painted.append(written[end : card.start()])
        painted.append(shape + card[0], style)
        end = card.end()
    return painted.append(written[end:])


def look_of(card: str) -> tuple[str, str]:
    """The shape and the style of a card's text."""
    if card in SPELL_NAMES:
        return SPELL, SPELL_STYLE
    face = read_face(card)
    if face.knight:
        return KNIGHT, KNIGHT_STYLE
    return (CREATURE, CREATURE_STYLE) if face.tokens else (CORRIDOR, CORRIDOR_STYLE)


def pips(n: int) -> str:
    """Time tokens: ●●●, or ●x12 where they are too many to be counted at a glance."""
    return PIP * n if n <= _MOST_PIPS else f"{PIP}x{n}"


def style_of(v: Any, i: int) -> str:
    """The style of a card of the fort: a defeated creature is a corridor."""
    if not is_standing(v, i):
        return ""
    if v.frozen[i]:
        return SPELL_STYLE
    return KNIGHT_STYLE if v.kinds[i] == v.knight else CREATURE_STYLE


def where(v: Any, i: int) -> str:
    """The x,y of a card of the fort."""
    x, y = coordinates(int(v.us[i]), int(v.vs[i]))
    return f"{x},{y}"


def what(v: Any, i: int) -> str:
    """A card of the fort in a word or two, and where it lies."""
    if v.kinds[i] == v.knight:
        return f"the Black Knight at {where(v, i)}"
    return f"the {'creature' if is_standing(v, i) else 'corridor'} at {where(v, i)}"


def listed_and(words: Iterable[str]) -> str:
    """Words as a person lists them: a, b and c."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
