"""Shock!'s board: withdrawing is confirmed, suit must be followed, both see the end of a round."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Locator, expect

from tests.page.browser import Visitor
from tests.page.conftest import Visit
from tests.page.windows import WATCH_SHIFTS
from theriac.games.shock.tests.hands import BoardHands

WITHDRAW = re.compile("^Withdraw")


def withdraw_button(ana: Visitor) -> Locator:
    """The button that asks to withdraw, where that is allowed."""
    return ana.page.locator(".quiet-way:not([aria-disabled=true])", has_text=WITHDRAW)


def play_until_card_asked(ana: Visitor, hands: BoardHands) -> None:
    """Play until Ana, still in the round, must play a card."""
    while ana.wait_for_turn() and not withdraw_button(ana).count():
        hands.move_by_mouse()


def test_withdrawing_takes_a_second_press(visit: Visit) -> None:
    ana = visit()
    hands = BoardHands(ana, Random(1))
    ana.play_now("shock")
    play_until_card_asked(ana, hands)
    withdraw, confirm = withdraw_button(ana), ana.page.locator(".act")
    logged, held = hands.own_moves.count(), ana.page.locator(".hand button").count()
    withdraw.click()
    expect(confirm).to_have_attribute("aria-disabled", "true")  # no card is chosen yet
    expect(ana.button("Stay in")).to_be_focused()
    ana.button("Stay in").click()
    expect(withdraw).to_be_focused()
    hands.choose()
    expect(confirm).to_contain_text("Play ")
    withdraw.click()
    expect(ana.button("Stay in")).to_be_focused()  # the same key pressed twice withdraws nobody
    expect(confirm).to_contain_text("Yes, withdraw")
    ana.check_screen("shock-withdrawing")
    assert (hands.own_moves.count(), ana.page.locator(".hand button").count()) == (logged, held)
    confirm.click()
    expect(hands.own_moves.nth(logged)).to_contain_text("withdrawing, ")


def test_a_player_who_does_not_follow_suit_is_shown_the_rule(visit: Visit) -> None:
    ana = visit("phone")
    hands = BoardHands(ana, Random(2))
    ana.play_now("shock")
    wrong = ana.page.locator(".hand button.dimmed")
    for _ in range(40):
        play_until_card_asked(ana, hands)
        if wrong.count():
            break
        hands.move_by_mouse()
    ana.press(wrong.first)
    expect(ana.page.locator(".hand button[aria-pressed=true].dimmed")).to_be_visible()
    button = ana.page.locator(".act")
    # "Press to see the rule" does not fit on a phone: the words say that there is a reason.
    for language, why in (("fr", "Pourquoi"), ("pt", "Por quê?"), ("en", "not allowed. Why?")):
        ana.choose_language(language)
        expect(button).to_contain_text(why)
        assert button.evaluate("button => button.scrollHeight <= button.clientHeight"), language
    expect(button).to_have_css("background-image", "none")  # it is not the gold of what may be done
    expect(ana.page.locator(".slot .ghost")).to_have_count(0)
    button.click()
    refused = ana.page.get_by_role("alert")
    expect(refused).to_contain_text("you must follow suit")
    refused.get_by_role("button", name="Rule SHK-13").click()
    expect(ana.page.locator('[data-part="drawer"] .wanted')).to_be_visible()
    expect(ana.page.locator('[data-part="drawer"] .wanted')).to_contain_text("SHK-13")


def test_nothing_shifts_while_tricks_are_played(visit: Visit) -> None:
    ana = visit(reduced_motion="no-preference")
    ana.page.add_init_script(WATCH_SHIFTS)
    hands = BoardHands(ana, Random(5))
    ana.play_now("shock")
    assert ana.wait_for_turn()
    ana.page.evaluate("shifts.length = 0")  # while it loaded
    for _ in range(4):
        hands.move_by_mouse()
        assert ana.wait_for_turn()
    assert ana.page.evaluate("shifts") == []


def test_two_players_see_the_same_end_of_a_round(visit: Visit) -> None:
    ana, bo = visit(), visit("phone", color_scheme="dark")
    ana.page.goto("/open?game=shock")
    ana.page.get_by_label("Nickname").fill("Ana")
    ana.page.get_by_role("combobox", name="Players", exact=True).select_option("3")
    ana.page.get_by_text("Change the settings").click()
    ana.page.get_by_label("Seat 3").select_option("easy")
    ana.page.get_by_label("Show what is inside the bags").check()
    ana.page.get_by_label(re.compile("^Who leads first")).select_option(label="2")
    ana.check_screen("shock-open")
    ana.button("Open the table").click()
    bo.page.goto(ana.page.get_by_label("Link to this table").first.input_value())
    bo.page.get_by_label("Nickname").fill("Bo")
    bo.button("Sit here").click()
    expect(bo.page.locator(".status")).to_contain_text("Your turn")
    ends = [one.page.get_by_role("dialog", name="Round 1 is over") for one in (ana, bo)]
    hands = [BoardHands(ana, Random(3)), BoardHands(bo, Random(4), "Bo")]
    while not ends[0].count():
        for one in hands:
            if one.page.locator(".status.turn").count() and not ends[0].count():
                one.move_by_mouse()
        ana.page.wait_for_timeout(20)
    expect(ends[1]).to_be_visible()
    sheets = [end.locator("section dl").all_inner_texts() for end in ends]
    assert sheets[0] == sheets[1] and len(sheets[0]) == 3
    for seat in ends[0].locator("section").all():  # the lines add up
        signed = [text.replace("−", "-") for text in seat.locator("dd").all_inner_texts()]
        *lines, bagged = map(int, signed)
        assert sum(lines) == bagged
        expect(seat.locator(".inside")).to_have_text(re.compile(rf"^{bagged} jewels? in the bag"))
    bo.check_screen("shock-round-end")
    bo.read_sheet()
    expect(ends[1]).to_have_count(0)
    expect(bo.page.locator(".brand")).to_contain_text("Round 2")
