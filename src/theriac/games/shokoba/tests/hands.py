"""Shokoba: how a move is made on its board, for the tests of the page."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.boards import Hands
from tests.page.browser import press_until, way_to_hand

READY = '[data-part="action"] button:not([aria-disabled=true])'


class BoardHands(Hands):
    """A card of the hand; then one of the groups that it captures, if there are several."""

    @property
    def hand(self) -> Locator:
        """The cards in hand."""
        return self.page.locator(".hand button")

    @property
    def groups(self) -> Locator:
        """The captures to choose from."""
        return self.page.locator("button.group.may")

    def choose(self) -> Locator:
        """Choose a card, and a capture; the button that makes the move."""
        card = self.hand.nth(self.chance.randrange(self.hand.count()))
        self.visitor.choose(card)
        ready = self.page.locator(READY)
        expect(ready.or_(self.groups).first).to_be_visible()
        if not ready.count():
            self.groups.nth(self.chance.randrange(self.groups.count())).click()
        return ready

    def move_by_mouse(self) -> None:
        """Choose, and click on what captures or lays."""
        before = self.own_moves.count()
        self.choose().click()
        expect(self.own_moves).not_to_have_count(before)

    def move_by_keyboard(self) -> None:
        """Walk to a card of the hand, to a capture, and to what makes the move."""
        before = self.own_moves.count()
        press_until(
            self.page, way_to_hand(self.page), r"(sapphire|ruby|emerald|diamond) \d+$", part="hand"
        )
        for _ in range(self.chance.randrange(self.hand.count())):
            self.page.keyboard.press("ArrowRight")
        if self.page.evaluate("document.activeElement.ariaPressed") != "true":
            self.page.keyboard.press("Space")
        expect(self.page.locator(".hand button[aria-pressed=true]")).to_be_focused()
        ready = self.page.locator(READY)
        expect(ready.or_(self.groups).first).to_be_visible()
        if not ready.count():
            self.groups.first.focus()
            self.page.keyboard.press("Enter")
        press_until(self.page, "Tab", "Capture |Lay |Claim", part="action")
        self.page.keyboard.press("Enter")
        expect(self.own_moves).not_to_have_count(before)
