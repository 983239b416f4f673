"""A real Chromium that visits the page of a real server, and plays there as people do."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

from tests.faults.services import find_program

ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
#: Where pictures of all screens are left.
SHOTS = Path(__file__).parent / "shots"
#: How long something may take that should come at once: other programs may keep the machine busy.
PATIENCE = 90_000
expect.set_options(timeout=PATIENCE)
SIZES = {"phone": (360, 740), "desktop": (1280, 800)}
#: What is said of the thing that has the focus.
NAME = """(document.activeElement.querySelector(".hidden-text")?.textContent
    ?? document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText
    ?? document.activeElement.innerText).trim()"""
#: What the page says while it has no line to its table.
LOST = "The line is lost"
#: What the browser itself says while the server is away.
AWAY = "ERR_CONNECTION_REFUSED"
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)


def launch(playwright: Playwright) -> Browser:
    """Start Chromium."""
    return playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM") or find_program("chromium"),
        args=_FLAGS.split(),
        timeout=2 * PATIENCE,
    )


class Visitor:
    """Somebody with a browser of their own. What the page complains of is kept."""

    def __init__(self, browser: Browser, address: str, size: str = "desktop", **more: Any) -> None:
        width, height = SIZES[size]
        more = {"locale": "en-GB", "reduced_motion": "reduce", **more}
        self.context: BrowserContext = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            has_touch=size == "phone",
            **more,
        )
        self.context.set_default_timeout(PATIENCE)
        self.size = size
        self.complaints: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    # Going about

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button by what it says."""
        return self.page.get_by_role("button", name=name)

    def play_now(self, game: str = "Poison", name: str = "Ana") -> None:
        """From the first page to a game against bots."""
        self.page.goto("/")
        self.page.get_by_label("Nickname").fill(name)
        self.button(f"Play now: {game}").click()

    def wait_for_turn(self) -> bool:
        """Wait until it is our turn (True) or the game is over (False)."""
        turn, over = self.page.locator(".status.turn"), self.button("Play again")
        expect(turn.or_(over).first).to_be_visible(timeout=2 * PATIENCE)
        return over.count() == 0

    def play_a_card(self, chance: Random) -> None:
        """Choose a card of the hand and put it where it may go."""
        hand = self.page.locator(".hand button")
        before = hand.count()
        card = hand.nth(chance.randrange(before))
        if card.get_attribute("aria-pressed") != "true":
            card.click()
        self.page.locator(".cauldron.may").first.click()
        expect(hand).not_to_have_count(before, timeout=PATIENCE)

    # Trouble

    def wait_for_line(self) -> None:
        """Wait until the line is back."""
        expect(self.page.get_by_text(LOST)).to_have_count(0, timeout=2 * PATIENCE)

    def forgive_the_server(self) -> None:
        """It was away, and the browser said so: nothing else is forgiven."""
        self.complaints = [one for one in self.complaints if AWAY not in one]

    # Looking

    def shot(self, name: str) -> None:
        """Keep a picture of the whole page."""
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}-{self.size}.png", full_page=True)

    def check_screen(self, name: str) -> None:
        """A picture; nothing sticks out sideways; axe finds nothing against it."""
        self.shot(name)
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.page.evaluate(wide) <= 0, f"{name}: it sticks out sideways"
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        found = self.page.evaluate("tags => axe.run({runOnly: tags})", rules)
        bad = [
            f"{one['id']}: {one['help']}: {[node['html'] for node in one['nodes']][:3]}"
            for one in found["violations"]
        ]
        assert bad == [], f"{name}: " + "\n".join(bad)


class LooseLine:
    """The line of a page to its tables, which can be cut. It must be there before the table."""

    def __init__(self, page: Page) -> None:
        self.lines: list[Any] = []
        self._is_cut = False
        page.route_web_socket("**/socket", self._between)

    def _between(self, line: Any) -> None:
        if self._is_cut:
            line.close(code=1001)
            return
        line.connect_to_server()
        self.lines.append(line)

    def cut(self) -> None:
        """Hang up, and let no other line through."""
        self._is_cut = True
        self.lines[-1].close(code=1001)

    def mend(self) -> None:
        """Let the next line through."""
        self._is_cut = False


def press_until(page: Page, key: str, name: str, most: int = 60) -> None:
    """Press a key until what has the focus is called so."""
    for _ in range(most):
        page.keyboard.press(key)
        focus = page.evaluate(NAME)
        if re.match(name, focus):
            return
    raise AssertionError(f"{key} never came to {name}")
