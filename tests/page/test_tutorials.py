"""Tutorials in the page: completed by keyboard, in every language, and with wrong moves."""

from __future__ import annotations

import importlib
import json
import re
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.page.browser import TIMEOUT_MS, Visitor, press_until
from tests.page.conftest import Visit
from tests.page.windows import PHONES
from theriac.game import all_games, find
from theriac.testing.profiles import often
from theriac.tutorial import Step, read_tutorial

#: Those that have a tutorial.
NAMES = [
    name
    for name, game in all_games().items()
    if (game.folder / "tutorial" / f"{name}.toml").exists()
]
LANGUAGES = ("en", "pt", "fr", "ja")


def own_keys(game: str) -> Any:
    """How a move is made by keys on the board of a game: `tests/keyboard.py` in its folder.

    Where there is none, the learner lets the page show each move.
    """
    if not (find(game).folder / "tests" / "keyboard.py").exists():
        return None
    return importlib.import_module(f"{find(game).module}.tests.keyboard")


def show_me(ana: Visitor) -> None:
    """Let the page make the move that the step asks for."""
    press_until(ana.page, "Tab", "Show me")
    ana.page.keyboard.press("Enter")


#: The pause of the page after each move that it shows.
PAUSE_MS = 900


def learn(ana: Visitor, game: str) -> None:
    """Open a tutorial, with a clock that `where` can turn."""
    ana.page.clock.install()
    ana.page.goto(f"/learn/{game}")


def where(ana: Visitor, number: int, game: str) -> Locator:
    """The element that shows the number of the next step, when all earlier moves are shown."""
    line = ana.page.get_by_text(f"Step {number} of {len(read_tutorial(find(game)).steps)}")
    said = ana.page.locator(".said")
    latest = monotonic() + TIMEOUT_MS / 1000
    while not (line.is_visible() and said.is_visible()):
        assert monotonic() < latest, f"{game}: step {number} does not come"
        ana.page.clock.fast_forward(PAUSE_MS)
    return line


def do(ana: Visitor, game: str, step: Step) -> None:
    """Do what a step asks for, by keys."""
    keys = ana.page.keyboard
    own = own_keys(game)
    if step.play is not None:
        own.make_move(ana, step.play) if own else show_me(ana)
        return
    if step.attempt is not None:
        own.make_move(ana, step.attempt) if own and own.CAN_ATTEMPT else show_me(ana)
        refused = ana.page.get_by_role("alert")
        expect(refused).to_contain_text("You can’t do that:")
        expect(refused.get_by_role("button", name=f"Rule {step.clause}")).to_be_visible()
        expect(ana.page.get_by_role("status")).to_contain_text("That’s what a refusal looks like")
    press_until(ana.page, "Tab", "Next")
    keys.press("Enter")


def check_sentence(ana: Visitor, game: str, step: Step, language: str) -> None:
    """Choose a language: the step is explained in it."""
    file = find(game).folder / "tutorial" / "words" / f"{language}.json"
    words = json.loads(file.read_text(encoding="utf-8"))
    sentence = words.get(f"{game}.{step.say}") or words[step.say]
    ana.page.locator("select.language").select_option(language)
    part = max(re.split(r"\{\w+\}", sentence), key=len).strip()
    expect(ana.page.locator(".said")).to_contain_text(part)


@pytest.mark.parametrize("game", NAMES)
def test_completed_by_keyboard_and_explained_in_every_language(visit: Visit, game: str) -> None:
    ana = visit("phone", color_scheme="dark", new=True)
    learn(ana, game)
    steps = read_tutorial(find(game)).steps
    for number, step in enumerate(steps, 1):
        where(ana, number, game)
        if number == len(steps):
            expect(ana.button("Play now against bots")).to_be_focused()
        check_sentence(ana, game, step, LANGUAGES[number % 4])
        if number == 2:
            ana.check_layout(f"learn-{game}")
        ana.page.locator("select.language").select_option("en")
        if number < len(steps):
            do(ana, game, step)
    ana.check_screen_and_sizes(f"learn-{game}-end")
    ana.button("Play now against bots").press("Enter")
    assert ana.wait_for_turn()


def test_a_move_other_than_the_expected_one_changes_nothing(visit: Visit) -> None:
    ana = visit(new=True)
    page = ana.page
    learn(ana, "poison")
    ana.button("Next").click()
    where(ana, 2, "poison")
    ana.press(page.locator(".hand button", has_text="blue 2"))
    page.locator(".cauldron").nth(2).click()
    speech = page.get_by_role("status")
    expect(speech).to_contain_text("That’s allowed, too: blue 2 into cauldron 3.")
    expect(page.locator(".hand button")).to_have_count(4)
    ana.press(page.locator(".hand button", has_text="red 5"))
    page.locator(".cauldron").nth(0).click()
    where(ana, 3, "poison")
    expect(speech).not_to_contain_text("allowed, too")
    ana.press(page.locator(".hand button", has_text="blue 2"))
    page.locator(".cauldron.not").first.click()
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("You can’t do that:")
    expect(speech).to_contain_text("Try this: red 1 into cauldron 3.")
    ana.check_screen("learn-refused")
    refused.get_by_role("button", name="Rule POI-08").click()
    expect(page.locator("dialog .wanted")).to_be_focused()
    page.keyboard.press("Escape")
    where(ana, 3, "poison")


def test_back_and_restart(visit: Visit) -> None:
    ana = visit(new=True)
    page = ana.page
    learn(ana, "shock")
    shown = page.locator("button.next")
    for number in range(1, 6):
        where(ana, number, "shock")
        if number == 2:
            shown.click()
            expect(page.get_by_role("alert")).to_be_visible()
        shown.click()
    where(ana, 6, "shock")
    opened = page.locator('[data-place="open cards"] .card')
    ana.button("Back").click()
    where(ana, 5, "shock")
    expect(opened).to_have_count(2)  # the first was opened two moves ago
    ana.button("Back").click()
    where(ana, 4, "shock")
    expect(opened).to_have_count(1)
    ana.button("Start again").click()
    where(ana, 1, "shock")
    expect(opened).to_have_count(0)
    expect(page.locator(".hand button")).to_have_count(5)


def test_found_from_the_first_page_and_from_the_rules(visit: Visit) -> None:
    ana = visit(new=True)
    page = ana.page
    page.clock.install()
    page.goto("/")
    page.get_by_role("link", name="Learn: Shokoba").click()
    where(ana, 1, "shokoba")
    page.goto("/rules/shokoba")
    page.get_by_role("link", name="Learn", exact=True).click()
    where(ana, 1, "shokoba")
    page.get_by_role("button", name="As text").click()
    expect(page.get_by_role("region", name="The table as text")).to_be_visible()
    ana.check_screen("learn-text")


#: English is last: the next step is found by its English words. French has the longest words.
READ_IN = often(("fr", "en"), ("fr", "ja", "pt", "en"))
#: How much of the words cannot be seen without scrolling, in pixels, and the size of the letters.
HIDDEN = """() => {
    const box = document.querySelector(".text");
    return [box.scrollHeight - box.clientHeight, parseFloat(getComputedStyle(box).fontSize)];
}"""


def check_words_are_seen(ana: Visitor, about: str) -> None:
    """On every phone, in the language with the longest words too: the step without scrolling."""
    for width, height in PHONES:
        ana.page.set_viewport_size({"width": width, "height": height})
        for language in READ_IN:
            ana.page.locator("select.language").select_option(language)
            expect(ana.page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))
            settle(ana)
            check_cauldrons_are_large(ana)
            hidden, size = ana.page.evaluate(HIDDEN)
            where_seen = f"{about}, {width} × {height}, {language}"
            assert hidden <= 0, f"{where_seen}: {hidden} px of the words cannot be seen"
            assert size >= 11.9, f"{where_seen}: letters of {size} px"
            check_refusal_is_seen(ana, where_seen)
    ana.page.set_viewport_size({"width": 390, "height": 844})


def check_cauldrons_are_large(ana: Visitor) -> None:
    """On the smallest phone, too, what a lesson of Poison speaks of can be read."""
    for pot in ana.page.locator(".pot").all():
        box = pot.bounding_box()
        assert box is not None and box["height"] >= 75, box


def settle(ana: Visitor) -> None:
    """Wait until the words have found their size."""
    frame = "new Promise((done) => requestAnimationFrame(done))"
    ana.page.evaluate(f"async () => {{ await {frame}; await {frame}; await {frame}; }}")


def check_refusal_is_seen(ana: Visitor, about: str) -> None:
    """Where a refusal is shown, it is whole and nothing lies over it."""
    for refused in ana.page.get_by_role("alert").all():
        box = refused.bounding_box()
        assert box is not None
        size = ana.page.viewport_size
        assert size is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"], f"{about}: {box}"
        assert refused.evaluate(
            """element => {
                const { left, right, top, bottom } = element.getBoundingClientRect();
                return [[left + 14, top + 9], [right - 14, bottom - 9], [left + 14, bottom - 9]]
                    .every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
            }"""
        ), f"{about}: the refusal is covered"


@pytest.mark.parametrize("game", NAMES)
def test_on_a_phone_every_step_is_read_without_scrolling(visit: Visit, game: str) -> None:
    ana = visit("phone")
    learn(ana, game)
    steps = read_tutorial(find(game)).steps
    for number, step in enumerate(steps, 1):
        where(ana, number, game)
        check_words_are_seen(ana, f"{game}, step {number}")
        if step.attempt is not None:
            ana.page.locator("button.next").click()
            expect(ana.page.get_by_role("alert")).to_be_visible()
            check_words_are_seen(ana, f"{game}, step {number}, refused")
        if number < len(steps):
            ana.page.locator("button.next").click()
            expect(ana.page.get_by_role("status", name="What to do")).not_to_be_empty()
