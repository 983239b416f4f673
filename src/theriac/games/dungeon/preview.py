"""What a card would do: the danger of what it covers, at each place and either way round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from theriac.engine.records import record
from theriac.games.dungeon.fort import (
    beside,
    card_in,
    cell_of,
    danger_if_laid,
    danger_of,
    is_standing,
)
from theriac.games.dungeon.labels import place_labels
from theriac.games.dungeon.paint import BAD_STYLE, CREATURE_STYLE, PLACE_STYLE, paint
from theriac.games.dungeon.reading import read_card
from theriac.games.dungeon.rules import play
from theriac.games.dungeon.state import ALARM, CORNERS, LOST, NONE, STATE
from theriac.games.dungeon.text import read_face
from theriac.games.dungeon.view import copy_open

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from theriac.games.dungeon.text import DungeonText

ARROWS: Final = "↖↗↙↘"
_LOSSES: Final = {
    12: "LOST: too few tokens",
    15: "",
    17: "LOST: a last token",
    21: "LOST: no cards",
}


def play_on(v: Any, move: int) -> Any:
    """The STATE to which a move leads, as far as its player's VIEW shows: up to chance."""
    g = record(STATE)
    copy_open(v, g)
    g.hands[v.seat] = v.hand
    play(g, move)
    return g


def preview(typed: str, v: Any, text: DungeonText) -> RenderableType | None:
    """What the player asks to see: a card of the hand, or a place; None if it is neither.

    Raises `Fault` for a card that could be several.
    """
    word = typed.strip().lower().strip("()")
    labels = place_labels(v)
    if word in labels:
        return _look_at_place(word, v, text)
    card, _ = read_card(word, v, text)
    if card is None or card not in text.hand(v):
        return None
    return _look_at_card(card, v, text)


def _look_at_card(card: str, v: Any, text: DungeonText) -> RenderableType:
    """One line per place."""
    ways = _ways(card)
    board = _new_board("place", "x,y", *(card + way for way in ways))
    for label, (x, y) in place_labels(v).items():
        outcomes = [describe_laying(v, text, f"{card}{way}@{x},{y}") for way in ways]
        board.add_row(Text(label, PLACE_STYLE), f"{x},{y}", *outcomes)
    return board


def _look_at_place(label: str, v: Any, text: DungeonText) -> RenderableType:
    """A line for each card of the hand and each way to turn it."""
    x, y = place_labels(v)[label]
    board = _new_board("card", f"at ({label}), which is {x},{y}")
    for card in sorted(set(text.hand(v))):
        for way in _ways(card):
            board.add_row(paint(card + way), describe_laying(v, text, f"{card}{way}@{x},{y}"))
    return board


def _ways(card: str) -> Sequence[str]:
    return [""] if read_face(card).same_turned else ["", "r"]


def _new_board(*headings: str) -> Table:
    board = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in headings:
        board.add_column(heading)
    return board


def describe_laying(v: Any, text: DungeonText, written: str) -> Text:
    """What a card would do there: ↖5→4 ↘!6→5 falls; what loses the game stands out."""
    g = play_on(v, text.read(written))
    effects = [_describe_covered(v, g, corner) for corner in range(CORNERS)]
    if g.outcome == LOST and _LOSSES[int(g.why)]:
        effects.append(Text(_LOSSES[int(g.why)], BAD_STYLE))
    elif _won(g):
        effects.append(Text("WON", CREATURE_STYLE))
    return Text(" ").join(filter(None, effects))


def _won(g: Any) -> bool:
    """KKD-22: is the Black Knight defeated?"""
    return any(g.defeated[i] for i in range(int(g.laid)) if g.kinds[i] == g.knight)


def _describe_covered(v: Any, g: Any, corner: int) -> Text:
    """What becomes of the card at one corner of the card laid last in `g`; nothing if none is."""
    last = int(g.laid) - 1
    i = card_in(g, beside(cell_of(g, last), corner))
    if i == NONE:
        return Text()
    after = danger_if_laid(v, i, 3 - corner, g.kinds[last], g.turned[last])
    standing = is_standing(v, i)
    said = Text(f"{ARROWS[corner]}{'!' if standing else ''}{danger_of(v, i)}→{after}")
    if standing and g.defeated[i]:
        said.append(" falls", CREATURE_STYLE)
    elif not standing and after >= ALARM:
        said.append(" ALARM", BAD_STYLE)
    return said
