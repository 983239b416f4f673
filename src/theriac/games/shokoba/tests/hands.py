"""Shokoba: how a move is made on its board, for the tests of the page."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.boards import Hands
from tests.page.browser import press_until


class BoardHands(Hands):
    """A card of the hand; then the cards that it takes, pointed at or stepped to; or it is laid."""

    @property
    def hand(self) -> Locator:
        """The cards in hand."""
        return self.page.locator(".hand button:not([inert])")  # those that leave are inert

    def choose(self) -> Locator:
        """Point at a card of the hand, and at cards on the table until one capture is left."""
        self.hand.nth(self.chance.randrange(self.hand.count())).click()
        done = self.page.locator(".actions .main")
        for _ in range(10):
            if done.count():
                break
            ways = self.page.locator(".cards .may")
            ways.nth(self.chance.randrange(ways.count())).click()
        return done

    def move_by_mouse(self) -> None:
        """Choose, and click on what captures or lays."""
        before = self.hand.count()
        self.choose().click()
        expect(self.hand).not_to_have_count(before)

    def move_by_keyboard(self) -> None:
        """Walk to a card of the hand, step to a capture, and walk to what makes the move."""
        before = self.hand.count()
        press_until(self.page, "Tab", r"(sapphire|ruby|emerald|diamond) \d+$")
        for _ in range(self.chance.randrange(before)):
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Space")
        expect(self.page.locator(".hand button[aria-pressed=true]:not([inert])")).to_be_focused()
        if self.page.get_by_role("button", name="Next capture").count():
            press_until(self.page, "Tab", "Next capture")
            for _ in range(self.chance.randrange(1, 4)):
                self.page.keyboard.press("Enter")
        press_until(self.page, "Tab", r".* captures |lays ")
        self.page.keyboard.press("Enter")
        expect(self.hand).not_to_have_count(before)
