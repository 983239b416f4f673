"""A connection is lost and restored; a table does not exist; a player changes devices."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.page.browser import LOST, SocketSwitch, count_shown
from tests.page.conftest import Visit


def test_a_lost_connection_is_shown_and_restored(visit: Visit) -> None:
    ana = visit()
    line = SocketSwitch(ana.page)
    ana.play_now()
    assert ana.wait_for_turn()
    ana.press(ana.page.locator(".hand button").first)
    line.cut()
    expect(ana.page.get_by_text(LOST)).to_be_visible()
    ana.shot("lost")
    line.mend()
    ana.wait_for_connection()
    assert len(line.sockets) > 1
    for _ in range(3):
        assert ana.wait_for_turn()
        ana.play_a_card(Random(4))


@pytest.mark.parametrize("kind", ["js", "css"])
def test_a_part_that_could_not_be_loaded_is_loaded_the_next_time(visit: Visit, kind: str) -> None:
    ana = visit(new=True)
    ana.play_now()
    assert ana.wait_for_turn()
    missing = f"**/assets/ChatTab-*.{kind}*"
    ana.page.route(missing, lambda route: route.abort())
    ana.open_drawer("chat")
    chat = ana.page.locator('[data-part="drawer"] [role=tabpanel]')
    expect(chat).to_contain_text("This part couldn’t be loaded.")
    ana.check_screen(f"no-chat-{kind}")
    ana.button("Try again").click()
    expect(chat).to_contain_text("This part couldn’t be loaded.")
    ana.page.unroute(missing)
    ana.close_drawer()
    ana.open_drawer("chat")
    said = chat.get_by_role("textbox")
    expect(said).to_be_visible()
    expect(chat).not_to_contain_text("This part couldn’t be loaded.")
    styled = "sheets => [...document.styleSheets].some(s => s.href?.includes('ChatTab'))"
    assert ana.page.evaluate(styled), "it has its style"
    expected = re.compile("load|fetch")
    assert all(map(expected.search, ana.console_errors)), ana.console_errors
    ana.console_errors.clear()


def test_a_table_that_does_not_exist_is_reported(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/table/nothing-there-at-all")
    expect(ana.page.get_by_role("heading", name="This table can’t be shown")).to_be_visible()
    expect(ana.page.get_by_text("There’s no such table.")).to_be_visible()
    expect(ana.page.get_by_role("link", name="Settings")).to_be_visible()
    ana.check_screen("no-table")


def test_a_personal_link_works_on_another_device(visit: Visit) -> None:
    laptop, phone = visit("desktop"), visit("phone")
    laptop.play_now()
    assert laptop.wait_for_turn()
    laptop.open_drawer("table")
    laptop.button("Show my personal link").click()
    expect(laptop.page.get_by_role("img", name="QR code of your personal link")).to_be_visible()
    laptop.check_screen("share")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    link = laptop.page.get_by_label("Your personal link", exact=True).input_value()
    phone.page.goto(link)
    assert phone.wait_for_turn()
    key = link.partition("#key=")[2].partition("&")[0]
    assert len(key) > 20 and key not in phone.page.url
    assert all(key not in url for url in asked)
    held = count_shown(phone.page.locator(".hand button"))
    phone.play_a_card(Random(6))
    for visitor in (phone, laptop):
        expect(visitor.page.locator(".hand button")).to_have_count(held - 1)
