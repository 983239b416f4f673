"""What disturbs newcomers: jumps, and words under other things."""

from __future__ import annotations

import re
from random import Random
from time import sleep

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.page.browser import Visitor
from tests.page.conftest import Visit
from tests.page.test_stage import SIX, play_the_round, sit_in_a_short_game
from tests.page.windows import WATCH_SHIFTS
from tests.server.server_process import ServerProcess

#: Counts how often the page shows who sits where.
WATCH_LOBBY = """
    window.asked = 0;
    new MutationObserver(() => { asked += document.querySelectorAll(".middle .panel").length; })
        .observe(document, {childList: true, subtree: true});
"""
LANGUAGES = ("en", "pt", "fr", "ja")


def box_of(part: Locator) -> dict[str, float]:
    box = part.bounding_box()
    assert box is not None
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def slowly(route: Route) -> None:
    """A script comes, but not at once."""
    sleep(0.05)
    route.continue_()


def overlap(one: Locator, other: Locator) -> bool:
    a, b = box_of(one), box_of(other)
    beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    above = a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
    return not (beside or above)


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_home_page_does_not_jump(visit: Visit, size: str) -> None:
    ana = visit(size)
    ana.page.add_init_script(WATCH_SHIFTS)
    ana.page.goto("/")
    expect(ana.button("Play now: Poison")).to_be_visible()
    ana.page.wait_for_load_state("networkidle")
    assert ana.page.evaluate("shifts") == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_list_of_games_does_not_jump(visit: Visit, size: str) -> None:
    ana = visit(size)
    ana.play_now("shock", "A quite long name")
    assert ana.wait_for_turn()
    ana.page.add_init_script(WATCH_SHIFTS)
    ana.page.goto("/history")
    expect(ana.page.get_by_role("link", name="Resume")).to_be_visible()
    ana.page.wait_for_load_state("networkidle")
    assert ana.page.evaluate("shifts") == []


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_choice_of_a_game_for_friends_does_not_jump(visit: Visit, size: str) -> None:
    ana = visit(size)
    ana.page.add_init_script(WATCH_SHIFTS)
    # The titles come with the words of each game.
    ana.page.route("**/*.js", slowly)
    ana.page.goto("/open")
    expect(ana.page.get_by_role("radio", name="Poison")).to_be_attached()
    expect(ana.page.get_by_role("radio", name="Knock, Knock! Dungeon!")).to_be_attached()
    ana.page.wait_for_load_state("networkidle")
    assert ana.page.evaluate("shifts") == []


def test_a_game_against_bots_begins_without_a_lobby(visit: Visit) -> None:
    ana = visit()
    ana.page.add_init_script(WATCH_LOBBY)
    ana.play_from_home("Poison")
    assert ana.wait_for_turn()
    assert ana.page.evaluate("asked") == 0


def test_a_full_lobby_is_in_sight_without_scrolling(visit: Visit, server: ServerProcess) -> None:
    player = server.new_player()
    table = player.open("poison", [None] * 6)
    ana = visit()
    ana.page.goto(f"/table/{table}?sit=0#key={player.key}&name=Ana")
    expect(ana.page.locator(".invite")).to_be_visible()
    hidden = ana.page.locator(".alone").evaluate("all => all.scrollHeight - all.clientHeight")
    assert hidden == 0


def test_the_header_is_one_row_on_a_small_phone(visit: Visit) -> None:
    ana = visit()
    ana.page.set_viewport_size({"width": 360, "height": 640})
    for language in LANGUAGES:
        ana.page.goto("/settings")
        ana.page.locator("header select").select_option(language)
        expect(ana.page.locator("html")).to_have_attribute("lang", language)
        assert box_of(ana.page.locator("header"))["height"] < 80, language


def test_all_tabs_of_the_drawer_are_in_sight_in_every_language(visit: Visit) -> None:
    ana = visit()
    ana.play_now()
    for language in LANGUAGES:
        ana.choose_language(language)
        ana.open_drawer("log")
        hidden = ana.page.locator(".tabs").evaluate("tabs => tabs.scrollWidth - tabs.clientWidth")
        assert hidden == 0, language
        ana.close_drawer()


def test_the_table_is_not_under_the_buttons_beside_an_open_drawer(visit: Visit) -> None:
    ana = visit()
    ana.play_now("anaphylaxis")
    ana.open_drawer("log")
    table = ana.page.locator('[data-part="table"]')
    ana.page.wait_for_timeout(500)  # the drawer slides in
    assert not overlap(table, ana.page.locator(".rail"))


def test_the_way_back_to_the_result_covers_no_words(visit: Visit, server: ServerProcess) -> None:
    ana = visit()
    sit_in_a_short_game(ana, server, SIX)
    chance = Random(2)
    while ana.wait_for_turn():
        ana.play_a_card(chance)
    ana.wait_for_end().get_by_role("button", name="Look at the table").click()
    back = ana.button("Back to the result")
    for width, height in ((1280, 800), (360, 640)):
        ana.page.set_viewport_size({"width": width, "height": height})
        for part in ("status", "table", "hand"):
            assert not overlap(back, ana.page.locator(f'[data-part="{part}"]')), (width, part)


def test_the_buttons_of_a_tutorial_stay_where_they_are(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/learn/poison")
    steps = ana.page.locator(".steps")
    expect(ana.button("Next")).to_be_visible()
    expect(ana.page.locator('[data-part="action"]')).to_have_text("Read the lesson")
    places = []
    for _ in range(6):
        places.append(box_of(steps)["y"])
        ana.button(re.compile("Next|Show me")).click()
    assert set(places) == {places[0]}


def lengthen_the_action(ana: Visitor) -> None:
    """Give the action words of two lines, and a detail of two."""
    ana.page.evaluate(
        """() => {
            document.querySelector(".act span").textContent = "Play what cannot be played here now";
            document.querySelector(".act small").textContent =
                "sapphire 8 cannot capture sapphire 10 and ruby 3";
        }"""
    )


def test_long_words_of_the_action_do_not_move_the_hand(visit: Visit) -> None:
    ana = visit("phone")
    ana.play_now("shokoba")
    assert ana.wait_for_turn()
    hand, act = ana.page.locator('[data-part="hand"]'), ana.page.locator(".act")
    before, bottom = box_of(hand), box_of(act)["y"] + box_of(act)["height"]
    lengthen_the_action(ana)
    assert box_of(hand) == before
    assert box_of(act)["y"] + box_of(act)["height"] == pytest.approx(bottom, abs=1)


def test_what_is_said_about_a_card_of_the_fort_is_whole(visit: Visit) -> None:
    ana = visit("phone")
    ana.play_now("dungeon")
    assert ana.wait_for_turn()
    ana.choose_language("fr")
    for width, height in ((390, 844), (360, 640)):
        ana.page.set_viewport_size({"width": width, "height": height})
        ana.page.locator(".laid").first.dispatch_event("pointerenter")
        said = ana.page.get_by_role("note").filter(has_text=re.compile("^(Couloir|Créature)"))
        expect(said).to_be_visible()
        hidden = said.evaluate("said => said.scrollHeight - said.clientHeight")
        assert hidden == 0, (width, height)
        assert box_of(said)["x"] >= 0


def test_the_gems_have_the_whole_width_where_words_are_twice_as_large(visit: Visit) -> None:
    ana = visit("phone")
    ana.page.set_viewport_size({"width": 195, "height": 422})  # 390x844 at 200 %
    ana.play_now("shokoba")
    assert ana.wait_for_turn()
    table = box_of(ana.page.locator('[data-part="table"]'))
    assert box_of(ana.page.locator(".gems"))["width"] > 0.9 * table["width"]


def test_a_sheet_leaves_nothing_to_do_behind_it(visit: Visit, server: ServerProcess) -> None:
    ana = visit()
    sit_in_a_short_game(ana, server, SIX)
    sheet = play_the_round(ana)
    action = ana.page.locator('[data-part="action"]')
    expect(action).to_be_hidden()
    sheet.get_by_role("button", name="Next round").click()
    expect(action).to_be_visible()


def test_a_refusal_goes_when_the_player_goes_on(visit: Visit) -> None:
    ana = visit()
    ana.play_now("shock")
    assert ana.wait_for_turn()
    refused = ana.page.get_by_role("alert")
    for _ in range(30):
        forbidden = ana.page.locator(".hand button", has_text="not allowed now")
        if forbidden.count():
            break
        ana.press(ana.page.locator(".hand button").first)
        ana.page.locator(".act").click()
        assert ana.wait_for_turn()
    ana.press(forbidden.first)
    ana.page.locator(".act").click()
    expect(refused).to_be_visible()
    ana.press(ana.page.locator(".hand button").last)
    expect(refused).to_have_count(0)


@pytest.mark.parametrize("game", ["shock", "dungeon"])
def test_large_text_of_the_browser_lays_nothing_over_the_action(visit: Visit, game: str) -> None:
    ana = visit()
    line = ana.context.new_cdp_session(ana.page)
    line.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    ana.play_now(game)
    assert ana.wait_for_turn()
    rail, seats = ana.page.locator(".rail"), ana.page.locator(".seats li")
    for width, height in ((1280, 800), (844, 390)):
        ana.page.set_viewport_size({"width": width, "height": height})
        others = [ana.page.locator('[data-part="action"]'), *seats.all()]
        covered = [part.inner_text() for part in others if overlap(part, rail)]
        assert covered == [], (width, height)


def test_points_that_nobody_wants_have_no_star(visit: Visit) -> None:
    ana = visit()
    ana.play_now()
    assert ana.wait_for_turn()
    points = ana.page.locator(".seat.own .score")
    expect(points).not_to_contain_text("★")
    expect(points.locator(".hidden-text")).to_have_text("0 points: the fewest win")


def test_points_that_nobody_may_know_are_called_secret(visit: Visit) -> None:
    ana = visit()
    ana.play_now("shock")
    assert ana.wait_for_turn()
    ana.page.locator(".seats .face").first.click()
    expect(ana.page.locator(".words")).to_contain_text("in the bag: secret until the end")


def test_a_turn_that_is_seen_again_is_not_called_mine(visit: Visit) -> None:
    ana = visit()
    ana.play_now()
    assert ana.wait_for_turn()
    ana.play_a_card(Random(3))
    assert ana.wait_for_turn()
    ana.page.evaluate("localStorage.setItem('theriac.pace', 'calm')")
    ana.button(re.compile("^Replay what happened")).click()
    expect(ana.page.locator(".status b")).to_have_text("Since your last turn")
    assert ana.wait_for_turn()


def test_the_rules_lead_to_a_game(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/rules/shokoba")
    ana.page.get_by_role("link", name="Play now").click()
    assert ana.wait_for_turn()
    expect(ana.page.locator(".brand h1")).to_have_text("Shokoba")


@pytest.mark.parametrize("path", ["/learn", "/rules/", "/play"])
def test_an_address_without_its_game_shows_the_games(visit: Visit, path: str) -> None:
    ana = visit()
    ana.page.goto(path)
    expect(ana.page.get_by_role("link", name="Learn: Poison")).to_be_visible(timeout=10_000)


def test_a_slash_at_the_end_of_an_address_changes_nothing(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/settings/")
    expect(ana.page.get_by_role("heading", name="Settings")).to_be_visible(timeout=10_000)
