"""What a player types, as a move of Knock, Knock! Dungeon! is written: 0122 c is 0122@1,1.

A place is its letters in the drawing or its x,y; so is a creature for a spell. A card is its text,
or as many characters of it as distinguish it in the hand; an r after it turns it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from theriac.faults import Fault, listed, quote
from theriac.games.dungeon.labels import creature_labels, place_labels
from theriac.games.dungeon.paint import where
from theriac.games.dungeon.text import CORNER_NAMES, SPELL_NAMES, read_face

if TYPE_CHECKING:
    from theriac.games.dungeon.text import DungeonText

_SPACES = re.compile(r"[\s@]+")
_TURNED: Final = "r"
#: The number of letters that is enough to name a spell.
_ENOUGH: Final = 3
_AT = re.compile(r"(-?\d{1,3}) *[, ] *(-?\d{1,3})", re.ASCII)
_CORNER = re.compile(rf"(.*?)[ :]+({'|'.join(CORNER_NAMES)})")


def read_move(typed: str, v: Any, text: DungeonText) -> str:
    """The move that was typed, legal or not; what cannot be read stays as it is.

    Raises `Fault` for letters that mark no place, and for a card that could be several.
    """
    if text.read(typed) >= 0:
        return typed
    first, _, rest = _SPACES.sub(" ", typed.strip().lower()).partition(" ")
    for spell in SPELL_NAMES:
        if len(first) >= _ENOUGH and spell.startswith(first):
            return _read_spell(spell, rest, v, text)
    card, turned = read_card(first, v, text)
    if card is None or not rest:
        return typed
    if rest.startswith(f"{_TURNED} ") and not turned:
        turned, rest = True, rest[2:]
    if read_face(card).same_turned:
        turned = False
    return f"{card}{_TURNED if turned else ''}@{read_place(rest, v)}"


def read_card(word: str, v: Any, text: DungeonText) -> tuple[str | None, bool]:
    """The card that is meant, and whether it is turned; raises `Fault` if it could be several."""
    for written, turned in ((word, False), (word.removesuffix(_TURNED), word.endswith(_TURNED))):
        card = _find_card(written, v, text)
        if card is not None:
            return card, turned
    return None, False


def _find_card(word: str, v: Any, text: DungeonText) -> str | None:
    if len(word) < 4:
        return None
    hand = text.hand(v)
    exact = [card for card in (*hand, *text.kinds) if card.lower() == word]
    begun = sorted({card for card in hand if card.lower().startswith(word)})
    if len(begun) > 1 and exact[:1] != begun[:1]:
        raise Fault(f"{quote(word)} could be {listed(begun)}: type more of it")
    others = [card for card in text.kinds if card.lower().startswith(word)]
    return next(iter([*begun, *exact, *others]), None)


def read_place(word: str, v: Any) -> str:
    """The x,y of a place; raises `Fault` for letters that are not in the drawing."""
    if place := _AT.fullmatch(word):
        return f"{int(place[1])},{int(place[2])}"
    labels = place_labels(v)
    if word.strip("()") in labels:
        x, y = labels[word.strip("()")]
        return f"{x},{y}"
    raise Fault(f"no place is called {quote(word)}: they are a to {[*labels][-1]}, or x,y")


def _read_spell(spell: str, rest: str, v: Any, text: DungeonText) -> str:
    if spell not in text.spells(v):
        raise Fault(f"the spell {spell} is not held")
    if spell == "silence":
        return spell
    corner = ""
    if spell == "poison":
        parts = _CORNER.fullmatch(rest)
        if not parts:
            raise Fault(f"poison needs a creature and a corner: poison A {listed([*CORNER_NAMES])}")
        rest, corner = parts[1], f":{parts[2]}"
    if not rest:
        raise Fault(f"{spell} needs a creature: {spell} A, or {spell} and its x,y")
    return f"{spell}@{_read_target(rest, v)}{corner}"


def _read_target(word: str, v: Any) -> str:
    if place := _AT.fullmatch(word):
        return f"{int(place[1])},{int(place[2])}"
    labels = creature_labels(v)
    if word.upper() in labels:
        return where(v, labels[word.upper()])
    known = listed([*labels]) or "none that stands"
    raise Fault(f"no creature is called {quote(word)}: there is {known}; or give its x,y")
