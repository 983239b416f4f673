"""Hearts, the board of a package, fills the stage: passing, a trick, and nothing shifts."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.page.windows import WATCH_SHIFTS, settled_faults

HAND, ACTION = '[data-part="hand"] button', '[data-part="action"] button'
CHOSEN = f"{HAND}[aria-pressed=true]"


def test_cards_to_pass_are_chosen_first_and_nothing_shifts(visit: Visit) -> None:
    ana = visit(reduced_motion="no-preference")
    page = ana.page
    ana.page.add_init_script(WATCH_SHIFTS)
    ana.play_now("hearts")
    assert ana.wait_for_turn()
    page.evaluate("shifts.length = 0")  # while it loaded
    for digit in "2594":  # one too many: the first is let go
        page.keyboard.press(digit)
    expect(page.locator(CHOSEN)).to_have_count(3)
    expect(page.locator(HAND)).to_have_count(13)
    expect(page.locator(ACTION)).to_have_text(re.compile("^Pass 3 cards to "))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Received from")).to_be_visible()
    for left in (12, 11):
        assert ana.wait_for_turn()
        assert settled_faults(ana) == []
        ana.press(page.locator(f"{HAND}:not(.dimmed)").first)
        expect(page.locator(CHOSEN)).to_have_count(1)
        page.locator(ACTION).click()
        expect(page.locator(HAND)).to_have_count(left)
    assert ana.wait_for_turn()
    assert page.evaluate("shifts") == []
    ana.check_screen_and_sizes("hearts")
