"""The same deal again from another seat, chosen at the end of a game: the page always says so."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.conftest import Visit
from tests.page.test_seal import finish, player_of
from tests.server.server_process import ServerProcess
from tests.server.short_games import SHORT_FOR_THREE


def test_from_the_end_of_a_game_to_the_same_deal(visit: Visit, server: ServerProcess) -> None:
    ana = visit()
    page = ana.page
    player = player_of(ana, server)
    table = player.open("shokoba", [None, "easy", "easy"], options=SHORT_FOR_THREE)
    player.ask(table, "sit", seat=0, nonce="nonce")
    finish(player, table)
    page.goto(f"/table/{table}")
    end = ana.wait_for_end()
    names = [each.inner_text() for each in page.locator(".seats .name").all()]

    end.get_by_role("button", name="Same deal, other seat").click()
    choice = end.get_by_role("group", name="Whose cards do you want to play?")
    expect(choice.get_by_role("button")).to_have_count(2)
    expect(choice.get_by_role("button").first).to_be_focused()
    expect(choice).to_contain_text("doesn’t count")
    ana.check_screen_and_sizes("same-deal")
    choice.get_by_role("button").nth(1).click()

    expect(page.locator(".brand")).to_contain_text("Known deal")
    assert ana.wait_for_turn() and names
    ana.open_drawer("log")
    expect(page.locator("ol.log")).to_contain_text("plays the deal of an earlier game again")
    ana.close_drawer()
    ana.open_drawer("table")
    link = page.locator('[data-part="drawer"]').get_by_role("link", name="See that game")
    expect(link).to_have_attribute("href", f"/table/{table}/games/1")
    ana.check_screen("known-deal")
    again = page.url.rpartition("/")[2].partition("?")[0]
    assert again != table
    one = player.get_table(table)["room"]
    two = player.get_table(again)["room"]
    assert two["seats"][2]["name"] == "Ana" and one["seats"][0]["name"] == "Ana"
    assert two["options"]["deck"] == SHORT_FOR_THREE["deck"] and two["deal_of"] == {
        "table": table,
        "number": 1,
    }

    page.goto("about:blank")  # to draw every move takes long
    finish(player, again)
    page.goto(f"/table/{again}/games/1")
    expect(page.get_by_text("known before")).to_be_visible()
    expect(page.locator(".brand")).to_contain_text("Known deal")
    expect(ana.button("Same deal, other seat")).to_be_visible()
