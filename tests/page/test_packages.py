"""Games of installed packages on a page that was built without them."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, expect

from tests.packages import INIT, install_game, share_compiled
from tests.page.browser import Visitor, count_shown
from tests.page.conftest import Visit
from tests.server.server_process import ServerProcess, started_servers

BOARD = Path(__file__).parent / "venom" / "board"
#: Two cards a round for each of four players.
DECK = 'game = "{name}"\n[cards]\nR1 = 1\nR4 = 1\nB1 = 1\nB4 = 1\nP1 = 1\nP4 = 1\nX = 2\n'
#: A text that says which keys of the table are about seats.
SEATS = """
from theriac.games.poison.text import PoisonText

class WithSeats(PoisonText):
    per_seat = ("hands", "taken")
    seat_keys = ("dealer",)

GAMES = (replace(GAMES[0], text=WithSeats),)
"""
#: Modules that fail, and what the page says about it.
BROKEN = {
    "blight": ("export function mount() { throw new Error('no ink'); }", "Error: no ink"),
    "scourge": ("export const mount = ;", "SyntaxError: "),
    "plague": ("export const card = (text) => text;", "exports no function mount"),
    "pest": ("export const mount = () => {};", "mount returned no function update"),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with four packages: their games have few cards."""
    site = tmp_path_factory.mktemp("site")
    for name in ("venom", "bane", *BROKEN):
        install_game(site, name, {"deck.toml": DECK.format(name=name)})
    shutil.copytree(BOARD, site / "venom" / "board")
    init = INIT.format(name="bane", title="Bane") + SEATS
    (site / "bane" / "__init__.py").write_text(init)
    for name, (module, _) in BROKEN.items():
        (site / name / "board").mkdir()
        (site / name / "board" / "board.js").write_text(module)
    path = os.pathsep.join([str(site), *sys.path])
    # For the bot that gives hints, which always uses compiled rules.
    cache = share_compiled(site, ["venom", "bane"], tmp_path_factory.mktemp("cache"))
    server = ServerProcess(
        tmp_path_factory.mktemp("server"),
        PYTHONPATH=path,
        THERIAC_CACHE=str(cache),
    )
    started_servers.pop_all()  # it outlives this test
    yield f"http://{server.host}"
    assert server.stop() == 0


def card_of(ana: Visitor, title: str) -> Locator:
    """What the home page has about a game."""
    return ana.page.get_by_role("article").filter(has_text=title)


def play_by_module(ana: Visitor, chance: Random) -> None:
    """Choose a card and a cauldron on the board of the package."""
    log = ana.page.locator("ol.log li")
    before = log.count()
    hand = ana.page.locator(".venom-hand button")
    hand.nth(chance.randrange(count_shown(hand))).click()
    ana.page.locator(".venom-cauldrons .may").first.click()
    expect(log).not_to_have_count(before)


def play_by_text(ana: Visitor, chance: Random) -> None:
    """Choose a move on the text board."""
    own = ana.page.locator("ol.log li", has_text=" Ana: ")
    before = own.count()
    moves = ana.page.locator(".moves button")
    moves.nth(chance.randrange(count_shown(moves))).click()
    expect(own).not_to_have_count(before)


def test_a_board_that_is_a_module_is_played_to_the_end(visit: Visit, address: str) -> None:
    ana = visit("phone", address)
    ana.page.goto("/")
    expect(card_of(ana, "Venom").get_by_text("drawn by a package")).to_be_visible()
    cover = card_of(ana, "Venom").locator("img")
    expect(cover).to_have_attribute("src", re.compile("/games/venom/.*/cover.svg"))
    assert cover.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    ana.check_screen_and_sizes("package-home")
    ana.play_from_home("Venom")
    assert ana.wait_for_turn()
    expect(ana.page.get_by_text(re.compile(r"^\d cards? taken$"))).to_have_count(4)
    border = "button => getComputedStyle(button).borderEndStartRadius"
    assert ana.page.locator(".venom-cauldrons button").first.evaluate(border) == "32px"
    ana.button("Hint").click()
    hint = ana.page.locator(".notice", has_text="Hint: ").locator("span")
    expect(hint).to_have_text(re.compile(r"^Hint: \w+ into cauldron \d$"))
    ana.check_screen_and_sizes("package-table")
    chance = Random(1)
    while ana.wait_for_turn():
        play_by_module(ana, chance)
    log = ana.page.locator("ol.log li", has_text=re.compile(r"Ana: \w+ into cauldron \d"))
    expect(log).to_have_count(8)
    points = [
        int(text) for text in ana.page.get_by_role("dialog").locator("tbody td").all_inner_texts()
    ]
    assert points == sorted(points)  # the fewest points win
    ana.page.get_by_role("link", name="Replay this game").click()
    expect(ana.page.locator(".venom-cauldrons")).to_be_visible()
    ana.button("To the start").click()
    expect(ana.page.locator(".venom-cauldrons button").first).to_have_text("Cauldron 1: –")
    ana.button("Moves").click()
    ana.button("As text").click()
    ana.button("Moves").click()
    expect(ana.page.get_by_role("rowheader").first).to_be_visible()
    expect(ana.page.get_by_role("columnheader", name="Cards in hand")).to_be_visible()


def test_words_that_a_package_lacks_are_english(visit: Visit, address: str) -> None:
    ana = visit("phone", address, locale="pt-PT")
    ana.page.goto("/")
    expect(card_of(ana, "Veneno").get_by_text("drawn by a package")).to_be_visible()


def test_a_game_without_a_board_is_played_as_text(visit: Visit, address: str) -> None:
    ana = visit("phone", address)
    ana.page.goto("/")
    about = card_of(ana, "Bane")
    expect(about.get_by_text("Bane in brief.")).to_be_visible()
    expect(about.locator("svg text")).to_have_text("B")
    expect(about.get_by_role("link")).to_have_count(1)  # neither a tutorial nor a rule page
    ana.play_from_home("Bane")
    assert ana.wait_for_turn()
    ana.open_drawer("table")
    expect(ana.page.locator("input.as-text")).to_have_count(0)
    ana.close_drawer()
    table = ana.page.get_by_role("region", name="The table as text")
    for heading in ("Player", "Points", "Hands", "Taken"):
        expect(table.get_by_role("columnheader", name=heading, exact=True)).to_be_visible()
    expect(table.locator("dt", has_text="Dealer")).to_be_visible()
    expect(table.locator("dt", has_text="Limit")).to_be_visible()  # only `recall` has it
    ana.button("Hint").click()
    hint = ana.page.locator(".notice", has_text="Hint: ").locator("span")
    expect(hint).to_have_text(re.compile(r"^Hint: \w+@\d$"))
    ana.check_screen_and_sizes("package-text")
    chance = Random(2)
    while ana.wait_for_turn():
        play_by_text(ana, chance)
    ana.check_screen_and_sizes("package-text-over")
    ana.page.get_by_role("link", name="Replay this game").click()
    expect(table.locator("dt", has_text="Cauldrons")).to_be_visible()
    ana.check_screen_and_sizes("package-text-replay")


def test_the_other_pages_of_a_game_without_a_board(visit: Visit, address: str) -> None:
    ana = visit("phone", address)
    ana.page.goto("/decks/bane")
    expect(ana.page.get_by_label("How many: R4")).to_have_value("1")
    ana.check_screen("package-deck")
    ana.page.goto("/rules/bane")
    expect(ana.page.get_by_role("alert")).to_contain_text("bane has no rule page")
    expect(ana.page.get_by_role("link", name="tutorial")).to_have_count(0)
    ana.page.goto("/learn/bane")
    expect(ana.page.get_by_role("alert")).to_contain_text("bane has no tutorial")
    ana.console_errors = [one for one in ana.console_errors if "400 (Bad Request)" not in one]


@pytest.mark.parametrize("game", ["bane", "venom"])
def test_the_living_room_of_a_package(visit: Visit, address: str, game: str) -> None:
    screen, phone = visit("desktop", address), visit("phone", address)
    screen.page.goto(f"/open?game={game}")
    expect(screen.page.locator(".game.chosen .title")).to_have_text(game.title())
    screen.page.get_by_label("Nickname").fill("Screen")
    screen.page.get_by_role("combobox", name="Players", exact=True).select_option("3")
    screen.page.get_by_text("Change the settings").click()
    for seat in ("Seat 2", "Seat 3"):
        screen.page.get_by_label(seat).select_option("easy")
    screen.button("Open it in the living room").click()
    phone.page.goto("http://" + screen.page.locator(".link").inner_text())
    phone.page.get_by_label("Nickname").fill("Ana")
    phone.button("Sit here").first.click()
    assert phone.wait_for_turn()
    hand = phone.page.get_by_role("group", name="Your hand").get_by_role("button")
    before = count_shown(hand)
    hand.first.click()
    phone.check_screen(f"package-hand-{game}")
    phone.page.locator(".ways button").first.click()
    expect(hand).to_have_count(before - 1)
    screen.check_screen(f"package-living-{game}")


@pytest.mark.parametrize("game", BROKEN)
def test_a_broken_board_is_reported_and_played_as_text(
    visit: Visit, address: str, game: str
) -> None:
    ana = visit("desktop", address)
    ana.play_now(game)
    assert ana.wait_for_turn()
    alert = ana.page.get_by_role("alert")
    expect(alert).to_contain_text("This game’s board couldn’t be shown")
    expect(alert).to_contain_text(BROKEN[game][1])
    play_by_text(ana, Random(3))
    assert ana.console_errors
    ana.console_errors.clear()
