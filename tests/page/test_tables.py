"""Lists of tables, clocks, and a seat whose player has left."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import expect

from tests.page.browser import TIMEOUT_MS, Visitor
from tests.page.conftest import Visit

#: A clock of five minutes at its start.
LEFT = re.compile(r"^(5:00|4:\d\d)$")


def open_table(ana: Visitor, *, clock: bool = False, listed: bool = False) -> str:
    """Ana opens a table for herself, another player and a bot; its link."""
    page = ana.page
    page.goto("/open?game=poison")
    page.get_by_label("Nickname").fill("Ana")
    page.get_by_role("combobox", name="Players", exact=True).select_option("3")
    page.get_by_text("Change the settings").click()
    page.get_by_label("Seat 3").select_option("easy")
    if clock:
        page.get_by_role("combobox", name="Clock").select_option("move")
        page.get_by_label("Seconds", exact=True).fill("300")
    page.get_by_label("List it among the open tables").set_checked(listed)
    ana.button("Open the table").click()
    return page.get_by_label("Link to this table").first.input_value()


def sit(bo: Visitor) -> None:
    bo.page.get_by_label("Nickname").fill("Bo")
    bo.button("Sit here").click()
    expect(bo.page.locator(".hand").first).to_be_visible(timeout=TIMEOUT_MS)


def test_a_listed_table_is_found_joined_and_continued(visit: Visit) -> None:
    ana, bo = visit(), visit("phone")
    link = open_table(ana, listed=True)
    path = link.partition("//")[2].partition("/")[2]
    bo.page.goto("/")
    entry = bo.page.locator("li", has=bo.page.locator(f"a[href='/{path}']"))
    expect(entry).to_contain_text("Ana")
    expect(entry).to_contain_text("waiting for players")
    bo.shot("lobby")
    bo.page.get_by_label("Nickname").fill("Bo!")
    entry.get_by_role("link", name="Join").click()
    expect(bo.page.get_by_label("Nickname")).to_have_value("Bo!")  # it goes along
    sit(bo)
    bo.page.goto("/")
    own = bo.page.locator("section", has_text="Pick up where you left off")
    expect(own.get_by_role("link", name="Resume")).to_be_visible()
    bo.check_screen("own-tables")
    own.get_by_role("link", name="Resume").click()
    expect(bo.page.locator(".hand").first).to_be_visible()


def test_the_opener_seats_bots_of_a_level_and_sends_them_away(visit: Visit) -> None:
    ana, bo = visit("phone"), visit()
    ana.page.add_init_script("navigator.share = async (given) => { window.given = given.url; }")
    link = open_table(ana)
    ana.button("Share the link").click()
    assert ana.page.evaluate("window.given") == link
    seats = ana.page.locator("section.panel li")
    expect(seats.nth(2)).to_contain_text("easy")
    seats.nth(2).get_by_role("button", name=re.compile("^Remove ")).click()
    expect(ana.button("Put a bot here")).to_have_count(2)
    bo.page.goto(link)
    expect(bo.button("Sit here")).to_have_count(2)
    expect(bo.button("Put a bot here")).to_have_count(0)  # only Ana may
    ana.page.get_by_label("Level of the bots").select_option("hard")
    ana.button("Put a bot here").first.click()
    expect(seats.nth(1)).to_contain_text("hard")
    ana.check_screen("lobby-bots")
    ana.button("Fill the free seats with bots").click()
    expect(ana.page.locator(".hand").first).to_be_visible()


def test_before_a_first_game_against_the_clock_one_without_is_offered(visit: Visit) -> None:
    ana = visit("phone", knows_clocks=False)
    title = "Knock, Knock! Dungeon!"
    ana.play_from_home(title)
    expect(ana.page.get_by_text("The sand runs for 6 minutes")).to_be_visible()
    ana.check_screen("clock-choice")
    ana.button("Play without a clock").click()
    assert ana.wait_for_turn()
    expect(ana.page.get_by_label("Time left in the game")).to_have_count(0)
    ana.play_from_home(title)
    ana.button("Start the clock").click()
    assert ana.wait_for_turn()
    expect(ana.page.get_by_label("Time left in the game")).to_be_visible()
    ana.play_from_home(title)  # it is asked once
    assert ana.wait_for_turn()


def test_the_address_of_a_game_starts_it_at_once(visit: Visit) -> None:
    ana = visit(knows_clocks=False)
    ana.page.goto("/play/dungeon")
    assert ana.wait_for_turn()


def test_a_clock_is_shown_and_a_bot_plays_for_an_absent_player(visit: Visit) -> None:
    ana, bo = visit(), visit("phone")
    link = open_table(ana, clock=True)
    bo.page.goto(link)
    sit(bo)
    page = ana.page
    expect(page.get_by_role("timer", name="Time left for Ana")).to_have_text(LEFT)
    seat = page.locator(".seat", has_text="Bo")
    expect(seat.get_by_text("away")).to_have_count(0)
    bo.page.goto("about:blank")
    expect(seat.get_by_text("away")).to_be_visible(timeout=TIMEOUT_MS)
    ana.shot("away")
    seat.get_by_role("button", name="Let a bot play").click()
    expect(seat.get_by_text("medium")).to_have_count(1)
    for _ in range(3):
        assert ana.wait_for_turn()
        ana.play_a_card(Random(7))
    bo.page.goto(link)
    expect(seat.get_by_text("medium")).to_have_count(0, timeout=TIMEOUT_MS)
    ana.check_screen("clock")
