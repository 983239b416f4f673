"""Tutorials in the page: completed by keyboard, in every language, and with wrong moves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.page.browser import NAME, Visitor, press_until
from tests.page.conftest import Visit
from theriac.game import all_games, find
from theriac.tutorial import Step, read_tutorial

NAMES = list(all_games())
LANGUAGES = ("en", "pt", "fr", "ja")
COLOURS = {"R": "red", "B": "blue", "P": "purple"}
GEMS = {"S": "sapphire", "R": "ruby", "E": "emerald", "D": "diamond"}
SUITS = {"H": "hearts", "S": "spades", "D": "diamonds", "C": "clubs"}


# How a move is made on each board by keys.


def choose(ana: Visitor, name: str) -> None:
    """Walk to a card of the hand that is called so, and choose it."""
    press_until(ana.page, "Tab", name)
    if ana.page.evaluate("document.activeElement.ariaPressed") != "true":  # from a move refused
        ana.page.keyboard.press("Space")
    chosen = ana.page.locator(".hand button[aria-pressed=true]:not([inert])")
    expect(chosen).to_be_focused()


def in_poison(ana: Visitor, move: str) -> None:
    card, cauldron = move.split("@")
    choose(ana, "poison$" if card == "X" else f"{COLOURS[card[0]]} {card[1:]}$")
    press_until(ana.page, "Shift+Tab", f"Cauldron {cauldron}:")
    ana.page.keyboard.press("Enter")


def in_shokoba(ana: Visitor, move: str) -> None:
    card, _, captured = move.partition("=")
    name = f"{GEMS[card[0]]} {card[1:]}"
    choose(ana, f"{name}$")
    if not captured:
        press_until(ana.page, "Tab", f"{name} can capture, so it must")
        ana.page.keyboard.press("Enter")
        return
    cards = ", ".join(f"{GEMS[one[0]]} {one[1:]}" for one in captured.split("+"))
    taking = ana.page.get_by_role("button", name=f"{name} captures {cards}")
    following = ana.page.get_by_role("button", name="Next capture")
    expect(taking.or_(following).first).to_be_visible()
    if not taking.count():
        press_until(ana.page, "Tab", "Next capture")
        while not taking.count():
            ana.page.keyboard.press("Enter")
    press_until(ana.page, "Tab", f"{name} captures {cards}")
    ana.page.keyboard.press("Enter")


def in_shock(ana: Visitor, move: str) -> None:
    if move in ("open", "stop"):
        press_until(ana.page, "Tab", {"open": "Open another card", "stop": "Stop"}[move])
        ana.page.keyboard.press("Enter")
        return
    card = move.removeprefix("w~")
    choose(ana, f"{card[1:]} of {SUITS[card[0]]}")
    if card == move:
        press_until(ana.page, "Tab", f"Play {card[1:]} of {SUITS[card[0]]}")
    else:
        press_until(ana.page, "Tab", "Withdraw with")
        ana.page.keyboard.press("Enter")
        expect(ana.button("Yes, withdraw")).to_be_focused()
    ana.page.keyboard.press("Enter")


def in_dungeon(ana: Visitor, move: str) -> None:
    card, place = move.split("@")
    choose(ana, "corridor " + " ".join(card[:4]))
    if card.endswith("r"):
        ana.page.keyboard.press("r")
    goal = ana.page.locator(f'.target.may[data-key="{place}"]')
    expect(goal).to_be_visible()
    press_until(ana.page, "Shift+Tab", "Place ")
    for _ in range(30):
        here = ana.page.evaluate("document.activeElement.dataset.key").split(",")
        x, y = (int(there) - int(at) for there, at in zip(place.split(","), here, strict=True))
        if not x and not y:
            ana.page.keyboard.press("Enter")
            return
        across = "ArrowRight" if x > 0 else "ArrowLeft"
        ana.page.keyboard.press(across if abs(x) >= abs(y) else "ArrowDown" if y > 0 else "ArrowUp")
    raise AssertionError(f"arrow keys never came to {place}, only to {ana.page.evaluate(NAME)}")


HANDS: dict[str, Callable[[Visitor, str], None]] = {
    "poison": in_poison,
    "shokoba": in_shokoba,
    "shock": in_shock,
    "anaphylaxis": in_shock,
    "dungeon": in_dungeon,
}
#: A move that is refused can be tried on these boards by keys; on the others the page shows it.
UNREACHED = ("dungeon",)


def where(ana: Visitor, number: int, game: str) -> Locator:
    """The element that shows the number of the next step."""
    line = ana.page.get_by_text(f"Step {number} of {len(read_tutorial(find(game)).steps)}")
    expect(line).to_be_visible()
    expect(ana.page.locator(".said")).to_be_visible()  # all moves before it were shown
    return line


def do(ana: Visitor, game: str, step: Step) -> None:
    """Do what a step asks for, by keys."""
    keys = ana.page.keyboard
    if step.play is not None:
        HANDS[game](ana, step.play)
        return
    if step.attempt is not None:
        if game in UNREACHED:
            press_until(ana.page, "Tab", "Show me")
            keys.press("Enter")
        else:
            HANDS[game](ana, step.attempt)
        refused = ana.page.get_by_role("alert")
        expect(refused).to_contain_text("Not done:")
        expect(refused.get_by_role("button", name=f"Rule {step.clause}")).to_be_visible()
        expect(ana.page.get_by_role("status")).to_contain_text("That is a refusal")
    press_until(ana.page, "Tab", "Next")
    keys.press("Enter")


@pytest.mark.parametrize("game", NAMES)
def test_completed_by_keyboard(visit: Visit, game: str) -> None:
    ana = visit("phone" if game in ("poison", "dungeon") else "desktop")
    ana.page.goto(f"/learn/{game}")
    steps = read_tutorial(find(game)).steps
    for number, step in enumerate(steps[:-1], 1):
        where(ana, number, game)
        do(ana, game, step)
    where(ana, len(steps), game)
    expect(ana.button("Play now against bots")).to_be_focused()
    ana.check_screen(f"learn-{game}-end")
    ana.page.keyboard.press("Enter")
    assert ana.wait_for_turn()


@pytest.mark.parametrize("game", NAMES)
def test_every_language(visit: Visit, game: str) -> None:
    ana = visit("phone", color_scheme="dark")
    page = ana.page
    page.goto(f"/learn/{game}")
    said, following = page.locator(".said"), page.locator("button.next")
    folder = find(game).folder / "tutorial" / "words"
    for number, step in enumerate(read_tutorial(find(game)).steps, 1):
        language = LANGUAGES[number % 4]
        expect(said).to_be_visible()
        page.locator("header select").select_option(language)
        words = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
        sentence = words.get(f"{game}.{step.say}") or words[step.say]
        expect(said).to_contain_text(max(re.split(r"\{\w+\}", sentence), key=len).strip())
        if number == 2:
            ana.check_screen(f"learn-{game}-{language}")
        if step.attempt:
            following.click()
            expect(page.get_by_role("alert")).to_be_visible()
        if following.count():
            following.click()
            expect(page.locator("progress")).to_have_attribute("value", str(number + 1))


def test_a_move_that_is_not_meant_changes_nothing(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    page.goto("/learn/poison")
    ana.button("Next").click()
    where(ana, 2, "poison")
    page.locator(".hand button", has_text="blue 2").click()
    page.locator(".cauldron").nth(2).click()
    speech = page.get_by_role("status")
    expect(speech).to_contain_text("That is allowed too: blue 2 into cauldron 3.")
    expect(page.locator(".hand button")).to_have_count(4)
    page.locator(".hand button", has_text="red 5").click()
    page.locator(".cauldron").nth(0).click()
    where(ana, 3, "poison")
    expect(speech).not_to_contain_text("allowed too")
    page.locator(".hand button", has_text="blue 2").click()
    page.locator(".cauldron.not").first.click()
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("Not done:")
    expect(speech).to_contain_text("Try this: red 1 into cauldron 3.")
    ana.check_screen("learn-refused")
    refused.get_by_role("button", name="Rule POI-08").click()
    expect(page.locator("dialog .wanted")).to_be_focused()
    page.keyboard.press("Escape")
    where(ana, 3, "poison")


def test_back_and_restart(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    page.goto("/learn/shock")
    shown = page.locator("button.next")
    for number in range(1, 6):
        where(ana, number, "shock")
        if number == 2:
            shown.click()
            expect(page.get_by_role("alert")).to_be_visible()
        shown.click()
    where(ana, 6, "shock")
    chest = page.get_by_role("region", name="The chest")
    ana.button("Back").click()
    where(ana, 5, "shock")
    expect(chest.locator(".card.open")).to_have_count(2)  # the first was opened two moves ago
    ana.button("Back").click()
    where(ana, 4, "shock")
    expect(chest.locator(".card.open")).to_have_count(1)
    ana.button("Start again").click()
    where(ana, 1, "shock")
    expect(chest).to_have_count(0)
    expect(page.locator(".hand button")).to_have_count(4)


def test_found_from_the_first_page_and_from_the_rules(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    page.goto("/")
    page.get_by_role("link", name="Learn: Shokoba").click()
    where(ana, 1, "shokoba")
    page.goto("/rules/shokoba")
    page.get_by_role("link", name="Learn it by playing, in a few minutes").click()
    where(ana, 1, "shokoba")
    page.get_by_role("button", name="As text").click()
    expect(page.get_by_role("region", name="The table as text")).to_be_visible()
    ana.check_screen("learn-text")
