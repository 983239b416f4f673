"""Shokoba's board: choosing a capture, refusals, an oversight, the score of a round."""

from __future__ import annotations

import time
from random import Random

from playwright.sync_api import expect

from tests.page.browser import TIMEOUT_MS, Visitor, count_shown
from tests.page.conftest import Visit
from tests.page.windows import WATCH_SHIFTS
from tests.server.server_process import ServerProcess
from theriac.game import find
from theriac.games.shokoba.tests.hands import READY, BoardHands
from theriac.testing.setups import short_options

#: The gems that are dealt to the table.
OPEN_GEMS = 4
#: What makes the move, whether it is ready or not; and the captures to choose from.
ACTION, GROUP = '[data-part="action"] button', "button.group.may"


def sit_down(ana: Visitor, bo: Visitor, *options: str) -> None:
    """Ana opens a table for two with these options, and Bo sits down at it."""
    ana.page.goto("/open?game=shokoba")
    ana.page.get_by_label("Nickname").fill("Ana")
    ana.page.get_by_role("combobox", name="Players", exact=True).select_option("2")
    ana.page.get_by_text("Change the settings").click()
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
            one.read_sheet()
            if one.page.locator(".status.turn").count():
                return one
        players[0].page.wait_for_timeout(20)
    raise AssertionError("it is nobody's turn")


def choose_where(player: Visitor, wanted: str) -> bool:
    """Choose a card of the hand after which this locator is on the page."""
    hand = player.page.locator(".hand button")
    for i in range(count_shown(hand)):
        player.press(hand.nth(i))
        expect(hand.nth(i)).to_have_attribute("aria-pressed", "true")
        if player.page.locator(wanted).count():
            return True
        player.press(hand.nth(i))
        expect(hand.nth(i)).to_have_attribute("aria-pressed", "false")
    return False


def play_until(wanted: str, *players: Visitor) -> Visitor:
    """Play until a player can choose a card after which this locator is on the page, and do so."""
    for _ in range(200):
        player = to_play(*players)
        if choose_where(player, wanted):
            return player
        name = "Ana" if player is players[0] else "Bo"
        BoardHands(player, Random(3), name).move_by_mouse()
    raise AssertionError(f"never came to {wanted}")


def expect_played(player: Visitor, held: int) -> None:
    """A card of the hand was played: one fewer, or three new ones once nobody has any left."""
    expect(player.page.locator(".hand button")).not_to_have_count(held)


def press_baize(player: Visitor) -> None:
    """Tap on the baize, beside the gems."""
    player.press(player.page.locator("button.baize"))


def test_a_card_that_can_capture_must(visit: Visit) -> None:
    ana, bo = visit("phone"), visit()
    sit_down(ana, bo)
    player = play_until(GROUP, ana, bo)
    page = player.page
    held, open_gems = page.locator(".hand button").count(), page.locator("button.gem").count()
    expect(page.locator("button.group.lay")).to_have_count(0)  # it is not offered
    press_baize(player)
    expect(page.locator(ACTION)).to_contain_text("can capture, so it must")
    page.locator(ACTION).click()
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("A card that can capture must capture")
    player.check_screen("shokoba-refused")
    refused.get_by_role("button", name="Rule SHO-11").click()
    expect(page.locator('[data-part="drawer"] .wanted')).to_be_visible()
    expect(page.locator('[data-part="drawer"] .wanted')).to_contain_text("SHO-11")
    player.close_drawer()
    assert page.locator(".hand button").count() == held
    assert page.locator("button.gem").count() == open_gems


def test_cards_that_do_not_add_up_are_refused(visit: Visit) -> None:
    ana, bo = visit(), visit()
    sit_down(ana, bo)
    for _ in range(20):
        player = play_until("button.gem.not", ana, bo)
        taken = player.page.locator("button.gem.taken")
        # One that looks like a gem that is picked would be picked instead of it.
        picked = taken.all_text_contents()
        others = player.page.locator("button.gem.not").all()
        gem = next((one for one in others if one.text_content() not in picked), None)
        if gem:
            break
        BoardHands(player, Random(3), "Ana" if player is ana else "Bo").move_by_mouse()
    assert gem
    page = player.page
    player.press(gem)
    expect(taken).not_to_have_count(0)
    pointed_at = taken.all_text_contents()
    expect(page.locator(ACTION)).to_contain_text("can’t capture")
    page.locator(ACTION).click()
    refused = page.get_by_role("alert")
    expect(refused.get_by_role("button", name="Rule SHO-10")).to_be_visible()
    expect(taken).to_have_text(pointed_at)  # the selection is kept
    expect(page.locator(".hand button[aria-pressed=true]")).to_have_count(1)


def test_a_choice_of_captures_by_pointing_and_by_groups(visit: Visit) -> None:
    ana, bo = visit("phone", color_scheme="dark"), visit()
    sit_down(ana, bo)
    player = play_until(f"{GROUP} >> nth=1", ana, bo)
    page = player.page
    groups, taken, action = (page.locator(one) for one in (GROUP, "button.gem.taken", ACTION))
    expect(taken).to_have_count(0)
    expect(action).to_have_attribute("aria-disabled", "true")
    groups.nth(0).press("Enter")
    expect(groups.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(action).to_have_attribute("aria-disabled", "false")
    first = sorted(taken.all_text_contents())
    groups.nth(1).press("Enter")
    expect(groups.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(groups.nth(0)).to_have_attribute("aria-pressed", "false")
    assert sorted(taken.all_text_contents()) != first
    player.check_screen("shokoba-groups")
    page.keyboard.press("Escape")
    expect(page.locator(".hand button[aria-pressed=true]")).to_have_count(0)
    expect(groups).to_have_count(0)
    expect(taken).to_have_count(0)
    expect(action).to_have_attribute("aria-disabled", "true")


def test_a_tap_on_what_is_lit_captures_it(visit: Visit) -> None:
    ana, bo = visit("phone"), visit()
    sit_down(ana, bo)
    player = play_until("button.gem.taken", ana, bo)  # there is one capture only
    page = player.page
    held = page.locator(".hand button").count()
    player.press(page.locator("button.gem.taken").first)
    expect_played(player, held)
    for one in (ana, bo):
        one.page.evaluate("localStorage.setItem('theriac.guard', 'on')")
        one.page.reload()
    player = play_until(GROUP, ana, bo)
    page, group = player.page, player.page.locator(GROUP).first
    held = page.locator(".hand button").count()
    if group.get_attribute("aria-pressed") != "true":
        group.click()
    group.click()  # the guard asks for another one
    expect(group).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".hand button")).to_have_count(held)
    group.click()
    expect_played(player, held)


def test_the_next_player_can_claim_an_oversight(visit: Visit) -> None:
    ana, bo = visit("phone"), visit("desktop", color_scheme="dark")
    sit_down(ana, bo, "Missed captures may be claimed")
    player = play_until("button.group.lay", ana, bo)
    other = bo if player is ana else ana
    player.page.locator("button.group.lay").click()
    expect(player.page.locator(ACTION)).to_contain_text("Lay it, overlooking a capture")
    player.page.locator(ACTION).click()
    expect(other.page.locator("button.gem.claimed")).to_contain_text(
        "laid although it could have captured"
    )
    expect(other.page.locator(".hand button:not(.dimmed)")).to_have_count(0)
    expect(other.page.locator("button.group.lay")).to_have_text("Let it lie")
    pile = other.page.locator(".me .pile")
    before = pile.inner_text()
    other.check_screen("shokoba-claim")
    if not other.page.locator(READY).count():
        other.page.locator(GROUP).first.click()
    expect(other.page.locator(ACTION)).to_contain_text("Claim ")
    other.page.locator(ACTION).click()
    expect(player.page.locator("ol.log")).to_contain_text("and with it")
    expect(pile).not_to_have_text(before)
    expect(other.page.locator(".status.turn")).to_be_visible()
    expect(other.page.locator("button.gem.claimed")).to_have_count(0)


def test_the_score_of_a_round_is_shown_until_the_player_goes_on(
    visit: Visit, server: ServerProcess
) -> None:
    ana, bo = visit("phone"), visit("desktop", color_scheme="dark")
    deck = short_options(find("shokoba"))["deck"]
    table = server.new_player("Cy").open("shokoba", [None, None], options={"deck": deck})
    for one, name in ((ana, "Ana"), (bo, "Bo")):
        one.page.goto(f"/table/{table}")
        one.page.get_by_label("Nickname").fill(name)
        one.button("Sit here").first.click()
        seated = one.page.get_by_text(f"{name} (you)").or_(one.page.locator(".hand"))
        expect(seated.first).to_be_visible()
    chance = Random(6)
    sheets = [one.page.get_by_role("dialog", name="Round 1 is over") for one in (ana, bo)]
    for _ in range(len(deck) - OPEN_GEMS):  # the cards dealt to hands in a round
        player = to_play(ana, bo)
        BoardHands(player, chance, "Ana" if player is ana else "Bo").move_by_mouse()
    for sheet in sheets:
        expect(sheet).to_be_visible()
    contents = [sheet.locator("table").inner_text().replace(" (you)", "") for sheet in sheets]
    assert contents[0] == contents[1]
    won, total = (
        [int(n) for n in row.locator("td").all_inner_texts()]
        for row in sheets[0].locator("tfoot tr").all()
    )
    stars = sheets[0].locator("tbody").inner_text().count("★")
    assert won == total and sum(won) == stars  # none where nobody has the most of anything
    ana.check_screen("shokoba-round")
    for one, sheet in zip((ana, bo), sheets, strict=True):
        one.read_sheet()
        expect(sheet).to_have_count(0)
        expect(one.page.locator(".brand")).to_contain_text("Round 2")
    player = to_play(ana, bo)
    BoardHands(player, chance, "Ana" if player is ana else "Bo").move_by_mouse()


def test_two_teams_with_nine_cards(visit: Visit) -> None:
    ana = visit("phone")
    page = ana.page
    page.goto("/open?game=shokoba")
    page.get_by_label("Nickname").fill("Ana")
    page.get_by_role("combobox", name="Players", exact=True).select_option("4")
    page.get_by_text("Change the settings").click()
    for seat in (2, 3, 4):
        page.get_by_label(f"Seat {seat}").select_option("easy")
    page.get_by_label("Two teams of two, partners opposite").check()
    page.get_by_label("Nine cards each, dealt at once").check()
    ana.button("Open the table").click()
    assert ana.wait_for_turn()
    teams = page.locator(".facts .team .hidden-text")
    expect(teams).to_have_count(4)
    # The others clockwise from the left, then oneself: partners sit opposite.
    left, opposite, right, own = teams.all_text_contents()
    assert own == opposite != left == right
    expect(page.locator(".facts .pile[data-place]")).to_have_count(2)  # one pile per team
    expect(page.locator(".hand button")).to_have_count(9)
    BoardHands(ana, Random(8)).move_by_mouse()
    assert ana.wait_for_turn()
    expect(page.locator(".hand button")).to_have_count(8)
    counts = page.locator(".facts .pile > [aria-hidden=true]:not(svg)").all_text_contents()
    assert (counts[0], counts[1]) == (counts[2], counts[3])  # partners capture for both
    ana.check_screen("shokoba-teams")


def test_nothing_shifts_while_cards_are_played(visit: Visit) -> None:
    ana = visit(reduced_motion="no-preference")
    ana.page.add_init_script(WATCH_SHIFTS)
    ana.play_now("shokoba")
    hands = BoardHands(ana, Random(2))
    assert ana.wait_for_turn()
    ana.page.evaluate("shifts.length = 0")  # while it loaded
    for _ in range(4):  # new hands are dealt after three
        hands.move_by_mouse()
        assert ana.wait_for_turn()
    assert ana.page.evaluate("shifts") == []
