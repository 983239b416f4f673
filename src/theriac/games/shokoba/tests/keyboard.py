"""Shokoba: how a move is made on its board by keys, for the tests of the page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.browser import Visitor, press_until
from tests.page.keys import choose

GEMS = {"S": "sapphire", "R": "ruby", "E": "emerald", "D": "diamond"}
#: Can a move that is refused be tried by keys, too?
CAN_ATTEMPT = True


def make_move(ana: Visitor, move: str) -> None:
    """Make a move on the board by keys."""
    card, _, captured = move.partition("=")
    choose(ana, f"{GEMS[card[0]]} {card[1:]}$")
    if captured:
        cards = ", ".join(f"{GEMS[one[0]]} {one[1:]}" for one in captured.split("+"))
        group = ana.page.locator("button.group", has_text=cards)
        expect(group).to_have_count(1)
        if group.get_attribute("aria-pressed") != "true":
            group.press("Enter")
    elif ana.page.locator("button.group").count():  # it captures, so the rules refuse to lay it
        ana.page.locator("button.baize").press("Enter")
    press_until(ana.page, "Tab", "Capture |Lay |Claim", part="action")
    ana.page.keyboard.press("Enter")
