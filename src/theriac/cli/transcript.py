"""A replayed game as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from theriac.cli.screen import draw_result, find_guide, find_screen, number_moves
from theriac.record import replay_each

if TYPE_CHECKING:
    from rich.console import RenderableType

    from theriac.cli.screen import Screen
    from theriac.match import Match


def render_game(record: dict[str, Any], each: bool, seat: int | None) -> RenderableType:
    """The final position of a record; with `each`, every move before it."""
    lines: list[RenderableType] = []
    before, match = None, None
    for match in replay_each(record):
        if each and before is not None:
            lines += describe_last_move(match, before, seat, seat_names(match.players))
        if each:
            match.view(seat)  # raises if there is no such seat
            before = (match.to_act, match.look(seat).copy())
    assert match is not None
    return Group(*lines, *_render_end(match, seat))


def seat_names(players: int) -> list[str]:
    """Names of the seats where no seat is "you"."""
    return [f"seat {seat}" for seat in range(players)]


def describe_last_move(
    match: Match, before: tuple[int | None, Any], seat: int | None, names: list[str]
) -> list[RenderableType]:
    """What the last move did, what it caused, and the score if it ended a round."""
    screen = find_screen(match.game)
    text = match.settings.text
    actor, old = before
    assert actor is not None
    new = match.look(seat)
    number = text.read(match.moves[-1])
    width = max(map(len, names))
    who = "the clock" if match.moves[-1] == match.clock_move else names[actor]
    said = screen.describe_move(old, new, number, text)
    lines: list[RenderableType] = [Text.assemble((f"{who:<{width}}  ", "dim"), said)]
    lines += [Text(f"{'':<{width}}  {event}") for event in text.events(old, new, names)]
    if new.rounds != old.rounds or match.over:
        lines.append(screen.summarize_round(old, new, number, text, names))
    return lines


def _render_end(match: Match, seat: int | None) -> list[RenderableType]:
    view = match.view(seat)
    names = seat_names(match.players)
    state = "over" if match.over else f"{names[view['to_act']]} to act"
    head = f"{match.game.title}: {len(match.moves)} moves, round {view['round']}, {state}"
    shown: list[RenderableType] = [Text(head, "bold")]
    screen: Screen = find_screen(match.game)
    if match.over:
        shown.append(draw_result(match.game, names, view["scores"], view["winners"]))
    else:
        shown.append(screen.draw(match.look(seat), match.settings.text, names))
    if find_guide(match.game) and view["legal"]:
        shown.append(f"{len(view['legal'])} legal moves")
    elif view["legal"]:
        shown.append(number_moves(screen, view["legal"]))
    return [*shown, Text("")]
