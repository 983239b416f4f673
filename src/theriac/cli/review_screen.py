"""A review in the terminal: the curve, the account as a bar, the mistakes in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from theriac.game import find
from theriac.review.results import PARTS
from theriac.review.wording import TITLES, describe, percent, rounded

if TYPE_CHECKING:
    from rich.console import RenderableType

    from theriac.review import Review, SeatAccount

_COLOURS: Final = {
    "fair": "magenta",
    "cards": "red",
    "hidden": "blue",
    "skill": "green",
    "others": "yellow",
    "result": "white",
}
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
#: Lines of the curve of one seat, and of each of several.
_HIGH: Final = 8
_LOW: Final = 2
_MOST_MISTAKES: Final = 3
_LABEL: Final = 6


def draw_review(review: Review, seats: list[int], width: int) -> RenderableType:
    """All of a review for these seats."""
    width = max(40, min(width, 100))
    head = (
        f"{find(review.game).title}: {review.players} players, {review.curve[-1].n} moves, "
        f"{review.playouts:,} playouts"
    )
    shown: list[RenderableType] = [Text(head, "bold")]
    if review.together:
        shown.append(Text("All win or lose together: each account is that of the team.", "dim"))
    height = _HIGH if len(seats) == 1 else _LOW
    for seat in seats:
        account = review.seats[seat]
        shown.append(Text(f"\nSeat {seat}: {percent(account.result)} of the win", "bold"))
        shown += draw_curve([point.values[seat] for point in review.curve], height, width)
        shown += draw_account(account, width)
    shown.append(draw_table(review, seats))
    return Group(*shown, *draw_mistakes(review, seats))


def draw_curve(values: list[float], height: int, width: int) -> list[Text]:
    """The chances after each event, as blocks."""
    columns = min(width - _LABEL, max(len(values), 1))
    heights = [
        round(8 * height * values[min(len(values) - 1, i * len(values) // columns)])
        for i in range(columns)
    ]
    lines = []
    for row in reversed(range(height)):
        label = {height - 1: "100 %", 0: "0 %"}.get(row, "")
        blocks = "".join(_EIGHTHS[max(0, min(8, high - 8 * row))] for high in heights)
        lines.append(Text.assemble((f"{label:>{_LABEL - 1}} ", "dim"), (blocks, "yellow")))
    return lines


def draw_account(account: SeatAccount, width: int) -> list[Text]:
    """What raised the result above, what lowered it below: both lines are equally long."""
    gains = [part for part in PARTS if getattr(account, part) > 0]
    losses = [part for part in PARTS if getattr(account, part) < 0]
    total = sum(getattr(account, part) for part in gains)
    if total <= 0:
        return []
    return [
        _draw_bar(account, parts, (width - _LABEL) / total)
        for parts in (gains, [*losses, "result"])
    ]


def _draw_bar(account: SeatAccount, parts: list[str], unit: float) -> Text:
    line, end, drawn = Text(" " * _LABEL), 0.0, 0
    for part in parts:
        value = getattr(account, part)
        end += abs(value) * unit
        cells = round(end) - drawn
        drawn = round(end)
        error = getattr(account.errors, part, 0.0)
        label = f" {part} {rounded(value, error, signed=part not in ('fair', 'result'))} "
        label = label if len(label) <= cells else ""
        line.append(f"{label:^{cells}}"[:cells], f"black on {_COLOURS[part]}")
    return line


def draw_table(review: Review, seats: list[int]) -> Table:
    """The accounts in numbers."""
    table = Table(box=None, pad_edge=False, title="", padding=(0, 2, 0, 0))
    table.add_column("")
    for seat in seats:
        table.add_column(f"seat {seat}", justify="right")
    for part in PARTS:
        cells = [
            percent(
                getattr(review.seats[seat], part),
                getattr(review.seats[seat].errors, part),
                signed=part != "fair",
            )
            for seat in seats
        ]
        table.add_row(Text(TITLES[part], _COLOURS[part]), *cells)
    results = [percent(review.seats[seat].result) for seat in seats]
    table.add_row(Text(TITLES["result"], "bold"), *results)
    return table


def draw_mistakes(review: Review, seats: list[int]) -> list[Text]:
    """The largest mistakes of these seats, in words."""
    mistakes = [mistake for mistake in review.mistakes if mistake.seat in seats]
    if not mistakes:
        return [Text("\nNo mistake that is more than chance.")]
    most = _MOST_MISTAKES * len(seats)
    lines = [Text("\nThe largest mistakes", "bold")]
    lines += [Text(describe(mistake)) for mistake in mistakes[:most]]
    if len(mistakes) > most:
        lines.append(Text(f"and {len(mistakes) - most} more (--json lists all)", "dim"))
    return lines
