"""Knock, Knock! Dungeon!: how a move is made on its board by keys, for the tests of the page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.browser import NAME, Visitor, press_until
from tests.page.keys import choose

#: Can a move that is refused be tried by keys, too?
CAN_ATTEMPT = False


def make_move(ana: Visitor, move: str) -> None:
    """Make a move on the board by keys."""
    card, place = move.split("@")
    choose(ana, "corridor with corners " + " ".join(card[:4]))
    if card.endswith("r"):
        ana.page.keyboard.press("]")
    goal = ana.page.locator(f'.target.may[data-key="{place}"]')
    expect(goal).to_be_visible()
    press_until(ana.page, "Shift+Tab", "Place on ")
    for _ in range(30):
        here = ana.page.evaluate("document.activeElement.dataset.key").split(",")
        x, y = (int(there) - int(at) for there, at in zip(place.split(","), here, strict=True))
        if not x and not y:
            ana.page.keyboard.press("Enter")
            return
        across = "ArrowRight" if x > 0 else "ArrowLeft"
        ana.page.keyboard.press(across if abs(x) >= abs(y) else "ArrowDown" if y > 0 else "ArrowUp")
    raise AssertionError(f"arrow keys never came to {place}, only to {ana.page.evaluate(NAME)}")
