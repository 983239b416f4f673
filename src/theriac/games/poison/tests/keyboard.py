"""Poison: how a move is made on its board by keys, for the tests of the page."""

from __future__ import annotations

from tests.page.browser import Visitor, press_until
from tests.page.keys import choose

COLOURS = {"R": "red", "B": "blue", "P": "purple"}
#: Can a move that is refused be tried by keys, too?
CAN_ATTEMPT = True


def make_move(ana: Visitor, move: str) -> None:
    """Make a move on the board by keys."""
    card, cauldron = move.split("@")
    choose(ana, "poison$" if card == "X" else f"{COLOURS[card[0]]} {card[1:]}$")
    press_until(ana.page, "Shift+Tab", f"Cauldron {cauldron}:")
    ana.page.keyboard.press("Enter")
