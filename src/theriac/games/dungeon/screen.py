"""Knock, Knock! Dungeon! in the terminal: the fort, the table, and one's own hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.columns import Columns
from rich.console import Group
from rich.text import Text

from theriac.games.dungeon.drawing import Fort
from theriac.games.dungeon.paint import (
    BAD_STYLE,
    KNIGHT_STYLE,
    PIP,
    look_of,
    paint,
    pips,
)
from theriac.games.dungeon.preview import preview
from theriac.games.dungeon.reading import read_move
from theriac.games.dungeon.state import AT_BOTTOM, DRAWN, TOKENS
from theriac.games.dungeon.story import describe_move, summarize_round
from theriac.games.dungeon.text import read_face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from theriac.games.dungeon.text import DungeonText

__all__ = [
    "INPUT_HELP",
    "describe_move",
    "draw",
    "paint",
    "preview",
    "prompt",
    "read_move",
    "summarize_round",
]

INPUT_HELP: Final = """\
0122 c       lay a card at a place: the card, and the letter of the place
0122r c      the same, turned by 180°
0122@1,1     the same by x,y; the first four digits are enough for most cards
0122         see what a card would do at every place; also look 0122
c            see what every card would do at a place; also look c
ice A        cast a spell on a creature; also fireball A, poison A tl (tr, bl, br)
silence      cast the sphere of silence
In the fort, a box of double lines is a creature: its letter (K is the Black
Knight), ! its danger, ● its time tokens. It falls at 5 or less. Any other box
is a corridor, where 6 or more is the alarm. Ø is a poisoned corner: it counts 0.
Drawn small, tokens stand on the lower edge, *** is frozen, x a fallen creature.
Before a card is laid, ↖5→4 is the card to its upper left: danger 5, then 4."""
#: As wide as the longest text of a card.
_CARD_WIDTH: Final = 8


def draw(v: Any, text: DungeonText, names: Sequence[str]) -> RenderableType:
    """The fort, the supply and the pile, the seats, one's own hand."""
    parts: list[RenderableType] = [Fort(v), "", _draw_supply(v, text), _draw_seats(v, names)]
    if v.seat >= 0:
        parts.append(_draw_hand(v, text))
    return Group(*parts)


def prompt(v: Any, text: DungeonText) -> RenderableType:
    """What is asked of the player to act, instead of a list of hundreds of moves."""
    if v.knight_is == DRAWN:
        return Text(f"Lay the Black Knight now: {text.cards[v.knight]} and a place.", KNIGHT_STYLE)
    held = text.hand(v)
    if not held:
        return Text()
    card = next((card for card in held if not read_face(card).same_turned), held[0])
    turned = "" if read_face(card).same_turned else f"   turned: {card}r a"
    return Text(f"To lay a card: {card} a{turned}   see first what it would do: {card}", "dim")


def _draw_supply(v: Any, text: DungeonText) -> Text:
    """The level, the pile, the talk/silence token, the time tokens, the spells."""
    pile = int(v.in_pile) + int(v.knight_is == AT_BOTTOM)
    supply = int(v.supply)
    line = Text(f"Fort {v.level} of 4   " if v.level else "")
    line.append(f"Pile {pile}{', the Black Knight last' if v.knight_is == AT_BOTTOM else ''}   ")
    line.append("you may talk" if v.talk else "SILENCE: gestures only", "" if v.talk else BAD_STYLE)
    line.append(f"\nTokens {PIP * supply}{'○' * (TOKENS - supply)} {supply} of {TOKENS} left")
    if v.level:
        spells = [paint(name) for name in text.spells(v)]
        line.append("   Spells ")
        line.append_text(Text(" ").join(spells) if spells else Text("none"))
    return line


def _draw_seats(v: Any, names: Sequence[str]) -> Text:
    """Who has how many cards."""
    line = Text("Cards")
    for seat, name in enumerate(names):
        here = seat == v.to_act
        line.append(f"  {'▸ ' if here else ''}{name}: {v.sizes[seat]}", "bold" if here else "")
    return line


# The hand


def _draw_hand(v: Any, text: DungeonText) -> RenderableType:
    hand = text.hand(v)
    if not hand:
        return Text("Your hand is empty", "bold")
    cards = Columns([_draw_card(card) for card in hand], padding=(0, 2))
    return Group(Text("Your hand", "bold"), cards)


def _draw_card(card: str) -> Text:
    """A little card: its corners, its text, and what it is."""
    face = read_face(card)
    _, style = look_of(card)
    corners = [str(n) for n in face.corners]
    line, side = ("═", "║") if face.tokens else ("─", "│")
    edge = line * _CARD_WIDTH
    drawn = Text(no_wrap=True)
    drawn.append(corners[0], "bold").append(edge, style).append(f"{corners[1]}\n", "bold")
    for row in (card, _describe_face(card)):
        drawn.append(side, style).append(f"{row:^{_CARD_WIDTH}}").append(f"{side}\n", style)
    return drawn.append(corners[2], "bold").append(edge, style).append(corners[3], "bold")


def _describe_face(card: str) -> str:
    """The danger of a card on its own; the tokens of a creature, or the token's mark."""
    face = read_face(card)
    danger = sum(face.corners)
    if face.tokens:
        return f"!{danger} {pips(face.tokens)}"
    return f"{danger} flips" if face.silent else str(danger)
