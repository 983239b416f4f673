"""A replayed game for a person to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from theriac.cli.screen import draw_result, find_guide, find_screen, number_moves
from theriac.record import tables

if TYPE_CHECKING:
    from rich.console import RenderableType

    from theriac.cli.screen import Screen
    from theriac.table import Table


def tell_game(record: dict[str, Any], each: bool, seat: int | None) -> RenderableType:
    """The end of a record; with `each`, before it the story of every move."""
    story: list[RenderableType] = []
    before, table = None, None
    for table in tables(record):
        if each and before is not None:
            story += tell_move(table, before, seat, seat_names(table.players))
        if each:
            table.view(seat)  # refuses a seat that is not there
            before = (table.to_act, table.look(seat).copy())
    assert table is not None
    return Group(*story, *_tell_end(table, seat))


def seat_names(players: int) -> list[str]:
    """What seats are called where nobody is "you"."""
    return [f"seat {seat}" for seat in range(players)]


def tell_move(
    table: Table, before: tuple[int | None, Any], seat: int | None, names: list[str]
) -> list[RenderableType]:
    """What the last move did, and the score where it ended a round."""
    screen = find_screen(table.game)
    text = table.settings.text
    actor, old = before
    assert actor is not None
    new = table.look(seat)
    number = text.read(table.moves[-1])
    width = max(map(len, names))
    who = "the clock" if table.moves[-1] == text.clock else names[actor]
    said = screen.tell(old, new, number, text)
    told: list[RenderableType] = [Text.assemble((f"{who:<{width}}  ", "dim"), said)]
    if new.rounds != old.rounds or table.over:
        told.append(screen.sum_up(old, new, number, text, names))
    return told


def _tell_end(table: Table, seat: int | None) -> list[RenderableType]:
    view = table.view(seat)
    names = seat_names(table.players)
    state = "over" if table.over else f"{names[view['to_act']]} to act"
    head = f"{table.game.title}: {len(table.moves)} moves, round {view['round']}, {state}"
    shown: list[RenderableType] = [Text(head, "bold")]
    screen: Screen = find_screen(table.game)
    if table.over:
        shown.append(draw_result(table.game, names, view["scores"], view["winners"]))
    else:
        shown.append(screen.draw(table.look(seat), table.settings.text, names))
    if find_guide(table.game) and view["legal"]:
        shown.append(f"{len(view['legal'])} legal moves")
    elif view["legal"]:
        shown.append(number_moves(screen, view["legal"]))
    return [*shown, Text("")]
