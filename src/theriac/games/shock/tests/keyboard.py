"""Shock!: how a move is made on its board by keys, for the tests of the page."""

from __future__ import annotations

from tests.page.browser import Visitor, press_until
from tests.page.keys import choose

SUITS = {"H": "hearts", "S": "spades", "D": "diamonds", "C": "clubs"}
#: Can a move that is refused be tried by keys, too?
CAN_ATTEMPT = True


def make_move(ana: Visitor, move: str) -> None:
    """Make a move on the board by keys."""
    if move in ("open", "stop"):
        press_until(ana.page, "Tab", {"open": "Open", "stop": "Stop"}[move], part="action")
        ana.page.keyboard.press("Enter")
        return
    card = move.removeprefix("w~")
    choose(ana, f"{card[1:]} of {SUITS[card[0]]}")
    if card == move:
        # A card that is not allowed has a button that says so, and can be tried all the same.
        press_until(ana.page, "Tab", f"(Play )?{card[1:]} of {SUITS[card[0]]}", part="action")
    else:
        press_until(ana.page, "Tab", "Withdraw", part="action")
        ana.page.keyboard.press("Enter")
        press_until(ana.page, "Tab", "Yes, withdraw", part="action")
    ana.page.keyboard.press("Enter")
