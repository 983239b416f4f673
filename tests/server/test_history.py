"""A table's history comes in pages, and its log has an end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.server_process import Player, ServerProcess, started_servers
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import START, TableHarness
from theriac.engine.contract import SPECTATOR
from theriac.server.limits import Limits
from theriac.server.rate_limit import TokenBucket
from theriac.server.tables import messages
from theriac.server.tables.messages import encoder
from theriac.server.tables.views import history_after, welcome_for

#: The bytes of a page and of a log in these tests; and of a welcome beside its events.
PAGE_BYTES, LOG_BYTES, STATE_BYTES = 4000, 200_000, 4000


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with short pages and logs, where people may talk quickly."""
    limits = (f"page_bytes={PAGE_BYTES}", f"log_bytes={LOG_BYTES}", "player_rate=10000")
    arguments = [part for limit in limits for part in ("--limit", limit)]
    running = ServerProcess(tmp_path_factory.mktemp("pages"), *arguments, THERIAC_JIT="0")
    started_servers.pop_all()  # it outlives this test
    yield running
    assert running.stop() == 0


def talk(client: SocketClient, times: int) -> None:
    """Say something long, many times."""
    client.bucket = TokenBucket(10_000, 10_000)
    for number in range(times):
        client.do("say", text=f"{number} " + "x" * 290)
    client.reach(client.do("ping"))


def read_all(player: Player, table: str, after: int = 0) -> list[Any]:
    """All events after a version, page by page."""
    events: list[Any] = []
    while True:
        response = player.http.get(f"/api/tables/{table}/events", params={"after": after})
        assert len(response.content) <= PAGE_BYTES + 100
        page = response.json()
        events += page["events"]
        if not page["events"] or page["events"][-1]["version"] == page["version"]:
            return events
        after = events[-1]["version"]


def test_a_long_history_comes_in_pages(pages: ServerProcess) -> None:
    ana, bo = pages.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    talk(one, 60)
    two.reach(one.version)
    response = pages.http.get(f"/api/tables/{table}", params={"since": 0})
    assert len(response.content) <= PAGE_BYTES + STATE_BYTES
    late = SocketClient(pages, table, bo, since=0)
    assert len(late.received[0]) <= PAGE_BYTES + STATE_BYTES
    assert late.version == one.version and late.view == two.view, "the state is whole"
    assert late.events[-1] == {key: one.events[-1][key] for key in ("version", "at", "event")}
    first = late.events[0]["version"]
    welcome = response.json()["welcome"]
    assert first > 1 and welcome["skipped"] == welcome["events"][0]["version"] - 1
    assert [update["version"] for update in read_all(bo, table)] == [*range(1, one.version + 1)]
    assert read_all(bo, table, first - 1) == late.events
    assert "skipped" not in ana.get_table(table, since=one.version - 3)


def test_pages_hide_what_a_viewpoint_may_not_know(pages: ServerProcess) -> None:
    ana, bo = pages.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None], delay=3600)
    seat_players(table, ana, bo)
    assert [update["event"]["kind"] for update in read_all(ana, table)][-1] == "begun"
    eve = pages.new_player("Eve")
    assert [update["event"]["kind"] for update in read_all(eve, table)] == ["opened"]
    texts = str(read_all(eve, table)) + str(read_all(ana, table)[:3])
    assert "secret" not in texts and "nonce" not in texts and ana.id not in texts


@pytest.mark.parametrize("path", ["events?after=-1", "events?after=x", "events?after=9999999999"])
def test_a_wrong_page_is_refused(pages: ServerProcess, path: str) -> None:
    table = pages.new_player().open("shokoba", [None, None])
    assert pages.http.get(f"/api/tables/{table}/{path}").status_code == 400
    assert pages.http.get(f"/api/tables/{table}/events?after=99").json()["events"] == []
    assert pages.http.get("/api/tables/nosuch/events").status_code == 404


def test_a_page_has_at_least_one_event_and_no_more_than_its_number() -> None:
    harness = TableHarness("shokoba", [None, None])
    for number in range(20):
        harness.ask("ana", messages.Say(f"s{number}", "x" * 300))
    table, version = harness.table, harness.table.version
    small = Limits(page_bytes=1)
    assert [u.version for u in history_after(table, SPECTATOR, 4, small)] == [5]
    welcome = welcome_for(table, SPECTATOR, 0, START, small)
    assert [u.version for u in welcome.events] == [version] and welcome.skipped == version - 1
    few = Limits(page_events=3)
    assert [u.version for u in history_after(table, SPECTATOR, 4, few)] == [5, 6, 7]
    newest = [u.version for u in welcome_for(table, SPECTATOR, 0, START, few).events]
    assert newest == [version - 2, version - 1, version]
    assert history_after(table, SPECTATOR, version + 5, few) == []


def test_a_full_log_ends_the_talk_but_not_the_game(pages: ServerProcess) -> None:
    ana, bo = pages.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    one.bucket = TokenBucket(10_000, 10_000)
    for number in range(LOG_BYTES // 300):
        answer = one.ask("say", text=f"{number} " + "x" * 290)
        if "refused" in answer:
            break
    assert answer["refused"]["why"] == "the log of this table is full: open another table"
    assert two.refused("react", to=1, sign="wow")["code"] == "stage"
    assert sum(len(encoder.encode(u)) + 400 for u in read_all(ana, table)) * 1.2 > LOG_BYTES
    one.reach(one.do("ping"))
    two.reach(one.version)
    mover = (one, two)[one.view["to_act"]]
    mover.play(mover.view["legal"][0])
    why = "the log of this table is full: open another table"
    assert mover.refused("undo") == {"code": "stage", "why": why}
