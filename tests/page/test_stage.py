"""The table fills the window, nothing shifts, keys and drags play, and a round's end waits."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Locator, expect

from tests.page.boards import each_board, hands_of
from tests.page.browser import Visitor, count_shown, press_until
from tests.page.conftest import Visit
from tests.page.windows import MAIN_WINDOWS, WATCH_SHIFTS, settled_faults
from tests.server.server_process import Player, ServerProcess
from theriac.game import Game, find
from theriac.testing.profiles import often
from theriac.testing.setups import short_options

#: Counts the frames in which nothing has the focus.
WATCH_FOCUS = """() => {
    window.lost = 0;
    const look = () => {
        if (document.activeElement === document.body) lost += 1;
        requestAnimationFrame(look);
    };
    look();
}"""
#: The number of animations without an end that are running.
ENDLESS = """document.getAnimations().filter((one) =>
    one.playState === "running" && one.effect.getTiming().iterations === Infinity).length"""
CHOSEN = ".hand button[aria-pressed=true]"
SIX = short_options(find("poison"))["deck"]
#: Chat is last: there the keys write.
TABS = {"l": "Log", "r": "Rules", "t": "Table", "c": "Chat"}


def move_by_keys(ana: Visitor, digit: str = "1") -> None:
    """Play a card by its digit and Enter."""
    cards = ana.page.locator(".hand button")
    before = count_shown(cards)
    ana.page.keyboard.press(digit)
    expect(ana.page.locator(CHOSEN)).to_be_focused()
    ana.page.keyboard.press("Enter")
    if "Cauldron" in ana.page.evaluate("document.activeElement.textContent"):
        ana.page.keyboard.press("Enter")  # several cauldrons take it: Enter went to the first
    expect(cards).to_have_count(before - 1)


def choose_what_one_cauldron_takes(ana: Visitor) -> str:
    """Choose a card that only one cauldron takes; its digit, or "" if there is none."""
    for digit in "123456789":
        ana.page.keyboard.press(digit)
        if ana.page.locator(".cauldron.may").count() == 1:
            return digit
    ana.page.keyboard.press("Escape")
    return ""


def middle_of(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@each_board
def test_all_of_a_table_is_inside_every_window(visit: Visit, game: Game) -> None:
    ana = visit()
    ana.play_now(game.name)
    hands = hands_of(game)(ana, Random(1))
    for _ in range(2):  # `test_boards` looks at every turn, in two windows
        if not ana.wait_for_turn():  # a fort may be lost at once
            break
        faults = {}
        for width, height in MAIN_WINDOWS:
            ana.page.set_viewport_size({"width": width, "height": height})
            faults[width, height] = settled_faults(ana)
        assert {window: found for window, found in faults.items() if found} == {}
        ana.resize("desktop")
        hands.move_by_mouse()


def sit_in_a_short_game(ana: Visitor, server: ServerProcess, deck: list[str]) -> str:
    """Sit down at a table of Poison with two bots and these cards; its name."""
    table = server.new_player("Cy").open("poison", [None, "easy", "easy"], options={"deck": deck})
    ana.page.goto(f"/table/{table}")
    ana.page.get_by_label("Nickname").fill("Ana")
    ana.button("Sit here").first.click()
    return table


def play_the_round(ana: Visitor) -> Locator:
    """Play until the round is over; its sheet."""
    turn, sheet = ana.page.locator(".status.turn"), ana.page.get_by_role("dialog")
    chance = Random(2)
    while True:
        expect(turn.or_(sheet).first).to_be_visible()
        if sheet.count():
            return sheet
        ana.play_a_card(chance)


def test_nothing_shifts_during_a_round(visit: Visit, server: ServerProcess) -> None:
    ana = visit(reduced_motion="no-preference")
    ana.page.add_init_script(WATCH_SHIFTS)
    sit_in_a_short_game(ana, server, 2 * SIX)
    expect(ana.page.locator(".status.turn")).to_be_visible()
    ana.page.evaluate("shifts.length = 0")  # while it loaded
    play_the_round(ana)
    assert ana.page.evaluate("shifts") == []


def test_the_focus_is_never_lost(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    ana.play_now()
    assert ana.wait_for_turn()
    page.keyboard.press("1")
    page.evaluate(WATCH_FOCUS)
    page.keyboard.press("Escape")
    while not (digit := choose_what_one_cauldron_takes(ana)):
        move_by_keys(ana)
        assert ana.wait_for_turn()
    press_until(page, "Shift+Tab", "Cauldron.*not allowed")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("You can’t do that:")
    page.keyboard.press("Escape")
    move_by_keys(ana, digit)  # the card that had the focus is gone
    assert ana.wait_for_turn()
    assert page.evaluate("lost") == 0


def test_the_next_round_waits_for_the_player(visit: Visit, server: ServerProcess) -> None:
    ana = visit()
    table = sit_in_a_short_game(ana, server, SIX)
    sheet = play_the_round(ana)
    expect(sheet).to_have_accessible_name("Round 1 is over")
    assert server.new_player("Di").get_table(table)["view"]["round"] == 2
    expect(sheet.get_by_role("button", name="Next round")).to_be_focused()
    expect(ana.page.locator(".brand")).to_contain_text("Round 1")
    expect(ana.page.locator(".status.turn")).to_have_count(0)
    ana.check_screen_and_sizes("sheet")
    ana.page.keyboard.press("Enter")
    expect(ana.page.locator(".brand")).to_contain_text("Round 2")
    expect(sheet).to_have_count(0)


def pass_seconds(ana: Visitor, seconds: int) -> None:
    """Let time pass in the page, not so fast that it gives its connection up."""
    for _ in range(seconds):
        ana.page.clock.run_for(1_000)
        ana.page.wait_for_timeout(20)


def test_a_sheet_waits_while_somebody_reads_it(visit: Visit, server: ServerProcess) -> None:
    """A countdown closes the sheet of a player who has left; a sign of life stops it."""
    ana = visit(new=True)
    page = ana.page
    page.clock.install()
    cy = server.new_player("Cy")
    table = cy.open("poison", [None, None, "easy"], options={"deck": SIX})
    page.goto(f"/table/{table}")
    page.get_by_label("Nickname").fill("Ana")
    ana.button("Sit here").first.click()
    expect(page.get_by_text("Ana (you)")).to_be_visible()
    cy.ask(table, "sit", seat=1, nonce="nonce")
    sheet = play_with(ana, cy, table)
    for _ in range(3):  # 45 seconds
        pass_seconds(ana, 15)
        page.mouse.move(*middle_of(sheet))
        page.mouse.move(*[at + 9 for at in middle_of(sheet)])
    expect(sheet).to_be_visible()
    pass_seconds(ana, 27)
    expect(sheet).to_have_count(0)


def play_with(ana: Visitor, other: Player, table: str) -> Locator:
    """Play until the round is over, the other one without a page; the sheet."""
    sheet = ana.page.get_by_role("dialog")
    chance = Random(3)
    for _ in range(200):
        ana.page.clock.run_for(1_000)
        if sheet.count():
            return sheet
        seen = other.get_table(table)
        if "view" not in seen:  # the game has not begun
            ana.page.wait_for_timeout(100)
        elif seen["view"]["legal"]:
            other.ask(table, "move", move=seen["view"]["legal"][0], version=seen["version"])
        elif ana.page.locator(".status.turn").count():
            ana.play_a_card(chance)
        else:
            ana.page.wait_for_timeout(100)
    raise AssertionError("the round does not end")


def test_a_sheet_waits_for_a_player_alone(visit: Visit, server: ServerProcess) -> None:
    ana = visit(new=True)
    ana.page.clock.install()
    sit_in_a_short_game(ana, server, SIX)
    sheet = play_the_round(ana)
    expect(ana.page.locator(".brand")).to_contain_text("Round 1 of 3")
    pass_seconds(ana, 27)  # the countdown would be over
    expect(sheet).to_be_visible()


def uncovered(place: Locator) -> bool:
    """Can the middle of an element be seen?"""
    at = "element => {const box = element.getBoundingClientRect(); return element.contains("
    at += "document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));}"
    seen: bool = place.evaluate(at)
    return seen


def test_the_drawer_covers_neither_action_nor_hand(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    ana.play_now()
    for number, (width, height) in enumerate(MAIN_WINDOWS, 1):
        page.set_viewport_size({"width": width, "height": height})
        assert ana.wait_for_turn()
        ana.open_drawer("log")
        page.wait_for_timeout(400)  # it slides
        window = f"{width}x{height}"
        assert uncovered(page.locator('[data-part="action"] button').first), window
        page.locator('[data-part="hand"] button').first.focus()
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator("ol.log li", has_text="Ana: ")).to_have_count(number)
        ana.check_layout(f"drawer-{width}")
        ana.close_drawer()


def test_a_key_is_never_lost(visit: Visit) -> None:
    """From the moment that a table is there, also while it changes from one screen to the next."""
    ana = visit()
    page = ana.page
    drawer = page.locator('[data-part="drawer"]')
    for _ in range(often(2, 6)):
        ana.play_now()
        drawer.wait_for(state="attached")
        for key, name in TABS.items():
            page.keyboard.press(key)
            expect(drawer.get_by_role("tab", name=name, selected=True)).to_be_visible(timeout=5_000)
        page.keyboard.press("Escape")
        expect(drawer).to_be_hidden(timeout=5_000)


def test_keys_choose_let_go_and_play(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    ana.play_now()
    assert ana.wait_for_turn()
    chosen, cards = page.locator(CHOSEN), page.locator(".hand button")
    for digit in ("1", "3"):
        page.keyboard.press(digit)
        expect(chosen).to_have_count(1)
        expect(cards.nth(int(digit) - 1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)
    move_by_keys(ana)


def test_keys_open_the_drawer_and_the_help(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    ana.play_now()
    assert ana.wait_for_turn()
    page.keyboard.press("2")
    drawer = page.locator('[data-part="drawer"]')
    for key, name in TABS.items():
        page.keyboard.press(key)
        tab = drawer.get_by_role("tab", name=name, selected=True)
        expect(tab).to_be_visible()
        expect(drawer.get_by_role("textbox") if key == "c" else tab).to_be_focused()
        page.keyboard.press("Escape")
        expect(drawer).to_be_hidden()
        expect(page.locator(CHOSEN)).to_be_focused()  # the drawer's Escape lets no card go
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    ana.check_screen("keys")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_card_is_dragged_to_its_place(visit: Visit) -> None:
    ana = visit()
    page = ana.page
    ana.play_now()
    assert ana.wait_for_turn()
    cards = page.locator(".hand button")
    held, card = count_shown(cards), cards.last
    ana.press(card)
    cauldron = page.locator(".cauldron.may").first
    expect(cauldron).to_be_visible()
    status = page.locator('[data-part="status"]')
    for place, left in ((status, held), (cauldron, held - 1)):
        page.mouse.move(*middle_of(card))
        page.mouse.down()
        page.mouse.move(*middle_of(place), steps=5)
        page.mouse.up()
        expect(cards).to_have_count(left)
    expect(page.locator("ol.log li", has_text="Ana: ")).to_have_count(1)


def test_an_address_starts_a_game_at_once(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/play/poison?level=easy&players=3")
    assert ana.wait_for_turn()
    assert re.search(r"/table/[\w-]+\?sit=0$", ana.page.url)
    others = ana.page.get_by_role("list", name="Players").get_by_role("listitem")
    expect(others).to_have_count(2)
    expect(others.filter(has_text="(easy)")).to_have_count(2)
    face = others.first.locator(".face")
    face.hover()
    shown = face.evaluate("face => getComputedStyle(face, '::after').content")
    assert shown.endswith('· easy"')


def test_a_move_against_bots_is_taken_back_until_the_next_one(visit: Visit) -> None:
    ana = visit()
    ana.play_now()
    back = ana.button("Ask to take back my move")
    assert ana.wait_for_turn()
    expect(back).to_have_attribute("aria-disabled", "true")
    hand = ana.page.locator(".hand button .hidden-text")
    expect(hand.first).to_be_attached()
    before = hand.all_inner_texts()
    for _ in range(2):
        ana.play_a_card(Random(4))
        assert ana.wait_for_turn()  # the bots have played, too
        expect(back).to_have_attribute("aria-disabled", "false")
        ana.page.keyboard.press("u")
        expect(ana.page.locator(".notice")).to_have_text(
            re.compile("^Taken back: .* into cauldron")
        )
        expect(hand).to_have_text(before)
        assert ana.wait_for_turn()
    expect(back).to_have_attribute("aria-disabled", "true")


def test_flames_rest_while_nothing_happens(visit: Visit) -> None:
    """A table that is left open is not painted sixty times a second."""
    ana = visit(new=True, reduced_motion="no-preference")
    ana.page.clock.install()
    ana.play_now("poison")
    expect(ana.page.locator(".status.turn")).to_be_visible()
    ana.page.wait_for_function(f"() => {ENDLESS} > 0")
    ana.page.clock.fast_forward("01:30")
    assert ana.page.evaluate(ENDLESS) == 0
    ana.page.mouse.move(200, 200)
    assert ana.page.evaluate(ENDLESS) > 0
