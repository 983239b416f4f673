"""How a game draws itself in the terminal: its module `screen`.

A screen turns VIEW records into what Rich can show; it never sees more than a seat does. `names`
are what the seats are called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from theriac.cli.parameters import find_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from theriac import game


class Screen(Protocol):
    """What a game's `screen.py` must have."""

    #: How a move is typed, in a sentence.
    TYPING: str

    def paint(self, written: str) -> Text:
        """A card or a move in its colours and shapes."""

    def draw(self, v: Any, text: Any, names: Sequence[str]) -> RenderableType:
        """The table, and the hand of the seat whose VIEW this is."""

    def tell(self, before: Any, after: Any, move: int, text: Any) -> Text:
        """What a move did, from the views before and after it."""

    def sum_up(
        self, before: Any, after: Any, move: int, text: Any, names: Sequence[str]
    ) -> RenderableType:
        """How the round that this move ended was scored."""


class Guide(Screen, Protocol):
    """What the screen of a game also has where the moves are too many to be listed."""

    def ask(self, v: Any, text: Any) -> RenderableType:
        """What is asked of the player to act, in a line."""

    def look(self, typed: str, v: Any, text: Any) -> RenderableType | None:
        """What a player asks to see before a move; None if what was typed is nothing of that."""

    def read_move(self, typed: str, v: Any, text: Any) -> str:
        """What was typed as a move is written; raises `Fault` where it could be several."""


def find_screen(game: game.Game) -> Screen:
    """The screen of a game."""
    return cast(Screen, find_part(game, "screen"))


def find_guide(game: game.Game) -> Guide | None:
    """The screen of a game with too many moves to list; None for the others."""
    screen = find_part(game, "screen")
    return cast(Guide, screen) if hasattr(screen, "read_move") else None


def number_moves(screen: Screen, legal: Sequence[str]) -> RenderableType:
    """The legal moves, numbered."""
    width = len(str(len(legal)))
    return Columns(
        [
            Text.assemble((f"{number:>{width}} ", "dim"), screen.paint(move))
            for number, move in enumerate(legal, 1)
        ],
        padding=(0, 2),
        equal=True,
    )


def draw_result(
    game: game.Game, names: Sequence[str], scores: Sequence[float | None], winners: Sequence[int]
) -> RenderableType:
    """How a game ended: the scoreboard, or what all have done together."""
    if not game.together:
        return draw_scores(names, scores, winners)
    points = f", with {scores[0]} points" if scores[0] else ""
    if len(names) == 1:
        return Text(f"★ Won{points}" if winners else "Lost")
    return Text(f"★ All win together{points}" if winners else "All lose together")


def draw_scores(
    names: Sequence[str], scores: Sequence[float | None], winners: Sequence[int]
) -> RenderableType:
    """The scoreboard: who has how many points, and who has won."""
    board = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    board.add_column()
    board.add_column(justify="right")
    board.add_column()
    for seat, name in enumerate(names):
        shown = "?" if scores[seat] is None else str(scores[seat])
        won = "★ wins" if winners == [seat] else "★ shares the win" if seat in winners else ""
        board.add_row(name, shown, won, style="bold" if seat in winners else "")
    return board
