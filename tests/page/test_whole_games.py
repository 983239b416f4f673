"""Whole games through the page: bots, two browsers at one table, reloading, playing again."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from playwright.sync_api import expect

from tests.page.browser import Visitor, count_shown
from tests.page.conftest import Visit
from tests.server.server_process import ServerProcess
from theriac.game import find
from theriac.testing.setups import short_options

#: A small deck: a game of three players has 15 moves.
SIX = short_options(find("poison"))["deck"]

#: Keeps the last gesture, which is shown for four seconds only: the machine may be busy then.
KEEP_GESTURES = """() => {
    const look = () => document.querySelectorAll(".seat .gesture").forEach(
        (one) => document.documentElement.dataset.kept = one.innerText.trim());
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
}"""


def join(visitor: Visitor, link: str, name: str) -> None:
    """Sit down at a table."""
    visitor.page.goto(link)
    visitor.page.get_by_label("Nickname").fill(name)
    visitor.button("Sit here").first.click()


def test_a_whole_game_against_bots_and_its_replay(
    visit: Visit, server: ServerProcess, tmp_path: Path
) -> None:
    ana = visit("phone")
    chance = Random(1)
    table = server.new_player("Bo").open("poison", [None, "easy", "easy"], options={"deck": SIX})
    join(ana, f"/table/{table}", "Ana")
    while ana.wait_for_turn():
        ana.play_a_card(chance)
    page = ana.page
    expect(page.get_by_role("dialog", name="Game over")).to_be_visible()
    ana.check_screen("over")

    page.get_by_role("link", name="Replay this game").click()
    expect(page.get_by_text("Move 15 of 15", exact=True)).to_be_visible()
    ana.button("Moves").click()
    page.get_by_role("button", name="Check the shuffle").click()
    expect(page.get_by_text("This browser recomputed all of it.")).to_be_visible()
    expect(page.get_by_text("comes from the seed.")).to_have_count(3)  # one for each round
    ana.check_screen("replay")
    ana.button("Moves").click()
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="One move forward").click()
    expect(page.get_by_text("Move 1 of 15", exact=True)).to_be_visible()
    assert page.url.endswith("?move=1")
    ana.button("Moves").click()
    page.get_by_label("Seen by").select_option("0")
    ana.button("Moves").click()
    expect(page.get_by_role("group", name="Your hand")).to_be_visible()
    assert "seat=0" in page.url
    page.reload()
    expect(page.get_by_text("Move 1 of 15", exact=True)).to_be_visible()

    ana.button("Moves").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the record").click()
    kept = tmp_path / "game.json"
    download.value.save_as(kept)
    assert len(json.loads(kept.read_text())["moves"]) == 15
    page.goto("/replay")
    page.get_by_label("Game record").set_input_files(kept)
    expect(page.get_by_text("Move 15 of 15", exact=True)).to_be_visible()
    ana.button("Moves").click()
    page.get_by_role("button", name="Check the shuffle").click()
    expect(page.get_by_text("This browser recomputed all of it.")).to_be_visible()


def test_a_table_is_opened_and_joined_and_its_players_talk(visit: Visit) -> None:
    ana, bo, spectator = visit("desktop"), visit("phone"), visit("phone")
    page = ana.page
    page.goto("/open?game=poison")
    page.get_by_label("Nickname").fill("Ana")
    page.get_by_role("combobox", name="Players", exact=True).select_option("3")
    page.get_by_text("Change the settings").click()
    page.get_by_label("Seat 3").select_option("easy")
    ana.check_screen("open")
    ana.button("Open the table").click()
    expect(page.get_by_text("Ana (you)")).to_be_visible()
    ana.check_screen("gathering")
    link = page.get_by_label("Link to this table").first.input_value()

    bo.page.goto(link)
    bo.page.get_by_label("Nickname").fill("Bo")
    bo.check_screen("join")
    bo.button("Sit here").click()
    spectator.page.goto(link)
    expect(spectator.page.get_by_text("Bo", exact=True)).to_be_visible()
    assert spectator.page.locator(".hand").count() == 0

    bo.open_drawer("chat")
    bo.page.get_by_label("Say something").fill("Good luck!")
    bo.button("Send").click()
    expect(page.locator(".rail .unread")).to_be_visible()
    expect(ana.button("Bo: Good luck!")).to_be_visible()  # a glimpse, without opening anything
    ana.open_drawer("chat")
    expect(ana.button("Bo: Good luck!")).to_have_count(0)
    expect(page.locator(".said")).to_contain_text("Good luck!")
    expect(page.locator(".rail .unread")).to_have_count(0)
    page.locator("summary[aria-label='React to Bo']").click()
    ana.button("is amazed").click()
    expect(bo.page.get_by_title("is amazed").first).to_be_visible()
    bo.check_screen("chat")
    bo.page.evaluate(KEEP_GESTURES)
    ana.button("Hurry").click()
    expect(bo.page.locator("html")).to_have_attribute("data-kept", "Hurry")


def test_the_end_of_a_game_and_another_one(visit: Visit, server: ServerProcess) -> None:
    ana, bo, spectator = visit("desktop"), visit("phone"), visit("phone")
    table = server.new_player("Cy").open("poison", [None, None, "easy"], options={"deck": SIX})
    for visitor, name in ((ana, "Ana"), (bo, "Bo")):
        join(visitor, f"/table/{table}", name)
        expect(visitor.page.locator("ol.log li", has_text=f"{name} sits")).to_have_count(1)
    spectator.page.goto(f"/table/{table}")
    chance, moves = Random(2), 0
    players = [ana, bo]
    while True:
        for visitor in players:
            visitor.read_sheet()
            if visitor.page.locator(".status.turn").count():
                visitor.play_a_card(chance)
                moves += 1
                if moves == 3:
                    visitor.page.reload()
        if ana.button("Play again").count():
            break
        ana.page.wait_for_timeout(50)
    # No scores where nobody has a point.
    scores = [v.wait_for_end().locator("tbody").all_inner_texts() for v in (bo, spectator)]
    assert scores[0] == scores[1]
    ana.button("Play again").click()
    expect(ana.button("Waiting for the others")).to_be_disabled()
    bo.button("Play again").click()
    for visitor in (ana, bo, spectator):
        expect(visitor.page.locator(".brand")).to_contain_text("Round 1")


def test_undo_by_consent(visit: Visit) -> None:
    ana, bo = visit(), visit()
    ana.page.goto("/open?game=poison")
    ana.page.get_by_label("Nickname").fill("Ana")
    ana.page.get_by_role("combobox", name="Players", exact=True).select_option("3")
    ana.page.get_by_text("Change the settings").click()
    ana.page.get_by_label("Seat 3").select_option("easy")
    ana.button("Open the table").click()
    link = ana.page.get_by_label("Link to this table").first.input_value()
    bo.page.goto(link)
    bo.page.get_by_label("Nickname").fill("Bo")
    bo.button("Sit here").click()
    expect(ana.page.locator(".status")).to_be_visible()
    # Bo is to Ana's left: after her move nobody plays until he does.
    while not ana.page.locator(".status.turn").count():
        if bo.page.locator(".status.turn").count():
            bo.play_a_card(Random(3))
        ana.page.wait_for_timeout(50)
    before = count_shown(ana.page.locator(".hand button"))
    ana.play_a_card(Random(3))
    ana.button("Ask to take back my move").click()
    expect(bo.page.get_by_text("Ana would like to take back the last move.")).to_be_visible()
    bo.button("Agree").click()
    expect(ana.page.locator(".status.turn")).to_be_visible()
    expect(ana.page.locator(".hand button")).to_have_count(before)
