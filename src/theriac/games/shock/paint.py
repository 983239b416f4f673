"""Cards of Shock! in the terminal. A suit or a poison is always a shape too: ♥H7∩jellyfish."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from theriac.games.shock.poisons import is_potion, kind_of
from theriac.games.shock.state import NONE, RANKS
from theriac.games.shock.text import POISONS, SUIT_NAMES, SUITS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from theriac.games.shock.text import ShockText

SUIT_SHAPES: Final = "♥♠♦♣"
#: Easy to tell apart for the colour-blind too, and readable on black and on white.
SUIT_STYLES: Final = ("bold #E0600F", "bold #3B8FD9", "bold #C46BA6", "bold #2E9E6B")
POISON_SHAPES: Final = "∩※∞≈"
POISON_STYLES: Final = ("bold #8C7AE6", "bold #A0744A", "bold #A58F0A", "bold #808080")
JEWEL: Final = "✦"
JEWEL_STYLE: Final = "bold #1B9AAA"
_CARD = re.compile(rf"[{SUITS}][0-9]+|J[0-9](?:/[0-9])?|{'|'.join(POISONS)}")


def paint(written: str) -> Text:
    """A card or a move in its colours and shapes."""
    painted = Text()
    end = 0
    for card in _CARD.finditer(written):
        shape, style = _look_of(card[0])
        painted.append(written[end : card.start()])
        painted.append(shape + card[0], style)
        end = card.end()
    return painted.append(written[end:])


def _look_of(card: str) -> tuple[str, str]:
    """The shape and the style of a card's text."""
    if card in POISONS:
        kind = POISONS.index(card)
        return POISON_SHAPES[kind], POISON_STYLES[kind]
    if card[0] == "J":
        return JEWEL, JEWEL_STYLE
    suit = SUITS.index(card[0])
    return SUIT_SHAPES[suit], SUIT_STYLES[suit]


def paint_card(v: Any, text: ShockText, card: int) -> Text:
    """A number card with all that is on it; without spaces, so that no line ends within it."""
    painted = paint(text.cards[card])
    kind = kind_of(v, card)
    if kind != NONE:
        painted.append_text(paint(POISONS[kind]))
    if is_potion(v, card):
        painted.append("+potion", "bold")
    if (int(v.with_jewel) >> card) & 1:
        painted.append(JEWEL, JEWEL_STYLE)
    return painted


def paint_cards(v: Any, text: ShockText, cards: Iterable[int]) -> Text:
    """Number cards side by side, with a gap between suits."""
    row = Text()
    last = None
    for card in cards:
        if last is not None:
            row.append("  " if card // RANKS == last // RANKS else "    ")
        row.append_text(paint_card(v, text, card))
        last = card
    return row


def paint_suit(suit: int) -> Text:
    """A suit by its shape and name."""
    return Text(f"{SUIT_SHAPES[suit]} {SUIT_NAMES[suit]}", SUIT_STYLES[suit])


def paint_kinds(kinds: Iterable[int]) -> Text:
    """Poisons side by side."""
    return Text("  ").join(paint(POISONS[kind]) for kind in kinds)


def count_jewels(n: int) -> str:
    """1 jewel, 2 jewels."""
    return f"{n} jewel" if n == 1 else f"{n} jewels"
