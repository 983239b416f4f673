"""The line is lost and comes back; the server stops in the middle of a game and starts again."""

from __future__ import annotations

import socket
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, expect

from tests.page.browser import PATIENCE, Visitor
from tests.page.conftest import Visit
from tests.server.club import Club

LOST = "The line is lost"


def test_a_lost_line_is_told_and_comes_back_by_itself(visit: Visit) -> None:
    ana = visit()
    lines: list[Any] = []
    cut = False

    def between(line: Any) -> None:
        if cut:
            line.close(code=1001)
            return
        line.connect_to_server()
        lines.append(line)

    ana.page.route_web_socket("**/socket", between)
    ana.play_now()
    assert ana.wait_for_turn()
    ana.page.locator(".hand button").first.click()
    cut = True
    lines[-1].close(code=1001)
    expect(ana.page.get_by_text(LOST)).to_be_visible()
    ana.shot("lost")
    cut = False
    expect(ana.page.get_by_text(LOST)).to_have_count(0, timeout=PATIENCE)
    assert len(lines) > 1
    for _ in range(3):
        assert ana.wait_for_turn()
        ana.play_a_card(Random(4))


def test_the_server_stops_in_the_middle_and_starts_again(browser: Browser, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    club = Club(tmp_path / "club", "--port", str(port))
    ana = Visitor(browser, f"http://{club.host}")
    chance = Random(5)
    ana.play_now()
    for _ in range(3):
        assert ana.wait_for_turn()
        ana.play_a_card(chance)
    assert ana.wait_for_turn()
    hand = ana.page.locator(".hand button").count()
    club.stop()
    expect(ana.page.get_by_text(LOST)).to_be_visible()
    club.start()
    expect(ana.page.get_by_text(LOST)).to_have_count(0, timeout=PATIENCE)
    assert ana.page.locator(".hand button").count() == hand
    while ana.wait_for_turn():
        ana.play_a_card(chance)
    # While the server is away the browser itself says that it cannot be reached; nothing else.
    other = [c for c in ana.complaints if "ERR_CONNECTION_REFUSED" not in c]
    ana.context.close()
    assert other == []
    assert club.stop() == 0
    assert club.complaints() == []


def test_a_table_that_is_not_there(visit: Visit) -> None:
    ana = visit()
    ana.page.goto("/table/nothing-there-at-all")
    expect(ana.page.get_by_role("heading", name="This table cannot be shown")).to_be_visible()
    ana.check_screen("no-table")


def test_a_personal_link_goes_on_on_another_device(visit: Visit) -> None:
    laptop, phone = visit("desktop"), visit("phone")
    laptop.play_now()
    assert laptop.wait_for_turn()
    laptop.page.get_by_role("tab", name="Table").click()
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
    phone.play_a_card(Random(6))
    expect(laptop.page.locator(".hand button")).to_have_count(
        phone.page.locator(".hand button").count()
    )
