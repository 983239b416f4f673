"""Knock, Knock! Dungeon! in the terminal: what a move did, and how the fort ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.text import Text

from theriac.games.dungeon.drawing import Fort
from theriac.games.dungeon.fort import beside, card_in, cell_of, danger_of, is_standing
from theriac.games.dungeon.labels import card_place
from theriac.games.dungeon.paint import (
    BAD_STYLE,
    CREATURE_STYLE,
    KNIGHT_STYLE,
    listed_and,
    paint,
    pips,
    what,
    where,
)
from theriac.games.dungeon.state import (
    ALARM,
    AT_BOTTOM,
    CAST_FIREBALL,
    CAST_ICE,
    CAST_POISON,
    CAST_SILENCE,
    CODE_UNIT,
    CORNERS,
    DRAWN,
    MIDDLE,
    NONE,
    SPAN,
    TIMEOUT,
    WON,
)
from theriac.games.dungeon.text import SPELL_NAMES, coordinates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from theriac.games.dungeon.text import DungeonText

#: Further lines are indented below the first, which begins with the name of a seat.
_NEXT_LINE: Final = "\n        "
_CORNERS: Final = ("top left", "top right", "bottom left", "bottom right")


# What a move did


def describe_move(before: Any, after: Any, move: int, text: DungeonText) -> Text:
    """What a move did."""
    if move == TIMEOUT:
        return Text("the time has run out", BAD_STYLE)
    if move == CAST_SILENCE:
        return Text.assemble(paint("silence"), ": the token is turned back to talk")
    if move // CODE_UNIT >= CAST_FIREBALL:
        lines = [_describe_spell(before, move)]
    else:
        lines = [_describe_laid(before, after, text)]
    lines += _describe_defeated(before, after)
    lines += _describe_tokens(before, after)
    lines += _describe_drawn(before, after)
    return Text(_NEXT_LINE).join(lines)


def _describe_laid(before: Any, after: Any, text: DungeonText) -> Text:
    """The card, where it lies, and the danger of what it covers."""
    last = int(after.laid) - 1
    said = paint(text.cards[after.kinds[last]])
    said.append(f"{' turned' if after.turned[last] else ''} at {where(after, last)}")
    covered = covered_by(after, last)
    if covered:
        said.append(" on ")
        said.append_text(Text(", ").join(_describe_covered(before, after, i) for i in covered))
    if after.talk != before.talk:
        said.append(f"; the token shows {'talk' if after.talk else 'silence'}")
    return said


def covered_by(v: Any, last: int) -> list[int]:
    """The cards that share a corner with this one."""
    around = (card_in(v, beside(cell_of(v, last), corner)) for corner in range(CORNERS))
    return [i for i in around if i != NONE]


def _describe_covered(before: Any, after: Any, i: int) -> Text:
    danger = int(danger_of(after, i))
    warning = "!" if is_standing(before, i) else ""
    said = Text(f"{where(after, i)} {warning}{danger_of(before, i)}→{danger}")
    if not is_standing(before, i) and danger >= ALARM:
        said.append(" ALARM", BAD_STYLE)
    return said


def _describe_spell(before: Any, move: int) -> Text:
    """A spell on a card of the fort."""
    code = move // CODE_UNIT
    x, y = coordinates(move // SPAN % SPAN - MIDDLE, move % SPAN - MIDDLE)
    target = next(i for i in range(int(before.laid)) if card_place(before, i) == (x, y))
    spell = paint(SPELL_NAMES[min(code, CAST_POISON) - CAST_FIREBALL])
    whom = what(before, target)
    if code == CAST_FIREBALL:
        return Text.assemble(spell, f": {whom} is burnt, its card is gone")
    if code == CAST_ICE:
        return Text.assemble(spell, f": {whom} is frozen")
    corner = _CORNERS[code - CAST_POISON]
    return Text.assemble(spell, f": {whom}, its {corner} corner counts 0")


def _describe_defeated(before: Any, after: Any) -> list[Text]:
    """KKD-16: the creatures that fell. None falls while another is burnt, but the Black Knight."""
    stood = {card_place(before, i): i for i in range(int(before.laid)) if is_standing(before, i)}
    fallen = [i for i in range(int(after.laid)) if after.defeated[i]]
    now = [stood[card_place(after, i)] for i in fallen if card_place(after, i) in stood]
    return [
        Text(
            f"{what(before, i)} falls"
            + (f", {_count(before.tokens[i])} back" if before.tokens[i] else ""),
            CREATURE_STYLE,
        )
        for i in now
    ]


def _describe_tokens(before: Any, after: Any) -> list[Text]:
    """KKD-17: which creatures lost a token, and what they have left."""
    if after.laid <= before.laid:
        return []
    losing = [
        i
        for i in range(int(before.laid))
        if before.tokens[i] == after.tokens[i] + 1 and not after.defeated[i]
    ]
    if not losing:
        return []
    left = ", ".join(f"{where(after, i)} {pips(int(after.tokens[i])) or 'none'}" for i in losing)
    return [Text(f"a token lost, left: {left}", "dim")]


def _describe_drawn(before: Any, after: Any) -> list[Text]:
    """KKD-20: the Black Knight is drawn."""
    if before.knight_is == AT_BOTTOM and after.knight_is == DRAWN:
        return [Text("draws the Black Knight, who must be laid at once", KNIGHT_STYLE)]
    return []


def _count(tokens: int) -> str:
    return f"{tokens} token{'s' if tokens > 1 else ''}"


# The end


def summarize_round(
    before: Any, after: Any, move: int, text: DungeonText, names: Sequence[str]
) -> RenderableType:
    """How it ended, KKD-22, KKD-23; the treasure, KKD-24; the spell won, KKD-26."""
    parts: list[RenderableType] = [Text(), Fort(after), _describe_why(after)]
    if after.outcome == WON and after.treasure:
        n = int(after.points)
        parts.append(f"Treasure: {n} chest{'s' if n != 1 else ''} on the longest chain.")
    won = set(text.spells(after)) - set(text.spells(before))
    if after.outcome == WON and after.level:
        gain = "A spell is won: " if won else "All spells are held already."
        parts.append(Text.assemble(gain, *(paint(name) for name in won)))
    return Group(*parts)


def _describe_why(v: Any) -> Text:
    clause = f" (KKD-{int(v.why):02})"
    if v.outcome == WON:
        return Text(f"The Black Knight is defeated: the fort is won!{clause}", "bold")
    return Text(f"{_describe_loss(v)}: the fort is lost.{clause}", "bold")


def _describe_loss(v: Any) -> str:
    match int(v.why):
        case 12:
            return _why_no_tokens(v)
        case 15:
            return _why_alarm(v)
        case 17:
            return _why_last_token(v)
        case 21:
            return "Nobody has a card left, and the Black Knight is not defeated"
    return "The time has run out"


def _why_no_tokens(v: Any) -> str:
    kind = v.kinds[v.laid - 1]
    return f"A creature needs {_count(v.creature[kind])}, and the supply has {v.supply}"


def _why_alarm(v: Any) -> str:
    last = int(v.laid) - 1
    loud = [i for i in covered_by(v, last) if not is_standing(v, i) and danger_of(v, i) >= ALARM]
    shown = [f"{what(v, i)} shows {danger_of(v, i)}" for i in loud]
    return f"The alarm: {listed_and(shown)}"


def _why_last_token(v: Any) -> str:
    waiting = (i for i in range(int(v.laid) - 1) if v.tokens[i] == 0 and not v.frozen[i])
    creatures = [what(v, i) for i in waiting if is_standing(v, i)]
    have = "have" if len(creatures) > 1 else "has"
    return f"The alarm: {listed_and(creatures)} {have} no token left"
