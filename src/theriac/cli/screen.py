"""How a game draws itself in the terminal.

A screen renders VIEW records with Rich; it never sees more than a seat does. `names` are the names
of the seats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from theriac.cli.move_input import in_natural_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from theriac import game


class Screen(Protocol):
    """The interface of `Game.screen`: a game's `screen.py`, or the plain screen."""

    #: One sentence: how to type a move.
    INPUT_HELP: str

    def paint(self, written: str) -> Text:
        """A card or a move in its colours and shapes."""

    def draw(self, v: Any, text: Any, names: Sequence[str]) -> RenderableType:
        """The table, and the hand of the seat whose VIEW this is."""

    def describe_move(self, before: Any, after: Any, move: int, text: Any) -> Text:
        """What a move did, from the views before and after it."""

    def summarize_round(
        self, before: Any, after: Any, move: int, text: Any, names: Sequence[str]
    ) -> RenderableType:
        """The score of the round that this move ended."""


class Guide(Screen, Protocol):
    """What a screen also has if its game has too many moves to list."""

    def prompt(self, v: Any, text: Any) -> RenderableType:
        """One line: what the player to act must do."""

    def preview(self, typed: str, v: Any, text: Any) -> RenderableType | None:
        """A preview of a card or place that was typed; None if something else was typed."""

    def read_move(self, typed: str, v: Any, text: Any) -> str:
        """The move that was typed, in notation; raises `Fault` if it is ambiguous."""


def find_screen(game: game.Game) -> Screen:
    """The screen of a game."""
    return cast(Screen, game.screen)


def find_guide(game: game.Game) -> Guide | None:
    """The screen of a game with too many moves to list; None for the others."""
    return cast(Guide, game.screen) if hasattr(game.screen, "read_move") else None


def number_moves(screen: Screen, legal: Sequence[str]) -> RenderableType:
    """The legal moves, numbered in natural order."""
    width = len(str(len(legal)))
    return Columns(
        [
            Text.assemble((f"{number:>{width}} ", "dim"), screen.paint(move))
            for number, move in enumerate(in_natural_order(legal), 1)
        ],
        padding=(0, 2),
        equal=True,
    )


def draw_result(
    game: game.Game, names: Sequence[str], scores: Sequence[float | None], winners: Sequence[int]
) -> RenderableType:
    """The result: the scoreboard, or the common result of a cooperative game."""
    if not game.together:
        return draw_scores(names, scores, winners)
    points = f", with {scores[0]} points" if scores[0] else ""
    if len(names) == 1:
        return Text(f"★ Won{points}" if winners else "Lost")
    return Text(f"★ All win together{points}" if winners else "All lose together")


def draw_scores(
    names: Sequence[str], scores: Sequence[float | None], winners: Sequence[int]
) -> RenderableType:
    """The scoreboard: points, and who won."""
    board = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    board.add_column()
    board.add_column(justify="right")
    board.add_column()
    for seat, name in enumerate(names):
        shown = "?" if scores[seat] is None else str(scores[seat])
        won = "★ wins" if winners == [seat] else "★ shares the win" if seat in winners else ""
        board.add_row(name, shown, won, style="bold" if seat in winners else "")
    return board
