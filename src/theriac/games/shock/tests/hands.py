"""Shock! and Anaphylaxis: how a move is made on its board, for the tests of the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.page.boards import Hands
from tests.page.browser import press_until, way_to_hand

CARD = r"\d+ of (hearts|spades|diamonds|clubs)"
#: The probability of withdrawing where it is allowed.
WITHDRAWING = 0.12


class BoardHands(Hands):
    """A card of the hand is chosen, then played or withdrawn with; or a question is answered."""

    @property
    def hand(self) -> Locator:
        """The cards in hand that may be played."""
        return self.page.locator(".hand button:not(.dimmed)")

    @property
    def cures(self) -> Locator:
        """What may be answered about a potion."""
        return self.page.locator(".cures button")

    @property
    def chest(self) -> Locator:
        """Asked whether to open another card: to open it, or to stop."""
        asked = self.page.locator("button.one.mine")
        return self.page.locator(".act, .quiet-way") if asked.count() else asked

    @property
    def answers(self) -> Locator:
        """What may be answered where no card is asked for: the chest, a potion."""
        return self.cures if self.cures.count() else self.chest

    @property
    def withdraw(self) -> Locator:
        """Leave with what is in the bag."""
        return self.visitor.button(re.compile("^Withdraw"))

    def choose(self) -> Locator:
        """Choose a card; the button that plays it."""
        card = self.hand.nth(self.chance.randrange(self.hand.count()))
        self.visitor.choose(card)
        return self.page.locator(".act")

    def move_by_mouse(self) -> None:
        """Answer, or choose a card, and play it or withdraw."""
        before = self.own_moves.count()
        if self.answers.count():
            self.answers.nth(self.chance.randrange(self.answers.count())).click()
        else:
            play = self.choose()
            if self.withdraw.count() and self.chance.random() < WITHDRAWING:
                self.withdraw.click()
                self.page.locator(".act", has_text="Yes, withdraw").click()
            else:
                play.click()
        expect(self.own_moves).not_to_have_count(before)

    def move_by_keyboard(self) -> None:
        """Walk to an answer, or to a card and to what is done with it."""
        before, keys = self.own_moves.count(), self.page.keyboard
        if self.answers.count():
            wanted = self.answers.nth(self.chance.randrange(self.answers.count()))
            name = " ".join(wanted.inner_text().split())
            part = "" if self.cures.count() else "action"
            press_until(self.page, "Tab", re.escape(name.split(" ")[0]), part=part)
        else:
            self._choose_by_keyboard()
            leaving = self.chance.random() < WITHDRAWING
            if leaving and self.withdraw.count():
                press_until(self.page, "Tab", "Withdraw", part="action")
                keys.press("Enter")
                press_until(self.page, "Tab", "Yes, withdraw", part="action")
            else:
                press_until(self.page, "Tab", f"Play {CARD}", part="action")
        expect(self.page.locator("button:focus")).not_to_have_attribute("aria-disabled", "true")
        keys.press("Enter")
        expect(self.own_moves).not_to_have_count(before)

    def _choose_by_keyboard(self) -> None:
        """Walk along the hand to a card that may be played, and choose it."""
        press_until(self.page, way_to_hand(self.page), CARD)
        for _ in range(self.chance.randrange(9)):
            self.page.keyboard.press("ArrowRight")
        while self.page.locator(".hand button:focus.dimmed").count():
            self.page.keyboard.press("ArrowRight")
        if self.page.evaluate("document.activeElement.ariaPressed") != "true":
            self.page.keyboard.press("Space")
        expect(self.page.locator(".hand button[aria-pressed=true]")).to_be_focused()
