"""Poison in the terminal. A colour is always a letter and a shape too: ●R ■B ◆P, and †X."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from theriac.games.poison.rules import is_too_much
from theriac.games.poison.sheet import SCORED
from theriac.games.poison.state import CAULDRONS, NONE, SAFE
from theriac.games.poison.text import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from theriac.games.poison.text import PoisonText

INPUT_HELP: Final = (
    "Type a card and a cauldron: R5@2, or r5 2, or just r5 where only one way is open."
)

SHAPES: Final = "●■◆†"
#: Easy to tell apart for the colour-blind too, and readable on black and on white.
STYLES: Final = ("bold #E0600F", "bold #3B8FD9", "bold #C46BA6", "bold #2E9E6B")
_LETTERS: Final = "RBPX"
_CARD = re.compile(r"[RBPX][0-9]*")


def paint(written: str) -> Text:
    """A card or a move in its colours and shapes."""
    painted = Text()
    end = 0
    for card in _CARD.finditer(written):
        kind = _LETTERS.index(card[0][0])
        painted.append(written[end : card.start()])
        painted.append(SHAPES[kind] + card[0], STYLES[kind])
        end = card.end()
    return painted.append(written[end:])


def paint_row(cards: Iterable[str]) -> Text:
    """Cards side by side."""
    return Text(" ").join(paint(card) for card in cards)


def draw(v: Any, text: PoisonText, names: Sequence[str]) -> RenderableType:
    """The cauldrons, the seats, and one's own hand."""
    head = f"Round {v.rounds} of {v.players}, {names[v.dealer]} dealt"
    parts: list[RenderableType] = [
        Text(head, "bold"),
        _draw_cauldrons(v, text),
        _draw_seats(v, names),
    ]
    if v.open_piles:
        parts.append(_draw_piles(v, text, names))
    if v.seat >= 0:
        parts.append(Text.assemble(("Your hand  ", "bold"), paint_row(_sort_hand(v, text))))
    return Group(*parts)


def _sort_hand(v: Any, text: PoisonText) -> list[str]:
    """By colour, then by value."""
    held = zip(text.cards, v.hand.tolist(), strict=True)
    return [card for card, n in held for _ in range(n)]


def _draw_cauldrons(v: Any, text: PoisonText) -> RenderableType:
    grid = Table.grid(expand=True)
    for _ in range(CAULDRONS):
        grid.add_column(ratio=1)
    grid.add_row(*(_draw_cauldron(v, text, cauldron) for cauldron in range(CAULDRONS)))
    return grid


def _draw_cauldron(v: Any, text: PoisonText, cauldron: int) -> RenderableType:
    colour = int(v.colours[cauldron])
    style = "dim" if colour == NONE else STYLES[colour]
    title = f"cauldron {cauldron + 1}"
    if colour != NONE:
        title += f" {SHAPES[colour]} {NAMES[colour]}"
    filled, total = int(v.filled[cauldron]), int(v.sums[cauldron])
    cards = paint_row(text.cards[card] for card in v.cauldrons[cauldron, :filled].tolist())
    room = "full" if total == SAFE else f"room for {SAFE - total}"
    below = Text(f"{total} of {SAFE}, {room}" if filled else "empty", "dim")
    return Panel(Group(cards, below), title=title, title_align="left", border_style=style)


def _draw_seats(v: Any, names: Sequence[str]) -> RenderableType:
    board = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    board.add_column("")
    board.add_column("")
    for heading in ("cards in hand", "cards taken", "points so far"):
        board.add_column(heading, justify="right")
    for seat in range(int(v.players)):
        here = seat == int(v.to_act)
        board.add_row(
            "▸" if here else "",
            names[seat],
            str(v.sizes[seat]),
            str(v.taken[seat]),
            str(v.scores[seat]),
            style="bold" if here else "",
        )
    return board


def _draw_piles(v: Any, text: PoisonText, names: Sequence[str]) -> RenderableType:
    """POI-13: with open piles, what each seat has taken."""
    piles = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for name, pile in zip(names, text.piles(v), strict=True):
        if pile:
            piles.add_row(f"taken by {name}", paint_row(pile))
    return piles


def describe_move(before: Any, after: Any, move: int, text: PoisonText) -> Text:
    """What a move did."""
    card, cauldron = divmod(move, CAULDRONS)
    total = int(before.sums[cauldron] + before.values[card])
    said = Text.assemble(paint(text.cards[card]), f" into cauldron {cauldron + 1}: {total}")
    if is_too_much(before, cauldron, card):
        n = int(before.filled[cauldron])
        said.append(f" is more than {SAFE}, takes {n} card{'s' if n > 1 else ''}", "bold")
    return said


def summarize_round(
    before: Any, after: Any, move: int, text: PoisonText, names: Sequence[str]
) -> RenderableType:
    """What each seat had taken, what is set aside, and the points.

    POI-15, POI-16, POI-17, POI-18.
    """
    sheet = text.sheet(before, after, move)
    title = f"Round {sheet['round']} is over"
    board = Table(title=title, title_style="bold", title_justify="left")
    board.add_column("")
    for colour, name in enumerate(SCORED):
        board.add_column(Text(f"{SHAPES[colour]} {name}", STYLES[colour]), justify="right")
    board.add_column("points", justify="right")
    board.add_column("in all", justify="right")
    for name, scored in zip(names, sheet["seats"], strict=True):
        taken = [_describe_taken(line) for line in scored["lines"]]
        board.add_row(name, *taken, str(scored["points"]), str(scored["total"]))
    return Group(board, Text("In brackets: the most of a colour, which counts nothing.", "dim"))


def _describe_taken(line: dict[str, Any]) -> str:
    return f"({line['count']})" if line["aside"] else str(line["count"])
