"""By keyboard alone, as text, in every language, at every size, light and dark."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.boards import each_board
from tests.page.browser import NAME, SCHEMES, Visitor, count_shown, press_until
from tests.page.conftest import Visit
from theriac.game import Game

#: A table with its fonts and board, text compressed, and all headers, in bytes.
MOST_FIRST_LOAD = 180_000


def test_by_keyboard_alone(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    page.goto("/")
    expect(ana.button("Play now: Poison")).to_be_visible()
    press_until(page, "Tab", "Play now: Poison")
    page.keyboard.press("Enter")
    for _ in range(4):
        assert ana.wait_for_turn()
        held = count_shown(page.locator(".hand button"))
        press_until(page, "Tab", r"(red|blue|purple) \d|poison")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        chosen = page.locator(".hand button[aria-pressed=true]")
        expect(chosen).to_have_count(1)
        expect(chosen).to_be_focused()
        for _ in range(10):
            page.keyboard.press("Shift+Tab")
            label = page.evaluate(NAME)
            if label.startswith("Cauldron") and "not allowed" not in label:
                break
        page.keyboard.press("Enter")
        expect(page.locator(".hand button")).to_have_count(held - 1)
    spoken = page.locator("[aria-live=polite][role=log]")
    assert ana.wait_for_turn()
    expect(spoken).to_contain_text("Your turn.")
    expect(spoken).to_contain_text("into cauldron")


def test_as_text_by_keyboard(visit: Visit) -> None:
    ana = visit("phone")
    page = ana.page
    ana.play_now()
    assert ana.wait_for_turn()
    ana.show_as_text(True)
    expect(page.get_by_role("region", name="The table as text")).to_be_visible()
    ana.check_screen("text")
    for _ in range(3):
        assert ana.wait_for_turn()
        moves = page.locator("ol.log li", has_text="Ana: ")
        before = moves.count()
        page.locator(".moves button").first.press("Enter")
        expect(moves).to_have_count(before + 1)


def test_a_refusal_says_why_and_leads_to_the_rule(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    ana.play_now()
    refused = page.get_by_role("alert")
    for _ in range(12):
        assert ana.wait_for_turn()
        cards = page.locator(".hand button")
        for i in range(count_shown(cards)):
            ana.press(cards.nth(i))
            if page.locator(".cauldron.not").count():
                break
        if page.locator(".cauldron.not").count():
            break
        held = cards.count()
        page.locator(".cauldron.may").first.click()
        expect(cards).not_to_have_count(held)
    page.locator(".cauldron.not").first.click()
    expect(refused).to_contain_text("You can’t do that:")
    ana.check_screen("refused")
    refused.get_by_role("button", name=re.compile("Rule POI-(08|10)")).click()
    wanted = page.locator('[data-part="drawer"] .wanted')
    expect(wanted).to_be_visible()
    expect(wanted).to_be_focused()
    ana.check_screen("rules-drawer")
    page.keyboard.press("Escape")
    expect(wanted).to_be_hidden()


TITLES = {
    "en": "Poison and jewels",
    "pt": "Venenos e joias",
    "fr": "Poisons et joyaux",
    "ja": "毒と宝石",
}


@pytest.mark.parametrize("language", TITLES)
def test_every_language_and_it_is_remembered(visit: Visit, language: str) -> None:
    ana = visit("phone")
    page = ana.page
    # Axe reads no sentences: one language that is not English is enough.
    check = ana.check_screen if language == "ja" else ana.check_layout
    page.goto("/")
    page.locator("select.language").select_option(language)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(TITLES[language])
    page.reload()
    expect(heading).to_have_text(TITLES[language])
    assert page.evaluate("document.documentElement.lang") == language
    expect(page.locator("article h3").first).to_be_visible()
    check(f"home-{language}")
    page.locator("article button").first.click()
    page.locator(".status.turn").wait_for()
    check(f"table-{language}")
    page.goto("/rules/poison")
    expect(page.locator("article li").first).to_be_visible()
    check(f"rules-{language}")


def test_the_browsers_language_comes_first(visit: Visit) -> None:
    ana = visit("phone", locale="fr-CA")
    ana.page.goto("/")
    expect(ana.page.get_by_role("heading", level=1)).to_have_text(TITLES["fr"])


def check_light_and_dark(ana: Visitor, name: str) -> None:
    """Check a screen in both colour schemes, each at a size of its own."""
    for size, scheme in SCHEMES.items():
        ana.resize(size)
        ana.page.emulate_media(color_scheme=scheme)
        ana.check_screen(f"{name}-{scheme}")


def test_screens_light_and_dark(visit: Visit) -> None:
    ana = visit("phone")
    page = ana.page
    page.goto("/")
    expect(page.locator("article h3").first).to_be_visible()
    check_light_and_dark(ana, "home")
    ana.play_now()
    assert ana.wait_for_turn()
    check_light_and_dark(ana, "table")
    ana.press(page.locator(".hand button").first)
    page.locator(".cauldron b").first.wait_for()
    check_light_and_dark(ana, "chosen")


@each_board
def test_the_first_load_is_small(game: Game, visit: Visit) -> None:
    ana = visit(new=True)
    received: list[int] = []
    line = ana.context.new_cdp_session(ana.page)
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda one: received.append(one["encodedDataLength"]))
    ana.page.goto(f"/play/{game.name}")
    assert ana.wait_for_turn()
    assert len(received) > 5
    assert sum(received) < MOST_FIRST_LOAD, sum(received)


def test_the_settings_are_on_one_page_and_remembered(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    page.goto("/settings")
    expect(page.get_by_label("Sound")).to_be_checked()
    page.get_by_label("Sound").uncheck()
    page.get_by_label("Pace").select_option("calm")
    page.get_by_label("Theme").select_option("dark")
    ana.check_screen_and_sizes("settings")
    page.reload()
    expect(page.get_by_label("Sound")).not_to_be_checked()
    expect(page.get_by_label("Pace")).to_have_value("calm")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_an_unknown_address_says_so(visit: Visit) -> None:
    ana = visit("phone")
    ana.page.goto("/nothing/here")
    expect(ana.page.get_by_text("/nothing/here")).to_be_visible()
    ana.check_screen_and_sizes("missing")
    ana.page.get_by_role("link", name="Home").click()
    expect(ana.page.get_by_role("heading", level=1)).to_have_text(TITLES["en"])
