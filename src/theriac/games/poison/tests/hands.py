"""Poison: how a move is made on its board, for the tests of the page."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.boards import Hands
from tests.page.browser import press_until


class BoardHands(Hands):
    """A card of the hand, then the cauldron that it goes into."""

    def choose(self) -> Locator:
        """Choose a card; a cauldron where it may go."""
        cards = self.page.locator(".hand button:not([inert])")
        card = cards.nth(self.chance.randrange(cards.count()))
        self.visitor.choose(card)
        return self.page.locator(".cauldron.may").first

    def move_by_mouse(self) -> None:
        """Choose, and click on the cauldron."""
        before = self.own_moves.count()
        self.choose().click()
        expect(self.own_moves).not_to_have_count(before)

    def move_by_keyboard(self) -> None:
        """Walk along the hand to a card, and back to a cauldron."""
        before = self.own_moves.count()
        press_until(self.page, "Tab", r"(red|blue|purple) \d|poison")
        for _ in range(self.chance.randrange(4)):
            self.page.keyboard.press("ArrowRight")
        if not self.page.evaluate("document.activeElement.ariaPressed === 'true'"):
            self.page.keyboard.press("Space")
        expect(self.page.locator(".hand button[aria-pressed=true]:not([inert])")).to_be_focused()
        press_until(self.page, "Shift+Tab", r"Cauldron(?!.*not allowed)")
        self.page.keyboard.press("Enter")
        expect(self.own_moves).not_to_have_count(before)
