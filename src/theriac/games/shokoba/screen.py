"""Shokoba in the terminal. A gem is always a letter and a shape too: ■S ●R ▲E ◆D."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from theriac.games.shokoba.rules import side_of
from theriac.games.shokoba.sheet import SCORED, end_of_round
from theriac.games.shokoba.state import BANG, BASE, CLAIM, NONE, PASS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from theriac.games.shokoba.text import ShokobaText

INPUT_HELP: Final = (
    "Type the card to lay, or the card and what it captures: S4, or e7 s3 r4, "
    "or just e7 where it has only one way."
)

SHAPES: Final = "■●▲◆"
#: Easy to tell apart for the colour-blind too, and readable on black and on white.
STYLES: Final = ("bold #3B8FD9", "bold #E0600F", "bold #2E9E6B", "bold #C46BA6")
_LETTERS: Final = "SRED"
_CARD = re.compile(r"[SRED][0-9]+")


def paint(written: str) -> Text:
    """A card or a move in its colours and shapes."""
    painted = Text()
    end = 0
    for card in _CARD.finditer(written):
        gem = _LETTERS.index(card[0][0])
        painted.append(written[end : card.start()])
        painted.append(SHAPES[gem] + card[0], STYLES[gem])
        end = card.end()
    return painted.append(written[end:])


def paint_row(cards: Iterable[str]) -> Text:
    """Cards side by side."""
    return Text("  ").join(paint(card) for card in cards)


def draw(v: Any, text: ShokobaText, names: Sequence[str]) -> RenderableType:
    """The open cards, the seats, and one's own hand."""
    kind = "Tie-break round" if v.tie_break else "Round"
    head = f"{kind} {v.rounds}, {names[v.dealer]} dealt, {v.left} cards left in the deck"
    cards = [text.cards[card] for card in v.table[: v.on_table].tolist()]
    lying = paint_row(cards) if cards else Text("empty", "dim")
    parts: list[RenderableType] = [
        Text(head, "bold"),
        Panel(lying, title="on the table", title_align="left", border_style="dim"),
        _draw_seats(v, names),
    ]
    if v.laid != NONE:
        laid = paint(text.cards[v.laid])
        parts.append(Text.assemble("Overlooked: ", laid, " could have captured."))
    if v.seat >= 0:
        hand = [text.cards[card] for card in v.hand[: v.sizes[v.seat]].tolist()]
        parts.append(Text.assemble(("Your hand  ", "bold"), paint_row(hand)))
    return Group(*parts)


def _draw_seats(v: Any, names: Sequence[str]) -> RenderableType:
    board = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    board.add_column("")
    board.add_column("")
    for heading in ("cards in hand", "captured", "shokobas", f"gems, of {v.target}"):
        board.add_column(heading, justify="right")
    for seat in range(int(v.players)):
        here = seat == int(v.to_act)
        name = names[seat] if v.playing[seat] else f"{names[seat]} (not in this round)"
        board.add_row(
            "▸" if here else "",
            f"{name}{_describe_team(v, seat)}",
            str(v.sizes[seat]),
            str(v.captured[side_of(v, seat)]),
            str(v.shokobas[seat]),
            str(v.scores[seat]),
            style="bold" if here else "",
        )
    return board


def _describe_team(v: Any, seat: int) -> str:
    return f" (team {'AB'[seat % 2]})" if v.teams else ""


def describe_move(before: Any, after: Any, move: int, text: ShokobaText) -> Text:
    """What a move did."""
    rest, played = divmod(move, BASE)
    if played == PASS:
        return Text("lets it lie")
    if rest == 0:
        return Text.assemble("lays ", paint(text.cards[played]))
    if rest == BANG:
        return Text.assemble("lays ", paint(text.cards[played]), ", overlooking a capture")
    card, verb = played, "captures"
    if played == CLAIM:
        card, verb = int(before.laid), "is claimed, and with it"
    said = Text.assemble(paint(text.cards[card]), f" {verb} ", paint_row(_captured(rest, text)))
    if end_of_round(before, move, leftover=False).on_table == 0:
        said.append("  SHOKOBA!", "bold")
    return said


def _captured(rest: int, text: ShokobaText) -> list[str]:
    cards = []
    while rest:
        rest, digit = divmod(rest, BASE)
        cards.append(text.cards[digit - 1])
    return cards


def summarize_round(
    before: Any, after: Any, move: int, text: ShokobaText, names: Sequence[str]
) -> RenderableType:
    """SHO-17, SHO-19: the piles of the round, and who got a gem for what."""
    sheet = text.sheet(before, after, move)
    title = f"Round {sheet['round']} is over"
    if not sheet["scored"]:
        why = f"a SHOKOBA reaches {sheet['target']} gems, so it is not scored"
        return Text(f"{title}: {why}", "bold")
    board = Table(title=title, title_style="bold", title_justify="left")
    board.add_column("")
    seats = sorted((seat, i) for i, side in enumerate(sheet["sides"]) for seat in side)
    for seat, _ in seats:
        team = _describe_team(before, seat).replace(" (", "\n(")
        board.add_column(names[seat] + team, justify="right")
    columns = [_score_seat(sheet, seat, side) for seat, side in seats]
    for label, *row in zip(_labels(), *columns, strict=True):
        board.add_row(label, *row)
    return Group(board, Text("A star is a gem won; so is every SHOKOBA.", "dim"))


def _labels() -> list[Text]:
    gems = [Text(f"{SHAPES[gem]} {name}", STYLES[gem]) for gem, name in SCORED]
    return [*gems, Text("cards"), Text("SHOKOBAs"), Text("gems won"), Text("gems in all", "bold")]


def _score_seat(sheet: dict[str, Any], seat: int, side: int) -> list[str]:
    """A seat's piles with a star for each gem won, its SHOKOBAs, and the sums."""
    column = [
        f"{'★ ' if line['got'] == side else ''}{line['counts'][side]}" for line in sheet["lines"]
    ]
    sums = (sheet["shokobas"][seat], sheet["won"][side], sheet["gems"][side])
    return [*column, *map(str, sums)]
