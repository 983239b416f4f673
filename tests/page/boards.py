"""How a move is made on the board of each game: with the mouse, and by keyboard alone.

A game is added here, and the tests of `test_boards` play it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from random import Random

from playwright.sync_api import Locator, expect

from tests.page.browser import NAME, TIMEOUT_MS, Visitor, press_until


class Hands(ABC):
    """Makes the moves of one player at a board."""

    def __init__(self, visitor: Visitor, chance: Random, name: str = "Ana") -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.chance = chance
        self.name = name

    @property
    def own_moves(self) -> Locator:
        """This player's moves in the log."""
        own = re.compile(rf"^\s*[\d:\sAPM]+\s{self.name}: ")
        return self.page.locator("ol.log li", has_text=own)

    @abstractmethod
    def choose(self) -> Locator:
        """Choose a move by clicking; what must be clicked to make it."""

    @abstractmethod
    def move_by_mouse(self) -> None:
        """Choose a move and make it by clicking."""

    @abstractmethod
    def move_by_keyboard(self) -> None:
        """Choose a move and make it by keys."""


class ShokobaHands(Hands):
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
        expect(self.hand).not_to_have_count(before, timeout=TIMEOUT_MS)

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
        expect(self.hand).not_to_have_count(before, timeout=TIMEOUT_MS)


CARD = r"\d+ of (hearts|spades|diamonds|clubs)"
#: The probability of withdrawing where it is allowed.
WITHDRAWING = 0.12


class ShockHands(Hands):
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
        expect(self.own_moves).not_to_have_count(before, timeout=TIMEOUT_MS)

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
        expect(self.own_moves).not_to_have_count(before, timeout=TIMEOUT_MS)

    def _choose_by_keyboard(self) -> None:
        """Walk along the hand to a card that may be played, and choose it."""
        press_until(self.page, "Tab", CARD)
        for _ in range(self.chance.randrange(9)):
            self.page.keyboard.press("ArrowRight")
        while "not allowed" in self.page.evaluate(NAME):
            self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("Space")
        expect(self.page.locator(".hand button[aria-pressed=true]")).to_be_focused()


class PoisonHands(Hands):
    """A card of the hand, then the cauldron that it goes into."""

    def choose(self) -> Locator:
        """Choose a card; a cauldron where it may go."""
        cards = self.page.locator(".hand button:not([inert])")
        card = cards.nth(self.chance.randrange(cards.count()))
        if card.get_attribute("aria-pressed") != "true":
            card.click()
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


ARROWS = ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp")
#: The classes of a place with a preview, which appears on hover.
PREVIEWED = re.compile(r"\b(won|falls|calm|lost)\b")

#: Can it be clicked, or does something else cover it?
IN_SIGHT = """place => {
    const {x, y, width, height} = place.getBoundingClientRect();
    return place.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


class DungeonHands(Hands):
    """A card of the hand (the Black Knight is there by himself), then its place in the fort."""

    @property
    def places(self) -> Locator:
        """Where the card may be laid."""
        return self.page.locator(".target.place.may")

    def choose(self) -> Locator:
        """Choose a card; a place for it, where a creature falls or at least nothing is lost."""
        chosen = self.page.locator(".hand .chosen")
        if not chosen.count():
            cards = self.page.locator(".hand button:not([inert])")
            cards.nth(self.chance.randrange(cards.count())).click()
        self._drag_into_sight(self.places.first)
        self.places.first.hover()
        expect(self.places.first).to_have_class(PREVIEWED)
        for wanted in (".falls, .won", ".calm", ".may"):
            good = self.page.locator(".target.place").and_(self.page.locator(wanted))
            if good.count():
                break
        place = good.nth(self.chance.randrange(good.count()))
        self._drag_into_sight(place)
        return place

    def _drag_into_sight(self, place: Locator) -> None:
        """Only a part of a large fort is in the window: drag it until the place is."""
        window, mouse = self.page.locator(".window"), self.page.mouse
        for _ in range(9):
            window.scroll_into_view_if_needed()
            if place.evaluate(IN_SIGHT):
                break
            here, there = window.bounding_box(), place.bounding_box()
            assert here and there
            x, y = here["x"] + here["width"] / 2, here["y"] + here["height"] / 2
            reach = 0.4 * min(here["width"], here["height"])
            mouse.move(x, y)
            mouse.down()
            x += max(-reach, min(x - there["x"], reach))
            y += max(-reach, min(y - there["y"], reach))
            mouse.move(x, y, steps=4)
            mouse.up()

    def move_by_mouse(self) -> None:
        """Choose, and click on the place."""
        before = self.own_moves.count()
        self.choose().click()
        expect(self.own_moves).not_to_have_count(before)

    def move_by_keyboard(self) -> None:
        """Walk to a card, back to the fort, and there to a place where nothing is lost."""
        before = self.own_moves.count()
        press_until(self.page, "Tab", "corridor|creature|Black Knight")
        if not self.page.locator(".hand .chosen").count():
            self.page.keyboard.press("Space")
        expect(self.places.first).to_be_visible()
        press_until(self.page, "Shift+Tab", r"Place -?\d")
        for _ in range(9):
            here = self.page.locator(".target.place:focus")
            expect(here).to_have_class(PREVIEWED)
            if not here.and_(self.page.locator(".lost")).count():
                break
            self.page.keyboard.press(self.chance.choice(ARROWS))
        self.page.keyboard.press("Enter")
        expect(self.own_moves).not_to_have_count(before)


HANDS: dict[str, type[Hands]] = {
    "Poison": PoisonHands,
    "Shokoba": ShokobaHands,
    "Shock! Knights & Poisons": ShockHands,
    "Anaphylaxis": ShockHands,
    "Knock, Knock! Dungeon!": DungeonHands,
}
