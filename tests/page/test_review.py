"""A review on the page: from the end of a game, the history and a file; by keyboard, on a phone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
from playwright.sync_api import Locator, expect

from tests.page.browser import TIMEOUT_MS, Visitor
from tests.page.conftest import Visit
from tests.page.test_seal import finish, player_of
from tests.server.server_process import ServerProcess

#: Few cards, so that a game is short, and enough of them that there is a choice.
OPTIONS = {"deck": ["R1", "R4", "R5", "B4", "B7", "P1", "P5", "X", "X"]}
#: The server works on reviews only while nobody else wants the processor. On a busy machine that is
#: seldom.
REVIEW_TIMEOUT_MS = 10 * TIMEOUT_MS


def played_game(visitor: Visitor, server: ServerProcess) -> str:
    """A finished game of the visitor against two bots; the name of its table."""
    player = player_of(visitor, server)
    table = player.open("poison", [None, "easy", "easy"], options=OPTIONS)
    player.ask(table, "sit", seat=0, nonce="nonce")
    finish(player, table)
    return table


def wait_until_done(visitor: Visitor) -> Locator:
    """Wait for the whole review; the slider of its curve."""
    heading = visitor.page.get_by_role("heading", name=re.compile("^Why "))
    progress = visitor.page.get_by_role("progressbar", name="Progress of the review")
    expect(heading).to_be_visible(timeout=REVIEW_TIMEOUT_MS)
    expect(progress).to_have_count(0, timeout=REVIEW_TIMEOUT_MS)
    return visitor.page.get_by_role("slider", name="Moment of the game")


def test_from_the_end_of_a_game_by_keyboard(visit: Visit, server: ServerProcess) -> None:
    ana = visit()
    page = ana.page
    table = played_game(ana, server)
    page.goto(f"/table/{table}")
    ana.wait_for_end().get_by_role("link", name="Review").press("Enter")
    slider = wait_until_done(ana)
    assert page.url.partition("?")[0].endswith(f"/review/{table}/1")
    expect(page.get_by_role("heading", level=1).first).to_have_text(
        re.compile("^You (won|lost|shared)")
    )
    numbers = page.locator(".account .number").all_inner_texts()
    fair, *parts, result = (int(one.replace("−", "-").rstrip("%")) for one in numbers)
    assert len(parts) == 4 and fair + sum(parts) == result
    ana.check_screen_and_sizes("review")

    # Arrow keys move through the game, and the address follows.
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    for step in ("1", "2", "3"):
        page.keyboard.press("ArrowRight")
        expect(slider).to_have_value(step)
    expect(page).to_have_url(re.compile(r"\?n=2$"))
    sentence = page.locator(".moment .head").inner_text()
    assert "into cauldron" in sentence

    # Another seat is one key away, and a link leads to the same moment of it.
    page.get_by_role("radio").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", level=1).first).not_to_have_text(re.compile("^You"))
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    link = page.get_by_role("textbox", name="Link to this moment").input_value()
    assert link.endswith(f"/review/{table}/1?n=1&seat=1")
    page.goto(link)
    slider = wait_until_done(ana)
    expect(slider).to_have_value("2")
    expect(page.get_by_role("radio").nth(1)).to_be_checked()


def test_try_a_move_again_and_play_on_from_there(visit: Visit, server: ServerProcess) -> None:
    ana = visit()
    page = ana.page
    table = played_game(ana, server)
    replay = httpx.get(f"http://{server.host}/api/tables/{table}/games/1/replay?seat=0").json()
    choices = [one["n"] + 1 for one in replay["steps"] if len(one["view"]["legal"]) > 1]
    page.goto(f"/review/{table}/1?n={choices[0]}&seat=0&try={choices[0]}")
    dialog = page.get_by_role("dialog", name=f"Try move {choices[0]} again")
    expect(dialog).to_contain_text("Find a better move")
    ana.check_screen("review-try")
    dialog.locator('[data-part="hand"] button').first.press("Enter")
    dialog.locator(".cauldron.may").first.press("Enter")
    result = dialog.get_by_role("region", name="What each move was worth")
    expect(result).to_be_focused(timeout=REVIEW_TIMEOUT_MS)
    expect(result.get_by_text("your guess")).to_be_visible()
    expect(result.get_by_text("played", exact=True)).to_be_visible()
    expect(result.get_by_role("row")).not_to_have_count(1)
    ana.check_screen_and_sizes("review-guess")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    wait_until_done(ana)

    ana.button("Play on from here").first.click()
    expect(page.locator(".brand")).to_contain_text("Known deal")
    assert ana.wait_for_turn()
    now = page.url.rpartition("/")[2].partition("?")[0]
    deal_of = {"table": table, "number": 1}
    if choices[0] > 1:
        deal_of["after"] = choices[0] - 1
    assert server.new_player().get_table(now)["room"]["deal_of"] == deal_of


def test_from_the_history_on_a_phone_in_every_language(visit: Visit, server: ServerProcess) -> None:
    ana = visit("phone")
    page = ana.page
    table = played_game(ana, server)
    page.goto("/history")
    page.get_by_role("link", name="Review").click()
    # One part at a time: the table is below the curve, and nothing is far away.
    progress = page.get_by_role("progressbar", name="Progress of the review")
    expect(page.get_by_role("button", name="Mistakes", exact=True)).to_be_visible()
    expect(page.locator(".account h2")).to_have_text(re.compile("^Why "), timeout=REVIEW_TIMEOUT_MS)
    expect(progress).to_have_count(0, timeout=REVIEW_TIMEOUT_MS)
    expect(page).to_have_url(re.compile(rf"/review/{table}/1\?"))
    expect(page.locator(".moment")).to_be_visible()
    expect(page.locator(".mistakes")).to_be_hidden()
    page.get_by_role("button", name="Skill and luck").click()
    page.get_by_text("More exactly").click()
    ana.check_screen("review-phone")
    for width, height in ((390, 844), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        ana.check_layout(f"review-{width}")
    for language in ("pt", "fr", "ja"):
        page.locator("header select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.get_by_text("More exactly")).to_have_count(0)
        assert not re.search(r"\b(review|over|deal|table)\.\w", page.locator("main").inner_text())
        ana.check_layout(f"review-{language}")


def test_a_record_from_a_file(visit: Visit, server: ServerProcess, tmp_path: Path) -> None:
    ana = visit()
    table = played_game(ana, server)
    record = httpx.get(f"http://{server.host}/api/tables/{table}/games/1").json()
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    ana.page.goto("/")
    ana.page.get_by_role("link", name="Review a game you saved").click()
    ana.page.get_by_label("Game record").set_input_files(file)
    wait_until_done(ana)
    expect(ana.button("Play on from here")).to_have_count(0)
    # A record opened for replay can be reviewed, too.
    ana.page.goto("/replay")
    ana.page.get_by_label("Game record").set_input_files(file)
    ana.page.get_by_role("link", name="Review it").click()
    wait_until_done(ana)
