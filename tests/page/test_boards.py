"""Every board of `boards`: whole games with the mouse and by keyboard; every language; as text."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from tests.page.boards import HANDS
from tests.page.conftest import Visit

LANGUAGES = ("en", "pt", "fr", "ja")
#: Clicks; how many things moved at once until half a second after the move is in the log.
MOST_ANIMATIONS = """button => new Promise(done => {
    const told = () => document.querySelectorAll('ol.log li').length;
    const before = told();
    let most = 0, gone = 0;
    const look = () => {
        most = Math.max(most, document.getAnimations().length);
        if (!gone && told() !== before) gone = performance.now();
        if (!gone || performance.now() < gone + 500) return;
        clearInterval(timer);
        done(most);
    };
    const timer = setInterval(look, 10);
    button.click();
})"""
each_game = pytest.mark.parametrize("game", list(HANDS))


@each_game
@pytest.mark.parametrize(("size", "way"), [("desktop", "mouse"), ("phone", "keyboard")])
def test_a_whole_game(visit: Visit, game: str, size: str, way: str) -> None:
    dark = "dark" if way == "mouse" else "light"
    ana = visit(size, color_scheme=dark)
    hands = HANDS[game](ana, Random(1))
    ana.play_now(game)
    moves = 0
    while ana.wait_for_turn():
        if way == "mouse":
            hands.move_by_mouse()
        else:
            hands.move_by_keyboard()
        moves += 1
        if moves in (5, 20):
            ana.check_screen(f"{game}-{moves}-{dark}")
    expect(ana.page.get_by_role("region", name="The end of the game")).to_be_visible()
    ana.check_screen(f"{game}-over-{dark}")
    ana.page.get_by_role("link", name="Look back at this game").click()
    expect(ana.page.get_by_role("button", name="One move back")).to_be_visible()
    ana.check_screen(f"{game}-replay-{dark}")


@each_game
def test_every_language(visit: Visit, game: str) -> None:
    ana = visit("phone", color_scheme="dark")
    page = ana.page
    ana.play_now(game)
    assert ana.wait_for_turn()
    page.locator(".hand button").first.click()
    for language in LANGUAGES:
        page.locator("header select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        ana.check_screen(f"{game}-{language}")
        page.locator(".head button[aria-pressed]").click()
        expect(page.locator(".moves button").first).to_be_attached()
        ana.check_screen(f"{game}-text-{language}")
        page.locator(".head button[aria-pressed]").click()


@each_game
@pytest.mark.parametrize(("motion", "moved"), [("no-preference", True), ("reduce", False)])
def test_cards_move_unless_one_wishes_not(
    visit: Visit, game: str, motion: str, moved: bool
) -> None:
    ana = visit(reduced_motion=motion)
    ana.play_now(game)
    assert ana.wait_for_turn()
    button = HANDS[game](ana, Random(2)).choose()
    most = button.evaluate(MOST_ANIMATIONS)
    assert (most > 0) is moved
