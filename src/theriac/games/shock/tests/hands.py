"""Shock! and Anaphylaxis: how a move is made on its board, for the tests of the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.page.boards import Hands
from tests.page.browser import NAME, press_until

CARD = r"\d+ of (hearts|spades|diamonds|clubs)"
#: The probability of withdrawing where it is allowed.
WITHDRAWING = 0.12


class BoardHands(Hands):
    """A card of the hand is chosen, then played or withdrawn with; or a question is answered."""

    @property
    def hand(self) -> Locator:
        """The cards in hand that may be played."""
        return self.page.locator(".hand button.card:not(.not)")

    @property
    def answers(self) -> Locator:
        """What may be answered where no card is asked for: the chest, a potion."""
        return self.page.locator(".choice button, .cures button")

    def choose(self) -> Locator:
        """Choose a card; the button that plays it."""
        self.hand.nth(self.chance.randrange(self.hand.count())).click()
        return self.page.locator(".play")

    def move_by_mouse(self) -> None:
        """Answer, or choose a card, and play it or withdraw."""
        before = self.own_moves.count()
        if self.answers.count():
            self.answers.nth(self.chance.randrange(self.answers.count())).click()
        else:
            play, withdraw = self.choose(), self.visitor.button(re.compile("^Withdraw with"))
            if withdraw.count() and self.chance.random() < WITHDRAWING:
                withdraw.click()
                self.visitor.button("Yes, withdraw").click()
            else:
                play.click()
        expect(self.own_moves).not_to_have_count(before)

    def move_by_keyboard(self) -> None:
        """Walk to an answer, or to a card and to what is done with it."""
        before, keys = self.own_moves.count(), self.page.keyboard
        if self.answers.count():
            wanted = self.answers.nth(self.chance.randrange(self.answers.count())).inner_text()
            press_until(self.page, "Tab", re.escape(wanted))
        else:
            self._choose_by_keyboard()
            leaving = self.chance.random() < WITHDRAWING
            if leaving and self.visitor.button(re.compile("^Withdraw with")).count():
                press_until(self.page, "Tab", "Withdraw with")
                keys.press("Enter")
                expect(self.visitor.button("Yes, withdraw")).to_be_focused()
            else:
                press_until(self.page, "Tab", f"Play {CARD}")
        keys.press("Enter")
        expect(self.own_moves).not_to_have_count(before)

    def _choose_by_keyboard(self) -> None:
        """Walk along the hand to a card that may be played, and choose it."""
        press_until(self.page, "Tab", CARD)
        for _ in range(self.chance.randrange(9)):
            self.page.keyboard.press("ArrowRight")
        while "not allowed" in self.page.evaluate(NAME):
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Space")
        expect(self.page.locator(".hand button[aria-pressed=true]")).to_be_focused()
