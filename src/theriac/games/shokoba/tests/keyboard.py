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
    name = f"{GEMS[card[0]]} {card[1:]}"
    choose(ana, f"{name}$")
    if not captured:
        press_until(ana.page, "Tab", f"{name} can capture, so it must")
        ana.page.keyboard.press("Enter")
        return
    cards = ", ".join(f"{GEMS[one[0]]} {one[1:]}" for one in captured.split("+"))
    taking = ana.page.get_by_role("button", name=f"{name} captures {cards}")
    following = ana.page.get_by_role("button", name="Next capture")
    expect(taking.or_(following).first).to_be_visible()
    if not taking.count():
        press_until(ana.page, "Tab", "Next capture")
        while not taking.count():
            ana.page.keyboard.press("Enter")
    press_until(ana.page, "Tab", f"{name} captures {cards}")
    ana.page.keyboard.press("Enter")
