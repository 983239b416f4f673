"""A real Chromium on the page of a real server, which plays there as people do."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

from tests.faults.services import find_program
from tests.page.profiles import Profiles

ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
#: Screenshots of all screens, taken if THERIAC_SHOTS is set: nothing here looks at them.
SHOTS = Path(__file__).parent / "shots"
#: How long something that should happen at once may take, in milliseconds: the machine may be busy.
TIMEOUT_MS = 90_000
expect.set_options(timeout=TIMEOUT_MS)
#: How often a card is clicked until it is chosen, and how long that may take each time.
CLICKS, CHOSEN_MS = 5, 10_000
SIZES = {"phone": (360, 740), "desktop": (1280, 800)}
#: The colours at each size, where both are checked: no contrast depends on the size.
SCHEMES: dict[str, Literal["light", "dark"]] = {"phone": "light", "desktop": "dark"}
#: The accessible name of the focused element.
NAME = """(document.activeElement.querySelector(".hidden-text")?.textContent
    ?? document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.innerText
    ?? document.activeElement.innerText).trim()"""
#: What the page shows while it has no connection to its table.
LOST = "Connection lost"
#: What the browser logs while the server is down.
REFUSED_ERROR = "ERR_CONNECTION_REFUSED"
#: What axe finds wrong. To describe everything else that it checked would take three times as long.
_VIOLATIONS = """async tags => {
    const options = {runOnly: tags, resultTypes: ["violations"], iframes: false, preload: false};
    return (await axe.run(options)).violations;
}"""
#: Where an element can be seen and clicked once it is at rest, nearest to its middle; null where
#: others cover it. A new size of the window moves the cards of a hand some frames later.
_SEEN_AT = """async element => {
    const frame = () => new Promise(requestAnimationFrame);
    let box = element.getBoundingClientRect(), same = 0;
    while (same < 3) {
        await frame();
        const next = element.getBoundingClientRect();
        const still = ["x", "y", "width", "height"].every((side) => box[side] === next[side]);
        same = still ? same + 1 : 0;
        box = next;
    }
    const parts = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.15, 0.85, 0.1, 0.9, 0.05, 0.95];
    for (const y of parts) for (const x of parts) {
        const at = [box.x + x * box.width, box.y + y * box.height];
        if (element.contains(document.elementFromPoint(...at))) return at;
    }
    return null;
}"""
#: A new visitor has nothing from the one before. Others' moves are shown at once, unless the test
#: wants to see how.
_NEW_AND_QUICK = """if (location.protocol === "http:") {
    if (!sessionStorage.getItem("visited")) localStorage.clear();
    sessionStorage.setItem("visited", "yes");
    if (!localStorage.getItem("theriac.pace")) localStorage.setItem("theriac.pace", "instant");
}"""
#: Who has played before knows which games have a clock, unless the test asks about that.
KNOWS_CLOCKS = """if (location.protocol === "http:")
    localStorage.setItem("theriac.clock.dungeon", "on");"""
#: The sheet at the end of a round waits for the test: on a busy machine its countdown would end.
_PATIENT = """const every = window.setInterval;
    window.setInterval = (act, time, ...more) =>
        every(act, time === 1000 ? 60_000 : time, ...more);"""
#: What a player can do now: "read" the sheet of a round, "play", or nothing more ("over"); "" while
#: others play. One look at all three costs less than to look for a button by its role.
_TO_DO = """() => {
    const parts = {read: ".sheet .main", play: ".status.turn", over: ".finale .main:enabled"};
    return Object.keys(parts).find((part) => document.querySelector(parts[part])) ?? "";
}"""
#: Between two looks, in milliseconds.
_LOOK_MS = 50
#: The button of the sheet at the end of a round.
_NEXT_ROUND = re.compile("^(Next round|See how it ended)")
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --process-per-site"
)


def launch(playwright: Playwright) -> Browser:
    """Start Chromium."""
    return playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM") or _find_chromium(),
        args=_FLAGS.split(),
        timeout=2 * TIMEOUT_MS,
    )


def _find_chromium() -> str:
    """Its headless shell opens a page in half the time: it has no window around the page."""
    shell = "chromium-headless-shell"
    return shutil.which(shell) or shutil.which("chromium") or find_program(shell)


def count_shown(parts: Locator) -> int:
    """How many there are, once the first is shown: a board may load after the rest of its table."""
    expect(parts.first).to_be_visible()
    return parts.count()


class Visitor:
    """A person with their own profile. Errors and warnings of the page are collected."""

    def __init__(
        self,
        browser: Browser | Profiles,
        address: str,
        size: str = "desktop",
        *,
        knows_clocks: bool = True,
        **more: Any,
    ) -> None:
        width, height = SIZES[size]
        more = {"locale": "en-GB", "reduced_motion": "reduce", **more}
        self.context: BrowserContext = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            has_touch=size == "phone",
            **more,
        )
        self.context.set_default_timeout(TIMEOUT_MS)
        self.size = size
        self.console_errors: list[str] = []
        self.page: Page = self.context.new_page()
        # Scripts of the page, not of the profile, which has other visitors after this one.
        self.page.add_init_script(_NEW_AND_QUICK)
        self.page.add_init_script(_PATIENT)
        if knows_clocks:
            self.page.add_init_script(KNOWS_CLOCKS)
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.console_errors.append(str(error)))

    def _on_console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.console_errors.append(f"{message.type}: {message.text}")

    # Playing

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name)

    def play_now(self, game: str = "poison", name: str = "Ana") -> None:
        """By its address to a game against bots, as somebody who has been here before."""
        key = self.context.request.post("/api/players", data={"name": name}).json()["key"]
        self.page.goto(f"/play/{game}#key={key}&name={name}")

    def play_from_home(self, title: str, name: str = "Ana") -> None:
        """From the home page to a game against bots."""
        self.page.goto("/")
        self.page.get_by_label("Nickname").fill(name)
        self.button(f"Play now: {title}").click()

    def press(self, card: Locator) -> None:
        """Click a card where it can be seen: the cards of a hand lie over each other."""
        card.wait_for()
        seen_at = card.evaluate(_SEEN_AT)
        if seen_at is None:  # The card under the pointer covers its neighbours.
            self.page.mouse.move(1, 1)
            seen_at = card.evaluate(_SEEN_AT)
        assert seen_at is not None, f"{card.inner_text()} is covered"
        self.page.mouse.click(*seen_at)

    def choose(self, card: Locator) -> None:
        """Choose a card of the hand. While a hand is dealt it moves: a click may miss a card."""
        chosen = expect(card)
        for _ in range(CLICKS):
            if card.get_attribute("aria-pressed") != "true":
                self.press(card)
            with contextlib.suppress(AssertionError):
                chosen.to_have_attribute("aria-pressed", "true", timeout=CHOSEN_MS)
                return
        chosen.to_have_attribute("aria-pressed", "true")

    @property
    def sheet(self) -> Locator:
        """The sheet at the end of a round."""
        return self.page.locator(".sheet")

    @property
    def to_do(self) -> str:
        """What this player can do now: "read" a sheet, "play", nothing more ("over"), or ""."""
        found: str = self.page.evaluate(_TO_DO)
        return found

    def wait_for_turn(self) -> bool:
        """Wait until it is our turn (True) or the game is over (False); read the rounds' sheets."""
        latest = monotonic() + 2 * TIMEOUT_MS / 1000
        while (now := self.to_do) not in ("play", "over"):
            assert monotonic() < latest, "the game does not continue"
            if now == "read":
                self.read_sheet()
            else:
                self.page.wait_for_timeout(_LOOK_MS)
        return now == "play"

    def read_sheet(self) -> None:
        """Go on to the next round, if the sheet of the last one is shown."""
        if self.sheet.count():
            shown = self.button(_NEXT_ROUND).element_handle()
            shown.click()
            shown.wait_for_element_state("hidden")

    def wait_for_end(self) -> Locator:
        """Read the sheets that are left; the dialog at the end of the game."""
        end, sheet = self.page.get_by_role("dialog", name="Game over"), self.sheet
        while True:
            expect(end.or_(sheet).first).to_be_visible()
            if not sheet.count():
                return end
            self.read_sheet()

    def open_drawer(self, tab: str) -> None:
        """Open the drawer of a table: log, chat, rules or table."""
        key = {"log": "L", "chat": "C", "rules": "R", "table": "T"}[tab]
        drawer = self.page.locator('[data-part="drawer"]')
        # Not by the key: while the page still shows who sits down, it is a letter of a nickname.
        self.page.locator(f"[aria-keyshortcuts={key}]").click()
        chosen = drawer.locator(f'[role=tab][aria-selected=true][id$="-{tab}"]')
        expect(chosen).to_be_visible()
        # In the chat, the field to write in.
        expect(drawer.locator(":focus") if tab == "chat" else chosen).to_be_focused()

    def close_drawer(self) -> None:
        """Close the drawer."""
        self.page.locator('[data-part="drawer"] .close').click()
        expect(self.page.locator('[data-part="drawer"].open')).to_have_count(0)

    def choose_language(self, language: str) -> None:
        """Choose a language in the settings of a table."""
        self.open_drawer("table")
        self.page.locator('[data-part="drawer"] select.language').select_option(language)
        expect(self.page.locator("html")).to_have_attribute("lang", language)
        self.close_drawer()

    def show_as_text(self, as_text: bool) -> None:
        """Show the table as text, or as a board."""
        self.open_drawer("table")
        self.page.locator('[data-part="drawer"] input.as-text').set_checked(as_text)
        self.close_drawer()

    def play_a_card(self, chance: Random) -> None:
        """Choose a card of the hand and a cauldron for it."""
        # Not the number of cards: the last card of a round may be followed by a hand of one card.
        log = self.page.locator("ol.log li")
        before = log.count()
        hand = self.page.locator(".hand button")
        card = hand.nth(chance.randrange(count_shown(hand)))
        if card.get_attribute("aria-pressed") != "true":
            self.press(card)
        self.page.locator(".cauldron.may").first.click()
        expect(log).not_to_have_count(before)

    # Faults

    def wait_for_connection(self) -> None:
        """Wait until the page has reconnected."""
        expect(self.page.get_by_text(LOST)).to_have_count(0, timeout=2 * TIMEOUT_MS)

    def ignore_downtime_errors(self) -> None:
        """Drop the errors that the browser logged while the server was down, and no others."""
        self.console_errors = [one for one in self.console_errors if REFUSED_ERROR not in one]

    # Checking

    def shot(self, name: str) -> None:
        """Take a screenshot of the whole page, if they are wanted."""
        if os.environ.get("THERIAC_SHOTS"):
            SHOTS.mkdir(exist_ok=True)
            self.page.screenshot(path=SHOTS / f"{name}-{self.size}.png", full_page=True)

    def check_layout(self, name: str) -> None:
        """Take a screenshot; check that nothing overflows sideways."""
        self.shot(name)
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.page.evaluate(wide) <= 0, f"{name}: it overflows sideways"

    def check_screen(self, name: str) -> None:
        """Check the layout, and that axe finds no fault."""
        self.check_layout(name)
        if not self.page.evaluate("'axe' in window"):  # half a megabyte
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        found = self.page.evaluate(_VIOLATIONS, rules)
        bad = [
            f"{one['id']}: {one['help']}: {[node['html'] for node in one['nodes']][:3]}"
            for one in found
        ]
        assert bad == [], f"{name}: " + "\n".join(bad)

    def check_screen_and_sizes(self, name: str) -> None:
        """Check the screen, and the layout at the other size, too."""
        self.check_screen(name)
        size = self.size
        self.resize(next(other for other in SIZES if other != size))
        self.check_layout(name)
        self.resize(size)

    def resize(self, size: str) -> None:
        """Make the window as large as that of a phone or of a desktop."""
        self.size = size
        width, height = SIZES[size]
        self.page.set_viewport_size({"width": width, "height": height})


class SocketSwitch:
    """Cuts the connection of a page to its table. Create it before the page opens the table."""

    def __init__(self, page: Page) -> None:
        self.sockets: list[Any] = []
        self._is_cut = False
        page.route_web_socket("**/socket", self._route)

    def _route(self, socket: Any) -> None:
        if self._is_cut:
            socket.close(code=1001)
            return
        socket.connect_to_server()
        self.sockets.append(socket)

    def cut(self) -> None:
        """Close the socket, and refuse new ones."""
        self._is_cut = True
        self.sockets[-1].close(code=1001)

    def mend(self) -> None:
        """Allow new sockets."""
        self._is_cut = False


def press_until(page: Page, key: str, name: str, most: int = 60, part: str = "") -> None:
    """Press a key until the name of the focused element matches; in a part of the table."""
    inside = f"!!document.activeElement.closest('[data-part=\"{part}\"]')" if part else "true"
    for _ in range(most):
        page.keyboard.press(key)
        focus, is_inside = page.evaluate(f"[{NAME}, {inside}]")
        if re.match(name, focus) and is_inside:
            return
    raise AssertionError(f"{key} never came to {name}")


def way_to_hand(page: Page) -> str:
    """The key to the hand: back from the button that made the last move, else on."""
    return "Shift+Tab" if page.locator('[data-part="action"] :focus').count() else "Tab"
