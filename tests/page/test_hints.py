"""Hints on the page: requested, shown, highlighted, announced to the others, marked in replays."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.browser import Visitor
from tests.page.conftest import Visit
from tests.server.table_harness import TableHarness
from theriac.game import Game, all_games
from theriac.server.store import events


def ask(ana: Visitor) -> str:
    """Ask for a hint; what it says, without the reason for it."""
    ana.button("Hint").click()
    hint = ana.page.locator(".notice", has_text="Hint: ")
    expect(hint).to_be_visible()
    assert hint.evaluate("box => box.scrollHeight <= box.clientHeight"), "it spills out of its box"
    return hint.locator("span").inner_text().removeprefix("Hint: ")


@pytest.mark.parametrize("game", list(all_games().values()), ids=list(all_games()))
def test_a_hint_is_put_into_words_and_highlighted(visit: Visit, game: Game) -> None:
    ana = visit("phone")
    ana.play_now(game.name)
    assert ana.wait_for_turn()
    words = ask(ana)
    expect(ana.page.locator("[aria-live=polite][role=log]")).to_contain_text(words)
    expect(ana.page.locator("ol.log")).to_contain_text(f"Ana takes a hint: {words}.")
    expect(ana.page.locator(".hand .hinted").or_(ana.page.locator(".notice")).first).to_be_visible()
    # A hint is one more line and one more ring: axe looks at one of them.
    check = ana.check_screen if game.name == "poison" else ana.check_layout
    check(f"hint-{game.name}")
    ana.page.reload()
    expect(ana.page.locator(".notice")).to_contain_text(words)


def test_the_advised_card_and_cauldron_are_highlighted_for_one_player_only(visit: Visit) -> None:
    ana, bo = visit(), visit("phone")
    ana.page.goto("/open?game=poison")
    ana.page.get_by_label("Nickname").fill("Ana")
    ana.page.get_by_role("combobox", name="Players", exact=True).select_option("3")
    ana.page.get_by_text("Change the settings").click()
    ana.page.get_by_label("Seat 3").select_option("easy")
    ana.page.get_by_label("Who deals first").select_option(label="3")  # Ana plays first
    ana.button("Open the table").click()
    expect(ana.page.get_by_text("Bots may give hints.").first).to_be_visible()
    bo.page.goto(ana.page.get_by_label("Link to this table").first.input_value())
    bo.page.get_by_label("Nickname").fill("Bo")
    bo.button("Sit here").click()
    assert ana.wait_for_turn()
    words = ask(ana)
    expect(ana.page.locator(".hand .hinted")).to_have_count(1)
    lit = ana.page.locator(".cauldron.hinted")
    expect(lit).to_have_count(1)
    expect(lit).to_contain_text(f"Cauldron {words[-1]}")
    reason = ana.page.locator(".notice small")
    expect(reason).to_have_text(re.compile("^would (become|boil over)"))
    log = bo.page.locator("ol.log li", has_text="takes a hint")
    expect(log).to_have_text(re.compile(r"Ana takes a hint\.\s*$"))
    expect(bo.button("Hint")).to_have_attribute("aria-disabled", "true")
    ana.press(ana.page.locator(".hand .hinted"))
    lit.click()
    expect(ana.page.locator(".hinted")).to_have_count(0)


def test_hints_are_switched_off_when_a_table_is_opened(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/open?game=shokoba")
    ana.page.get_by_label("Nickname").fill("Ana")
    ana.page.get_by_role("combobox", name="Players", exact=True).select_option("2")
    ana.page.get_by_text("Change the settings").click()
    ana.page.get_by_label("Seat 2").select_option("easy")
    expect(ana.page.get_by_label("Allow hints from a bot")).to_be_checked()
    ana.page.get_by_label("Allow hints from a bot").uncheck()
    ana.page.get_by_label("List it among the open tables").check()
    ana.button("Open the table").click()
    assert ana.wait_for_turn()
    expect(ana.button("Hint")).to_have_count(0)
    name = ana.page.url.partition("/table/")[2].partition("?")[0]
    ana.page.goto("/")
    entry = ana.page.locator("li", has=ana.page.locator(f"a[href='/table/{name}']")).first
    expect(entry).to_contain_text("no hints")


def test_a_replay_marks_hints(visit: Visit, tmp_path: Path) -> None:
    harness = TableHarness("poison", [None, None, None], options={"first": 2})
    harness.sit("ana", "bo", "cy")
    while harness.table.stage == "playing":
        table = harness.table.current_match
        if len(table.moves) == 4 and table.to_act is not None:
            advised = table.legal()[0]
            harness.apply(events.Hinted(table.to_act, advised))
        harness.play()
    file = tmp_path / "game.json"
    file.write_text(json.dumps(harness.table.finished[0]), encoding="utf-8")
    ana = visit("phone")
    ana.page.goto("/replay")
    ana.page.get_by_label("Game record").set_input_files(file)
    ana.button("Moves").click()
    ana.button("Go to move 5, before which a hint was taken").click()
    expect(ana.page.get_by_text("Move 5 of")).to_be_visible()
    expect(ana.page.locator(".advice")).to_have_text(
        re.compile("^Bo takes a hint: .* into cauldron")
    )
    ana.check_screen("replay-hint")
    ana.button("One move forward").click()
    expect(ana.page.locator(".advice")).to_have_count(0)
