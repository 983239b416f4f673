"""The deck editor: decks are counted, checked, saved, loaded and played with."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, expect

from tests.page.browser import SIZES, TIMEOUT_MS, Visitor, press_until
from tests.page.conftest import Visit
from theriac.deck import parse_deck
from theriac.game import all_games


def open_editor(ana: Visitor, game: str = "poison") -> Locator:
    """Open the editor; the element that shows the state of the deck."""
    ana.page.goto(f"/decks/{game}")
    state = ana.page.get_by_role("region", name="The deck so far").get_by_role("status")
    expect(state).to_contain_text("Can be played by")
    return state


def count_field(ana: Visitor, card: str) -> Locator:
    return ana.page.get_by_label(f"How many: {card}", exact=True)


def test_change_a_deck_fix_a_fault_save_load_and_play(visit: Visit, tmp_path: Path) -> None:
    ana = visit()
    page = ana.page
    page.goto("/open?game=poison")
    page.get_by_text("Change the settings").click()
    page.get_by_role("link", name="Use the cards in your own box").click()
    state = page.get_by_role("region", name="The deck so far").get_by_role("status")
    expect(state).to_contain_text("50 cards")
    expect(state).to_contain_text("The same cards that come with the game.")
    # A fault is shown beside its card, and such a deck can be neither saved nor used.
    count_field(ana, "red 1").fill("-4")
    expect(page.get_by_text("card R1: -4 is not a number of cards (0 to 1000)")).to_be_visible()
    expect(count_field(ana, "red 1")).to_have_attribute("aria-invalid", "true")
    expect(state).to_contain_text("You can’t play with this deck.")
    expect(ana.button("Use at a table")).to_be_disabled()
    expect(ana.button("Save as a file")).to_be_disabled()
    ana.check_screen("deck-fault")
    count_field(ana, "red 1").fill("3")
    expect(state).to_contain_text("Can be played by 3, 4, 5, or 6 players.")
    ana.button("One more: poison").click()
    expect(state).to_contain_text("51 cards: at most 50 (POI-01)")
    for _ in range(5):
        ana.button("One fewer: poison").click()
    expect(state).to_contain_text("46 cards")
    expect(state).to_contain_text("Can be played by")
    page.get_by_text("1 difference from the rulebook").click()
    expect(page.get_by_text("4 poison cards instead of 8 (POI-01)")).to_be_visible()
    # It is saved as the command line reads it, and remembered.
    with page.expect_download() as saving:
        ana.button("Save as a file").click()
    assert saving.value.suggested_filename == "poison-deck.toml"
    saving.value.save_as(tmp_path / "own.toml")
    name, deck = parse_deck((tmp_path / "own.toml").read_text(encoding="utf-8"))
    assert (name, dict(deck.counts)) == ("poison", {**all_games()["poison"].shipped.counts, "X": 4})
    page.reload()
    expect(count_field(ana, "poison")).to_have_value("4")
    # Reset to the usual cards, and the file loaded.
    ana.button("Reset to the usual cards").click()
    expect(state).to_contain_text("The same cards")
    page.get_by_label("Load a file").set_input_files(tmp_path / "own.toml")
    expect(count_field(ana, "poison")).to_have_value("4")
    expect(state).to_contain_text("own.toml is loaded.")
    ana.check_screen("deck-own")
    # A table is opened with it.
    ana.button("Use at a table").click()
    chosen = page.get_by_role("combobox", name="Cards").locator("option:checked")
    expect(chosen).to_have_text("from my own box: 46 cards")
    page.get_by_label("Nickname").fill("Ana")
    for seat in ("Seat 2", "Seat 3", "Seat 4"):
        page.get_by_label(seat).select_option("easy")
    ana.check_screen("open-own-deck")
    with page.expect_request("**/api/tables") as opening:
        ana.button("Open the table").click()
    fields = opening.value.post_data_json
    assert fields is not None
    assert fields["options"]["deck"].count("X") == 4
    assert ana.wait_for_turn()
    ana.play_a_card(Random(3))


def test_a_card_that_the_shipped_deck_does_not_have_can_be_added(visit: Visit) -> None:
    ana = visit("phone")
    page = ana.page
    state = open_editor(ana)
    another = page.get_by_label("Another card, in its short form")
    another.fill("Q9")
    ana.button("Add it").click()
    expect(page.get_by_text("card Q9: not R, B or P and a value, nor X")).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("^Others"))).to_be_visible()
    count_field(ana, "Q9").fill("0")
    expect(state).to_contain_text("Can be played by")
    another.fill("R3")
    ana.button("Add it").click()
    expect(state).to_contain_text("red has 6 different values: at most 5")
    page.get_by_label("Find a card").fill("red 1")
    count_field(ana, "red 1").fill("0")
    expect(state).to_contain_text("Can be played by")
    page.get_by_label("Find a card").fill("nothing")
    expect(page.get_by_text("No card matches.")).to_be_visible()
    page.get_by_label("Find a card").fill("")
    page.get_by_label("Only changed cards").check()
    expect(page.get_by_role("spinbutton")).to_have_count(2)
    expect(count_field(ana, "red 3")).to_have_value("1")
    expect(count_field(ana, "red 1")).to_have_value("0")


def test_marks_of_a_card_can_be_changed(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    state = open_editor(ana, "shock")
    row = page.get_by_role("listitem").filter(has_text="C5")
    row.get_by_text("On it: potion").click()
    row.get_by_label("bee").check()
    wrong = "card C5: a number card cannot be two of poison and potion at once (SHK-01)"
    expect(row.get_by_text(wrong)).to_be_visible()
    expect(state).to_contain_text("You can’t play with this deck.")
    row.get_by_label("potion").uncheck()
    expect(row.get_by_text("On it: bee")).to_be_visible()
    expect(state).to_contain_text("Can be played by 3, 4, or 5 players.")
    ana.check_screen("deck-marks")


def test_a_file_that_is_not_a_deck_is_refused(visit: Visit, tmp_path: Path) -> None:
    ana = visit()
    open_editor(ana)
    (tmp_path / "bad.toml").write_text("cards =\n")
    ana.page.get_by_label("Load a file").set_input_files(tmp_path / "bad.toml")
    expect(ana.page.get_by_role("alert")).to_contain_text("not TOML")
    expect(count_field(ana, "poison")).to_have_value("8")


def test_a_deck_can_be_edited_by_keyboard(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    state = open_editor(ana, "shokoba")
    press_until(page, "Tab", "Find a card|$", 20)
    while page.evaluate("document.activeElement.type") != "search":
        page.keyboard.press("Tab")
    page.keyboard.type("sapphire 1")
    press_until(page, "Tab", "One fewer: sapphire 1")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(count_field(ana, "sapphire 1")).to_have_value("2")
    expect(state).to_contain_text("39 cards do not come out even", timeout=TIMEOUT_MS)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(state).to_contain_text("The same cards")
    press_until(page, "Shift+Tab", "Use at a table", 20)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Open a table")).to_be_visible()


@pytest.mark.parametrize("game", all_games())
def test_every_deck_is_shown(visit: Visit, game: str) -> None:
    ana = visit("phone", color_scheme="dark")
    state = open_editor(ana, game)
    expect(state).to_contain_text(f"{len(all_games()[game].shipped)} cards")
    expect(ana.page.get_by_role("spinbutton")).to_have_count(len(all_games()[game].shipped.counts))
    expect(ana.page.locator("li svg")).to_have_count(len(all_games()[game].shipped.counts))
    # The editor is the same for all games: only the one with marks on its cards is checked.
    check = ana.check_screen if game == "shock" else ana.check_layout
    for size in SIZES:
        ana.resize(size)
        check(f"deck-{game}")


@pytest.mark.parametrize("language", ["pt", "fr", "ja"])
def test_a_deck_in_every_language(visit: Visit, language: str) -> None:
    ana = visit("phone", locale=language)
    ana.page.goto("/decks/anaphylaxis")
    expect(ana.page.get_by_role("spinbutton")).to_have_count(50)
    expect(ana.page.locator(".good")).to_be_visible()
    ana.check_layout(f"deck-{language}")
