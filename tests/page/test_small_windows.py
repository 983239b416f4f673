"""What a small phone shows: the way on at the end, and what signs mean to a finger."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.page.browser import Visitor, press_until
from tests.page.conftest import Visit
from tests.page.test_seal import finish, player_of
from tests.server.server_process import Player, ServerProcess

#: The smallest window.
SMALL: ViewportSize = {"width": 360, "height": 640}
#: Two cards of Poison a round for each of four players.
EIGHT = "R1 R4 B1 B4 P1 P4 X X".split()
#: The lines that the words of a button take; a line is as high as the button says.
LINES = """button => {
    const words = button.firstElementChild;
    return Math.round(words.offsetHeight / parseFloat(getComputedStyle(words).lineHeight));
}"""


def is_in_sight(button: Locator) -> bool:
    """Is all of it inside the window, with nothing above it?"""
    found: bool = button.evaluate(
        """element => {
            const {left, top, right, bottom} = element.getBoundingClientRect();
            const at = document.elementFromPoint((left + right) / 2, bottom - 2);
            return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
                && element.contains(at);
        }"""
    )
    return found


def finish_unseen(ana: Visitor, player: Player, table: str) -> None:
    """Play a game to its end while its page is closed: to draw every move takes long."""
    ana.page.goto("about:blank")
    finish(player, table)


@pytest.mark.parametrize(
    ("game", "options"), [("poison", {"deck": EIGHT}), ("shokoba", {"target": 11})]
)
def test_the_way_on_is_in_sight_at_the_end(
    visit: Visit, server: ServerProcess, game: str, options: dict[str, Any]
) -> None:
    ana = visit("phone")
    ana.page.set_viewport_size(SMALL)
    player = player_of(ana, server)
    table = player.open(game, [None, "easy", "easy", "easy"], options=options)
    ana.page.goto(f"/table/{table}?sit=0")
    expect(ana.page.locator(".hand")).to_be_visible()
    finish_unseen(ana, player, table)
    ana.page.goto(f"/table/{table}")
    end = ana.wait_for_end()
    expect(end.locator("summary")).to_be_visible()
    for way in (ana.button("Play again"), end.get_by_role("link", name="Review")):
        assert is_in_sight(way)
    ana.check_screen("small-end")


def explained(ana: Visitor) -> Locator:
    return ana.page.locator(".seat .words")


def test_a_finger_learns_what_the_signs_at_a_seat_mean(visit: Visit) -> None:
    ana = visit("phone")
    ana.page.set_viewport_size(SMALL)
    ana.page.goto("/play/poison?level=easy")
    assert ana.wait_for_turn()
    seats = ana.page.locator(".seats .seat")
    for seat in seats.all():
        seat.locator(".facts").tap()
        expect(explained(ana)).to_have_count(1)
        expect(explained(ana)).to_contain_text("cards in hand")
        expect(explained(ana)).to_contain_text("cards taken")
        box = explained(ana).bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= SMALL["width"]
    ana.check_screen("seat-explained")
    ana.page.locator("[data-part=status]").tap(force=True)
    expect(explained(ana)).to_have_count(0)


def test_keys_learn_what_the_signs_at_a_seat_mean(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/play/shokoba?level=easy")
    assert ana.wait_for_turn()
    press_until(ana.page, "Tab", "What Guest has")
    ana.page.keyboard.press("Enter")
    expect(explained(ana)).to_contain_text("cards captured")
    ana.page.keyboard.press("Escape")
    expect(explained(ana)).to_have_count(0)


@pytest.mark.parametrize("language", ["en-GB", "pt-BR", "fr-FR", "ja-JP"])
def test_withdrawing_takes_two_lines_at_most(visit: Visit, language: str) -> None:
    ana = visit("phone", locale=language)
    ana.page.set_viewport_size(SMALL)
    ana.page.goto("/play/shock?level=easy")
    way = ana.page.locator(".quiet-way")
    expect(way).to_be_visible()
    assert way.evaluate(LINES) <= 2


def test_a_replay_of_a_fort_shows_the_fort(visit: Visit, server: ServerProcess) -> None:
    ana = visit("phone")
    ana.page.set_viewport_size(SMALL)
    player = player_of(ana, server)
    table = player.open("dungeon", [None, "easy", "easy"], options={"minutes": 0})
    ana.page.goto(f"/table/{table}?sit=0")
    expect(ana.page.locator(".hand")).to_be_visible()
    finish_unseen(ana, player, table)
    ana.page.goto(f"/table/{table}/games/1")
    fort = ana.page.locator("[data-place=fort]")
    expect(fort).to_be_visible()
    box = fort.bounding_box()
    assert box is not None and box["height"] > SMALL["height"] / 3
    ana.check_screen("small-replay")


def test_a_game_lost_together_has_no_points_in_the_history(
    visit: Visit, server: ServerProcess
) -> None:
    ana = visit("phone")
    player = player_of(ana, server)
    table = player.open("dungeon", [None, "easy"], options={"minutes": 0})
    ana.page.goto(f"/table/{table}?sit=0")
    expect(ana.page.locator(".hand")).to_be_visible()
    finish_unseen(ana, player, table)
    lost = player.get(f"/api/tables/{table}/games/1/replay")["steps"][-1]["view"]["scores"]
    assert not any(lost), "the first legal moves lose a fort"
    ana.page.goto("/history")
    game = ana.page.locator(".players").first
    expect(game).to_contain_text("Ana (you)")
    expect(game.locator("b")).to_have_count(0)
