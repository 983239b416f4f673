"""The terminal screen of a game without a `screen.py`: everything in words, made from its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text as Styled

from theriac.engine.contract import NOBODY, REFEREE, SPECTATOR, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from theriac.game.presentation import Text

INPUT_HELP: Final = "Type a move as the list writes it."


def paint(written: str) -> Styled:
    """A card or a move, as it is written."""
    return Styled(written)


def draw(v: Any, text: Text, names: Sequence[str]) -> RenderableType:
    """The seats, what lies open, what the viewer knows besides, and one's own hand."""
    recalled = {key: value for key, value in text.recall(v).items() if value is not None}
    table = recalled | text.table(v)
    per_seat = {key: table.pop(key) for key in text.per_seat if key in table}
    parts: list[RenderableType] = [
        _draw_seats(v, names, per_seat),
        _draw_open(table, text, names),
    ]
    if v.rounds > 1:  # a game without rounds stays in the first
        parts.insert(0, Styled(f"Round {v.rounds}", "bold"))
    if getattr(v, "seat", 0) >= 0:
        parts.append(Styled.assemble(("Your hand  ", "bold"), " ".join(text.hand(v))))
    return Group(*parts)


def _draw_seats(v: Any, names: Sequence[str], per_seat: dict[str, Sequence[Any]]) -> RenderableType:
    board = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("", "", "points", *map(_label, per_seat)):
        board.add_column(heading)
    for seat, name in enumerate(names):
        here = seat == v.to_act
        board.add_row(
            "▸" if here else "",
            name,
            _points(v, seat),
            *(_words(values[seat]) for values in per_seat.values()),
            style="bold" if here else "",
        )
    return board


def _draw_open(table: dict[str, Any], text: Text, names: Sequence[str]) -> RenderableType:
    board = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for key, value in table.items():
        is_seat = key in text.seat_keys and value is not None
        board.add_row(_label(key), names[value] if is_seat else _words(value))
    return board


def _label(key: str) -> str:
    return key.replace("_", " ")


def _words(value: Any) -> str:
    """A value of the record format in words."""
    if value is None or value == []:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{_label(key)} {_words(one)}" for key, one in value.items())
    if isinstance(value, list):
        nested = any(isinstance(one, list | dict) for one in value)
        return (" | " if nested else " ").join(map(_words, value))
    return str(value)


def _points(v: Any, seat: int) -> str:
    return "?" if v.scores[seat] == UNKNOWN else str(v.scores[seat])


def describe_move(before: Any, after: Any, move: int, text: Text) -> Styled:
    """What a move was, as far as the viewer may know."""
    knows = getattr(before, "seat", SPECTATOR) in (before.to_act, REFEREE)
    return Styled(text.write(move) if knows else text.write_public(move))


def summarize_round(
    before: Any, after: Any, move: int, text: Text, names: Sequence[str]
) -> RenderableType:
    """The points after the round that this move ended."""
    is_only_round = before.rounds == 1 and after.to_act == NOBODY
    title = "The game is over" if is_only_round else f"Round {before.rounds} is over"
    board = Table(title=title, title_style="bold", title_justify="left")
    board.add_column("")
    board.add_column("points", justify="right")
    for seat, name in enumerate(names):
        board.add_row(name, _points(after, seat))
    return board
