"""Shokoba's board: choosing a capture, refusals, an oversight, the score of a round."""

from __future__ import annotations

import re
import time
from random import Random

from playwright.sync_api import expect

from tests.page.browser import TIMEOUT_MS, Visitor
from tests.page.conftest import Visit
from theriac.games.shokoba.tests.hands import BoardHands


def sit_down(ana: Visitor, bo: Visitor, *options: str) -> None:
    """Ana opens a table for two with these options, and Bo sits down at it."""
    ana.page.goto("/open?game=shokoba")
    ana.page.get_by_label("Nickname").fill("Ana")
    ana.page.get_by_label("Players").select_option("2")
    for option in options:
        ana.page.get_by_label(option).check()
    ana.button("Open the table").click()
    bo.page.goto(ana.page.get_by_label("Link to this table").first.input_value())
    bo.page.get_by_label("Nickname").fill("Bo")
    bo.button("Sit here").click()
    expect(ana.page.locator(".hand")).to_be_visible()
    expect(bo.page.locator(".hand")).to_be_visible()


def to_play(*players: Visitor) -> Visitor:
    """The player to act."""
    end = time.monotonic() + TIMEOUT_MS / 1000
    while time.monotonic() < end:
        for one in players:
            if one.page.locator(".status.turn").count():
                return one
        players[0].page.wait_for_timeout(20)
    raise AssertionError("it is nobody's turn")


def choose_where(player: Visitor, wanted: str) -> bool:
    """Choose a card of the hand after which this locator is on the page."""
    hand = player.page.locator(".hand button:not([inert])")  # those that leave are inert
    for i in range(hand.count()):
        hand.nth(i).click()
        if player.page.locator(wanted).count():
            return True
        hand.nth(i).click()
    return False


def play_until(wanted: str, *players: Visitor) -> Visitor:
    """Play until a player can choose a card after which this locator is on the page, and do so."""
    for _ in range(200):
        player = to_play(*players)
        if choose_where(player, wanted):
            return player
        BoardHands(player, Random(3)).move_by_mouse()
    raise AssertionError(f"never came to {wanted}")


def test_a_card_that_can_capture_must(visit: Visit) -> None:
    ana, bo = visit("phone"), visit()
    sit_down(ana, bo)
    player = play_until(".lay.not", ana, bo)
    held = player.page.locator(".hand button").count()
    player.page.locator(".lay.not").click()
    refused = player.page.get_by_role("alert")
    expect(refused).to_contain_text("can capture, so it must")
    player.check_screen("shokoba-refused")
    refused.get_by_role("button", name="Rule SHO-11").click()
    expect(player.page.locator("dialog .wanted")).to_be_visible()
    player.page.keyboard.press("Escape")
    assert player.page.locator(".hand button").count() == held


def test_cards_that_do_not_add_up_are_refused(visit: Visit) -> None:
    ana, bo = visit(), visit()
    sit_down(ana, bo)
    player = play_until(".cards .not", ana, bo)
    player.page.locator(".cards .not").first.click()
    taken = player.page.locator(".cards .taken")
    pointed_at = taken.all_text_contents()
    player.page.locator(".take.not").click()
    refused = player.page.get_by_role("alert")
    expect(refused.get_by_role("button", name="Rule SHO-10")).to_be_visible()
    expect(taken).to_have_text(pointed_at)  # the selection is kept


def test_a_choice_of_captures_by_pointing_and_by_stepping(visit: Visit) -> None:
    ana, bo = visit("phone", color_scheme="dark"), visit()
    sit_down(ana, bo)
    player = play_until(".steps", ana, bo)
    page = player.page
    taken, take = page.locator(".cards .taken"), page.locator(".take")
    assert taken.count() == 0
    expect(take).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Next capture").press("Enter")
    first = page.locator(".cards [aria-pressed=true]").all_inner_texts()
    expect(take).to_have_class(re.compile("main"))
    page.get_by_role("button", name="Next capture").press("Enter")
    assert page.locator(".cards [aria-pressed=true]").all_inner_texts() != first
    player.check_screen("shokoba-steps")
    while taken.count():
        taken.first.click()
    page.locator(".cards .may").first.click()
    assert taken.count() > 0
    page.keyboard.press("Escape")
    expect(page.locator(".hand button[aria-pressed=true]")).to_have_count(0)
    expect(take).to_have_count(0)


def test_the_next_player_can_claim_an_oversight(visit: Visit) -> None:
    ana, bo = visit("phone"), visit("desktop", color_scheme="dark")
    sit_down(ana, bo, "Missed captures may be claimed")
    player = play_until("text=Lay it, overlooking a capture", ana, bo)
    other = bo if player is ana else ana
    player.button("Lay it, overlooking a capture").click()
    notice = other.page.locator(".hint", has_text="was laid although it could have captured")
    expect(notice).to_be_visible()
    expect(other.page.locator(".hand button").first).to_be_disabled()
    other.check_screen("shokoba-claim")
    pile = other.page.locator("ul[aria-label='Captured cards and deck'] li").first
    before = pile.inner_text()
    if other.page.locator(".steps").count():
        other.page.get_by_role("button", name="Next capture").click()
    other.button(re.compile("^Claim")).click()
    expect(player.page.locator("ol.log")).to_contain_text("and with it")
    assert pile.inner_text() != before
    expect(other.page.locator(".status.turn")).to_be_visible()


def test_the_score_of_a_round_is_shown_and_can_be_opened_again(visit: Visit) -> None:
    ana, bo = visit("phone"), visit("desktop", color_scheme="dark")
    sit_down(ana, bo)
    chance = Random(6)
    sheets = [one.page.get_by_role("region", name="Score of round 1") for one in (ana, bo)]
    for _ in range(36):  # the cards dealt to hands in a round
        BoardHands(to_play(ana, bo), chance).move_by_mouse()
    for player, sheet in zip((ana, bo), sheets, strict=True):
        expect(sheet).to_be_visible()
        won, total = (
            [int(n) for n in row.locator("td").all_inner_texts()]
            for row in sheet.locator("tfoot tr").all()
        )
        stars = sheet.locator("tbody").inner_text().count("★")
        assert won == total and sum(won) == stars > 0
        player.check_screen("shokoba-round")
    sheets[1].get_by_role("button", name="Close").click()
    expect(sheets[1]).to_have_count(0)
    ana.page.reload()
    ana.button("Show the score of round 1").click()
    expect(sheets[0]).to_be_visible()
    player = to_play(ana, bo)
    BoardHands(player, chance).move_by_mouse()
    expect(player.page.get_by_role("region", name="Score of round 1")).to_have_count(0)


def test_two_teams_with_nine_cards(visit: Visit) -> None:
    ana = visit("phone")
    page = ana.page
    page.goto("/open?game=shokoba")
    page.get_by_label("Nickname").fill("Ana")
    page.get_by_label("Players").select_option("4")
    for seat in (2, 3, 4):
        page.get_by_label(f"Seat {seat}").select_option("easy")
    page.get_by_label("Two teams of two, partners opposite").check()
    page.get_by_label("Nine cards each, dealt at once").check()
    ana.button("Open the table").click()
    assert ana.wait_for_turn()
    piles = page.locator("ul[aria-label='Captured cards and deck'] li")
    expect(piles).to_have_count(3)  # one pile per team, and the deck
    expect(piles.first).to_contain_text("Your team")
    assert page.locator(".hand button").count() == 9
    BoardHands(ana, Random(8)).move_by_mouse()
    assert ana.wait_for_turn()
    ana.check_screen("shokoba-teams")
