"""The living room: a large screen is the table, phones are the hands."""

from __future__ import annotations

import contextlib
import re
from random import Random
from time import monotonic

from playwright.sync_api import Locator, expect

from tests.page.boards import each_board, title_of
from tests.page.browser import Visitor
from tests.page.conftest import Visit
from tests.page.windows import SETTLED_S
from tests.server.server_process import ServerProcess
from theriac.game import Game, find
from theriac.testing.setups import short_options

#: A small deck: a game of Poison has 15 moves.
SIX = short_options(find("poison"))["deck"]

#: One of Ana's moves in the log, which also reports the cards in front of her.
ANA_MOVES = re.compile(r"^\s*[\d:\sAPM]+\sAna: ")
#: Does the table take all the height that is left, and none of it need scrolling?
FILLED = """board => {
    const stage = board.querySelector(".stage").getBoundingClientRect();
    const box = board.getBoundingClientRect(), middle = board.parentElement;
    return stage.height === box.height && stage.width === box.width
        && middle.scrollHeight <= middle.clientHeight && innerHeight - box.bottom < 40;
}"""
#: Does each box lie to the right of the one before it?
APART = """boxes => boxes.map(box => box.getBoundingClientRect())
    .every((box, i, all) => i === 0 || all[i - 1].right <= box.left)"""


def open_table(screen: Visitor, game: Game, players: int, bots: int, first: str = "") -> str:
    """Open a table on the screen, where this seat begins; the link of its QR code."""
    page = screen.page
    page.goto(f"/open?game={game.name}")
    expect(page.locator(".game.chosen .title")).to_have_text(title_of(game))
    page.get_by_label("Nickname").fill("Screen")
    page.get_by_role("combobox", name="Players", exact=True).select_option(str(players))
    page.get_by_text("Change the settings").click()
    for seat in range(players - bots, players):
        page.get_by_label(f"Seat {seat + 1}").select_option("easy")
    if first:
        lot = page.locator("select", has=page.locator("option", has_text="at random"))
        lot.select_option(first)
    screen.button("Open it in the living room").click()
    return link_of(screen)


def link_of(screen: Visitor) -> str:
    """The link of the QR code on a screen."""
    expect(screen.page.get_by_role("img", name="QR code to play")).to_be_visible()
    link: str = screen.page.locator(".link").inner_text()
    return f"http://{link}"


def join(phone: Visitor, link: str, name: str) -> None:
    """Join a table as a phone does after scanning the code."""
    phone.page.goto(link)
    phone.page.get_by_label("Nickname").fill(name)
    phone.button("Sit here").first.click()


def choose(card: Locator, ways: Locator) -> None:
    """Tap a card until it is chosen: a tap is lost while the page around it moves."""
    for _ in range(10):
        card.click()
        with contextlib.suppress(AssertionError):
            expect(ways.first).to_be_visible(timeout=5_000)
            return


def play(phone: Visitor, chance: Random) -> None:
    """Choose a card and its target, and confirm the move where the board asks for it."""
    # The screen may be ahead of the phone.
    expect(phone.page.locator(".status.turn")).to_be_visible()
    cards = phone.page.locator(".pad .card:not(.not)")
    ways = phone.page.locator(".pad .ways button, .pad .map button")
    expect(cards.or_(ways).first).to_be_visible()
    if cards.count():
        choose(cards.nth(chance.randrange(cards.count())), ways)
    expect(ways.first).to_be_visible()
    way = ways.nth(chance.randrange(ways.count()))
    chosen = way.get_attribute("aria-pressed")
    if chosen != "true":
        way.click()
    if chosen is not None:
        phone.page.locator(".pad .play").click()


def test_a_screen_and_two_phones_play_a_whole_game(visit: Visit, server: ServerProcess) -> None:
    chance = Random(5)
    screen, ana, bo = visit(), visit("phone"), visit("phone")
    table = server.new_player("Cy").open("poison", [None, None, "easy"], options={"deck": SIX})
    screen.page.goto(f"/room/{table}")
    link = link_of(screen)
    screen.check_screen("room-gathering")
    join(ana, link, "Ana")
    expect(screen.page.get_by_text("Ana", exact=True).first).to_be_visible()
    join(bo, link, "Bo")
    expect(screen.page.locator(".code.small")).to_be_visible()
    expect(screen.page.locator(".hand")).to_have_count(0)
    over = screen.page.get_by_role("dialog", name="Game over")
    turn = screen.page.locator(".status b")
    logged = screen.page.locator("ol.log li", has_text=re.compile("(Ana|Bo): "))
    moves = 0
    theirs = turn.filter(has_text=re.compile("^(Ana|Bo)\\b"))
    while True:
        for visitor in (screen, ana, bo):
            visitor.read_sheet()
        expect(theirs.or_(over).or_(screen.sheet).first).to_be_visible()
        if screen.sheet.count():
            continue
        if over.count():
            break
        phone = ana if turn.inner_text().startswith("Ana") else bo
        play(phone, chance)
        moves += 1
        expect(logged).to_have_count(moves)  # so that the screen shows whose turn it is
    assert moves == 2 * 5  # two of three players, who have six cards in three rounds
    for phone in (ana, bo):
        phone.wait_for_end()
        expect(phone.button("Play again")).to_be_visible()
    screen.check_screen("room-over")


def check_that_it_fills(screen: Visitor, game: Game, width: int, height: int) -> None:
    """The board is as large as a screen of this size allows."""
    screen.page.set_viewport_size({"width": width, "height": height})
    board = screen.page.locator(".board")
    places, latest = board.locator(".place"), monotonic() + SETTLED_S
    while monotonic() < latest and not (board.evaluate(FILLED) and places.evaluate_all(APART)):
        screen.page.wait_for_timeout(100)
    assert board.evaluate(FILLED)
    assert places.evaluate_all(APART), "cards overlap"
    assert screen.page.evaluate("document.documentElement.scrollHeight") <= height
    screen.shot(f"room-{game.name}-{width}")


@each_board
def test_both_layouts_of_every_game(visit: Visit, game: Game) -> None:
    chance = Random(2)
    players = game.usual_players
    screen, ana = visit(), visit("phone")
    # Ana begins: a board that once had to shrink stays small for a round.
    join(ana, open_table(screen, game, players, players - 1, first="1"), "Ana")
    assert ana.wait_for_turn()
    for width, height in ((1920, 1080), (1280, 720)):
        check_that_it_fills(screen, game, width, height)
    screen.resize("desktop")
    for made in range(2):
        if not ana.wait_for_turn():  # a fort may be lost at once
            break
        play(ana, chance)
        expect(screen.page.locator("ol.log li", has_text=ANA_MOVES)).to_have_count(made + 1)
    cards = ana.page.locator(".pad .card:not(.not)")
    if ana.wait_for_turn() and cards.count():
        cards.first.click()
    ana.check_screen(f"pad-{game.name}")
    screen.check_screen(f"room-{game.name}")
    expect(ana.page.get_by_role("tablist")).to_have_count(0)
    if ana.button("Look at the table").count():  # the fort was lost meanwhile
        ana.button("Look at the table").click()
    ana.button("Whole board").click()
    expect(ana.page.locator(".pad")).to_have_count(0)
    expect(ana.page.get_by_role("list", name="Players")).to_be_visible()
    ana.button("Whole board").click()
    expect(ana.page.locator(".pad")).to_be_visible()


def test_a_place_chosen_on_the_phone_is_pointed_at_on_the_screen(visit: Visit) -> None:
    screen, ana = visit(), visit("phone")
    join(ana, open_table(screen, find("dungeon"), 2, 1), "Ana")
    assert ana.wait_for_turn()
    ana.page.locator(".pad .card:not(.not)").first.click()
    place = ana.page.locator(".pad .map button").first
    place.click()
    expect(place).to_have_attribute("aria-pressed", "true")
    expect(screen.page.locator(".finger")).to_be_visible()
    ana.check_screen("pad-place")
    ana.page.locator(".pad .play").click()
    expect(screen.page.locator("ol.log li", has_text="Ana: ")).to_have_count(1)


def test_the_screen_never_shows_a_hand(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/")
    ana.page.get_by_role("link", name="With friends: Shokoba").click()
    expect(ana.page).to_have_url(re.compile("game=shokoba"))
    link = open_table(ana, find("shokoba"), 2, 1)
    ana.page.goto(link)
    ana.button("Sit here").first.click()
    expect(ana.page.locator(".pad .card").first).to_be_visible()
    ana.page.goto(link.replace("/table/", "/room/").removesuffix("?hand"))
    expect(ana.page.locator("ol.log")).to_be_visible()
    expect(ana.page.locator(".hand")).to_have_count(0)
    expect(ana.page.locator(".pad")).to_have_count(0)
