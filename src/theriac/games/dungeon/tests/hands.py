"""Knock, Knock! Dungeon!: how a move is made on its board, for the tests of the page."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.page.boards import Hands
from tests.page.browser import press_until

ARROWS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")
#: The classes of a place whose preview has come.
PREVIEWED = re.compile(r"\b(won|falls|calm|lost)\b")


class BoardHands(Hands):
    """A card of the hand (the Black Knight is there by himself), then its place in the fort."""

    @property
    def places(self) -> Locator:
        """Where the card may be laid."""
        return self.page.locator(".target.place.may")

    def choose(self) -> Locator:
        """Choose a card; a place for it, where a creature falls or at least nothing is lost."""
        chosen = self.page.locator(".hand .chosen")
        if not chosen.count():
            cards = self.page.locator(".hand button")
            cards.nth(self.chance.randrange(cards.count())).click()
        expect(self.places.first).to_have_class(PREVIEWED)
        for wanted in (".falls, .won", ".calm", ".may"):
            good = self.page.locator(".target.place").and_(self.page.locator(wanted))
            if good.count():
                break
        return good.nth(self.chance.randrange(good.count()))

    def move_by_mouse(self) -> None:
        """Choose, and click on the place."""
        before = self.own_moves.count()
        place = self.choose()
        place.focus()  # a small window shows a part of a large fort, and follows the focus
        place.click()
        expect(self.own_moves).not_to_have_count(before)

    def move_by_keyboard(self) -> None:
        """Walk to a card, back to the fort, and there to a place where nothing is lost."""
        before = self.own_moves.count()
        press_until(self.page, "Tab", "corridor|creature|Black Knight")
        if not self.page.locator(".hand .chosen").count():
            self.page.keyboard.press("Space")
        expect(self.places.first).to_be_visible()
        press_until(self.page, "Shift+Tab", "Place on ")
        for _ in range(9):
            here = self.page.locator(".target.place:focus")
            expect(here).to_have_class(PREVIEWED)
            if not here.and_(self.page.locator(".lost")).count():
                break
            self.page.keyboard.press(self.chance.choice(ARROWS))
        self.page.keyboard.press("Enter")
        expect(self.own_moves).not_to_have_count(before)
