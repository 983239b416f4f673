"""Hearts in the terminal. A suit is always a letter and a shape too: ♣C ♦D ♠S ♥H."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from theriac.engine.contract import REFEREE
from theriac_hearts.sheet import end_of_round, score_round
from theriac_hearts.state import NONE, PASSES, PASSING, RANKS, SEATS
from theriac_hearts.text import DIRECTIONS, SUIT_LETTERS, SUIT_NAMES, cards_in, cards_to_pass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from theriac_hearts.text import HeartsText

INPUT_HELP: Final = (
    "Type a card to play it: SQ, or h10. While cards are passed on, type ~SQ to put it aside."
)

SHAPES: Final = "♣♦♠♥"
#: Easy to tell apart for the colour-blind too, and readable on black and on white.
STYLES: Final = ("bold #2E9E6B", "bold #C46BA6", "bold #3B8FD9", "bold #E0600F")
_CARD = re.compile(rf"[{SUIT_LETTERS}](?:10|[2-9JQKA])")


def paint(written: str) -> Text:
    """A card or a move in its colours and shapes."""
    painted = Text()
    end = 0
    for card in _CARD.finditer(written):
        suit = SUIT_LETTERS.index(card[0][0])
        painted.append(written[end : card.start()])
        painted.append(SHAPES[suit] + card[0], STYLES[suit])
        end = card.end()
    return painted.append(written[end:])


def paint_row(text: HeartsText, cards: Iterable[int]) -> Text:
    """Cards side by side, with a gap between suits."""
    row = Text()
    last = None
    for card in cards:
        if last is not None:
            row.append(" " if card // RANKS == last // RANKS else "   ")
        row.append_text(paint(text.cards[card]))
        last = card
    return row


def draw(v: Any, text: HeartsText, names: Sequence[str]) -> RenderableType:
    """The trick, the seats, one's own hand, and what is asked."""
    parts: list[RenderableType] = [_draw_head(v, names)]
    if v.phase == PASSING:
        parts.append(Text(f"Cards are passed on: {_describe_direction(v)}.", "dim"))
    else:
        parts.append(_draw_trick(v, text, names))
    parts.append(_draw_seats(v, names))
    if v.seat >= 0:
        parts += _draw_passed(v, text, names)
        parts.append(Text.assemble(("Your hand  ", "bold"), paint_row(text, cards_in(v.hand))))
        if v.to_act == v.seat:
            parts.append(Text(_ask(v), "bold"))
    return Group(*parts)


def _draw_head(v: Any, names: Sequence[str]) -> Text:
    end = f"to {v.target} points" if v.target else "a single round"
    broken = "broken" if v.broken else "not broken"
    return Text(f"Round {v.rounds}, {end}, {names[v.dealer]} dealt, hearts {broken}", "bold")


def _describe_direction(v: Any) -> str:
    where = DIRECTIONS[v.direction]
    return where if where == "across" else f"to the {where}"


def _draw_trick(v: Any, text: HeartsText, names: Sequence[str]) -> RenderableType:
    """One column per seat, in the order of play; before a lead, the last trick instead."""
    old = v.in_trick == 0 and v.last_leader != NONE
    leader = int(v.last_leader if old else v.leader)
    cards = (v.last_trick if old else v.trick)[: SEATS if old else v.in_trick].tolist()
    grid = Table.grid(expand=True)
    cells = []
    for place in range(SEATS):
        grid.add_column(ratio=1)
        seat = (leader + place) % SEATS
        name = Text(names[seat], "bold" if seat == v.to_act and not old else "")
        card = paint(text.cards[cards[place]]) if place < len(cards) else Text("")
        cells.append(Group(name, card))
    grid.add_row(*cells)
    title = f"the last trick, won by {names[v.leader]}" if old else "the trick"
    return Panel(grid, title=title, title_align="left", border_style="dim")


def _draw_seats(v: Any, names: Sequence[str]) -> RenderableType:
    board = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    board.add_column("")
    board.add_column("")
    for heading in ("hand", "tricks", "points this round", "in all"):
        board.add_column(heading, justify="right")
    for seat in range(SEATS):
        here = seat == int(v.to_act)
        board.add_row(
            "▸" if here else "",
            names[seat],
            str(v.sizes[seat]),
            str(v.won[seat]),
            str(v.points[seat]),
            str(v.scores[seat]),
            style="bold" if here else "",
        )
    return board


def _draw_passed(v: Any, text: HeartsText, names: Sequence[str]) -> list[Text]:
    """What the one who looks has put aside or passed on, and received."""
    found = []
    if v.my_passed:
        receiver = names[(v.seat + v.direction) % SEATS]
        verb = "For" if v.phase == PASSING else "Passed to"
        found.append(Text.assemble(f"{verb} {receiver}  ", paint_row(text, cards_in(v.my_passed))))
    if v.my_received:
        giver = names[(v.seat - v.direction) % SEATS]
        cards = paint_row(text, cards_in(v.my_received))
        found.append(Text.assemble(f"Received from {giver}  ", cards))
    return found


def _ask(v: Any) -> str:
    """What is asked of the one who looks."""
    if v.phase == PASSING:
        left = cards_to_pass(v)
        cards = "one more card" if left == 1 else f"{left} cards"
        return f"Choose {cards} to pass {_describe_direction(v)}."
    if v.in_trick == 0:
        return "You lead."
    suit = v.trick[0] // RANKS
    if any(card // RANKS == suit for card in cards_in(v.hand)):
        return f"Follow {SUIT_NAMES[suit]}."
    return f"You have no {SUIT_NAMES[suit]}."


def describe_move(before: Any, after: Any, move: int, text: HeartsText) -> Text:
    """What a move did."""
    if move >= PASSES:
        # HEA-09: what is passed on is shown to nobody else.
        known = before.seat in (before.to_act, REFEREE)
        card = paint(text.cards[move - PASSES]) if known else Text("a card")
        return Text.assemble(card, " put aside to pass on")
    said = paint(text.cards[move])
    if before.in_trick == SEATS - 1:
        end = end_of_round(before, move)
        winner, points = int(end.leader), int(end.points.sum() - before.points.sum())
        who = "you win" if winner == before.seat else f"seat {winner} wins"
        said.append(f", {who} the trick")
        if points:
            said.append(f" and {points} point{'s' if points > 1 else ''}", "bold")
    return said


def summarize_round(
    before: Any, after: Any, move: int, text: HeartsText, names: Sequence[str]
) -> RenderableType:
    """HEA-17, HEA-18: what each seat took, and what that cost it."""
    sheet = score_round(before, move)
    board = Table(title=f"Round {before.rounds} is over", title_style="bold", title_justify="left")
    board.add_column("")
    for heading in ("taken", "points", "in all"):
        board.add_column(heading, justify="right")
    for seat in range(SEATS):
        columns = (sheet[key][seat] for key in ("taken", "scored", "totals"))
        board.add_row(names[seat], *map(str, columns))
    if sheet["moon"] is None:
        return board
    return Group(board, Text(f"{names[sheet['moon']]} shot the moon!", "bold"))
