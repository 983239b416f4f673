"""Positions, refusals and score sheets as text and JSON.

Everything here is made from a VIEW, so it shows a viewer nothing that the viewer may not know.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from theriac.game.notation import Notation


class Presentation(ABC):
    """How a game shows its positions.

    `per_seat` are the keys of `table` with one entry per seat, `seat_keys` those whose number is a
    seat: the plain screen and the text board put names to them.

    `same_for_all` says which of "scores", "table" and "recall" are the same from every viewpoint,
    always. A server makes those once for all clients, from the VIEW of a spectator.
    """

    per_seat: ClassVar[tuple[str, ...]] = ()
    seat_keys: ClassVar[tuple[str, ...]] = ()
    same_for_all: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def table(self, v: Any) -> dict[str, Any]:
        """What lies open: the object `table` of the record format (`docs/record.md`)."""

    @abstractmethod
    def hand(self, v: Any) -> list[str]:
        """The cards in the hand of the seat whose VIEW this is, in the order to show them."""

    def recall(self, v: Any) -> dict[str, Any]:
        """What else a careful player knows and a board may draw; empty in most games."""
        return {}

    def sheet(self, before: Any, after: Any, move: int) -> dict[str, Any] | None:
        """The score sheet of the round that this move ended; None in a game without one.

        `before` and `after` are a spectator's VIEWs around the move. The key `round` of the sheet
        is the number of the round.
        """
        return None

    def round_sheet(self, seen: Sequence[Any], moves: Sequence[int]) -> dict[str, Any] | None:
        """The same from the whole round, for a game whose last move does not show enough: instead
        of `sheet`, where a game gives it.

        `seen` are a spectator's VIEWs: before each move of the round, and after the last.
        """
        return self.sheet(seen[-2], seen[-1], moves[-1])

    def events(self, before: Any, after: Any, names: Sequence[str]) -> list[str]:
        """What a move caused besides, such as choices that it revealed: one line for each event.

        `before` and `after` are a viewer's VIEWs around the move, `names` those of the seats. The
        terminal prints the lines below the move.
        """
        return []

    @abstractmethod
    def explain(self, v: Any, text: str, clause: int) -> str:
        """Why a move was refused, in a few words for its player, from that player's VIEW."""


class Text(Notation, Presentation):
    """A game as text, for one deck: its notation and its presentation."""
