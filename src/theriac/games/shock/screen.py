"""Shock! and its original edition in the terminal: the table, and what is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from theriac.engine.contract import UNKNOWN
from theriac.games.shock.deal import left_of
from theriac.games.shock.paint import (
    JEWEL,
    JEWEL_STYLE,
    count_jewels,
    paint,
    paint_card,
    paint_cards,
    paint_kinds,
    paint_suit,
)
from theriac.games.shock.poisons import is_potion, times_in_middle, uncovered
from theriac.games.shock.rules import best_of_trick, suit_of
from theriac.games.shock.state import (
    ANAPHYLAXIS,
    CARD,
    CURE,
    FACE_DOWN,
    KINDS,
    NONE,
    ROUNDS,
    SOBA,
)
from theriac.games.shock.story import describe_move, summarize_round
from theriac.games.shock.text import POISONS, SUIT_NAMES, cards_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from theriac.games.shock.text import ShockText

__all__ = ["INPUT_HELP", "describe_move", "draw", "paint", "summarize_round"]

INPUT_HELP: Final = (
    "Type a card to play it: H7, or h7. To withdraw, type w~H7: that card goes face down. When you "
    "are out, ~H7. Where it is asked: open or stop, cure:bee or keep; the first letters are enough."
)


def draw(v: Any, text: ShockText, names: Sequence[str]) -> RenderableType:
    """The trick, the middle, the seats, one's own hand, and what is asked."""
    parts: list[RenderableType] = [_draw_head(v, text, names)]
    if v.phase == CARD:
        parts.append(_draw_trick(v, text, names))
    parts += [_draw_middle(v), _draw_chest(v), _draw_seats(v, text, names)]
    if v.covered_sizes.any():
        parts.append(Text("In brackets: a covered poison, and the potion on it.", "dim"))
    if v.seat >= 0:
        hand = paint_cards(v, text, cards_in(v.hand))
        parts.append(Text.assemble(("Your hand  ", "bold"), hand))
        if v.in_round[v.seat]:
            parts += _warn(v)
        if v.to_act == v.seat:
            parts.append(_ask(v))
    return Group(*parts)


def _draw_head(v: Any, text: ShockText, names: Sequence[str]) -> Text:
    head = Text(f"Round {v.rounds} of {ROUNDS}, trump ", "bold")
    head.append_text(paint_suit(suit_of(v.trump)))
    head.append(f" ({text.cards[v.trump]} turned up)")
    if v.leader != NONE:
        verb = "led" if v.phase != CARD else "lead" if names[v.leader] == "you" else "leads"
        head.append(f", {names[v.leader]} {verb}")
    return head


# The trick


def _draw_trick(v: Any, text: ShockText, names: Sequence[str]) -> RenderableType:
    """One column per seat, in the order of play: its name, its card with jewels, the best card."""
    grid = Table.grid(expand=True)
    cells = []
    best = best_of_trick(v)
    seat = int(v.trick_seats[0]) if v.in_trick else int(v.to_act)
    for place in range(int(v.players)):
        grid.add_column(ratio=1)
        name = Text(names[seat], "bold" if seat == v.to_act else "")
        if place < v.in_trick:
            below = Text("best so far" if place == best else "", "dim")
            cells.append(Group(name, _draw_played(v, text, place), below))
        else:
            cells.append(Group(name, Text("to play" if seat == v.to_act else "", "dim")))
        seat = int(left_of(v, seat))
    grid.add_row(*cells)
    jewels = int(v.trick_jewels[: v.in_trick].sum())
    title = Text("the trick: ")
    title.append_text(Text("no suit yet") if v.lead_suit == NONE else paint_suit(int(v.lead_suit)))
    title.append(f"{'' if v.lead_suit == NONE else ' led'}, {count_jewels(jewels)}")
    return Panel(grid, title=title, title_align="left", border_style="dim")


def _draw_played(v: Any, text: ShockText, place: int) -> Text:
    card = int(v.trick_cards[place])
    if card == FACE_DOWN:
        return Text.assemble("face down ", (JEWEL * int(v.trick_jewels[place]), JEWEL_STYLE))
    return paint_card(v, text, card)


# The middle, and the chest or the doors


def _draw_middle(v: Any) -> Text:
    kinds = v.middle[: v.in_middle].tolist()
    lying = paint_kinds(kinds) if kinds else Text("no poison yet", "dim")
    return Text.assemble("In the middle  ", lying)


def _draw_chest(v: Any) -> Text:
    """What a good memory knows to be left of the cards face down."""
    left = v.chest_deck - v.chest_seen
    poisons = ", ".join(f"{left[kind]} {POISONS[kind]}" for kind in range(SOBA))
    lost = v.edition == ANAPHYLAXIS and v.rounds > 2  # SHK-44
    return Text(
        f"{'Doors' if v.edition == ANAPHYLAXIS else 'Chest'}  {v.chest_left} left: "
        f"{left[SOBA:].sum()} with jewels; {poisons}{', less one lost' if lost else ''}"
    )


# The seats


def _draw_seats(v: Any, text: ShockText, names: Sequence[str]) -> RenderableType:
    board = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    board.add_column("")
    board.add_column("")
    board.add_column("round")
    for heading in ("hand", "on bag", "inside"):
        board.add_column(heading, justify="right", no_wrap=True)
    board.add_column("in front")
    for seat in range(int(v.players)):
        here = seat == int(v.to_act)
        inside = int(v.scores[seat])
        board.add_row(
            "▸" if here else "",
            names[seat],
            "in" if v.in_round[seat] else "out",
            str(v.sizes[seat]),
            str(v.on_bag[seat]) if v.in_round[seat] else "-",
            "?" if inside == UNKNOWN else str(inside),
            _draw_front(v, text, seat),
            style="bold" if here else "" if v.in_round[seat] else "dim",
        )
    return board


def _draw_front(v: Any, text: ShockText, seat: int) -> Text:
    """The cards in front of a seat; in brackets the covered poisons, and as many potions."""
    covered = v.covered[seat, : v.covered_sizes[seat]].tolist()
    used = len(covered)
    row = []
    for card in v.front[seat, : v.front_sizes[seat]].tolist():
        gone = card in covered
        if is_potion(v, card) and used > 0:
            used -= 1
            gone = True
        painted = paint_card(v, text, card)
        row.append(Text.assemble("(", painted, ")") if gone else painted)
    return Text("  ").join(row)


# What concerns the one who looks


def _warn(v: Any) -> list[Text]:
    """SHK-20: the poisons of which one more is a shock; or, while a potion is laid, too many."""
    seat = int(v.seat)
    times = [uncovered(v, seat, kind) + times_in_middle(v, kind) for kind in range(KINDS)]
    if not any(times):
        return []
    mine = paint_kinds(kind for kind in range(KINDS) if times[kind])
    twice = [kind for kind in range(KINDS) if times[kind] > 1]
    said = Text("once more is a shock")
    if twice:
        said = Text.assemble("a shock, unless covered: ", paint_kinds(twice))
    return [Text.assemble("In your blood  ", mine, "  (", said, ")")]


def _ask(v: Any) -> Text:
    """What is asked of the one who looks."""
    seat = int(v.seat)
    if v.phase == CURE:
        kept = " Or keep it?" if v.due == 0 else ""
        return Text(f"Which poison does your potion cover?{kept}", "bold")
    if v.phase != CARD:
        bag = count_jewels(int(v.on_bag[seat]))
        many = "a second" if v.opened == 1 else "a third"
        return Text(f"Open {many} chest card, or stop? {bag} on your bag.", "bold")
    if not v.in_round[seat]:
        return Text("You are out: play any card, face down (~).", "bold")
    return Text(f"{_ask_card(v)}, or withdraw (w~){_describe_safe(int(v.on_bag[seat]))}.", "bold")


def _ask_card(v: Any) -> str:
    if v.lead_suit == NONE:
        return "You lead: play any card"
    name = SUIT_NAMES[v.lead_suit]
    if any(suit_of(card) == v.lead_suit for card in cards_in(v.hand)):
        return f"Follow {name}"
    return f"You have no {name}: play any card"


def _describe_safe(n: int) -> str:
    return f" and put {count_jewels(n)} inside" if n else ""
