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
from theriac.server.tables.history import LastGame, history_after
from theriac.server.tables.messages import encoder
from theriac.server.tables.views import view_of_match, welcome_for

#: The bytes of a page and of a log in these tests; and of a welcome beside its events.
PAGE_BYTES, LOG_BYTES, STATE_BYTES = 4000, 200_000, 4000


LONG = Limits(page_bytes=10**9, page_events=10**6)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with short pages and logs, where people may talk quickly."""
    limits = [f"page_bytes={PAGE_BYTES}", f"log_bytes={LOG_BYTES}"]
    limits += ["player_rate=10000", "talk_burst=10000"]
    arguments = [part for limit in limits for part in ("--limit", limit)]
    running = ServerProcess(tmp_path_factory.mktemp("pages"), *arguments)
    started_servers.pop_all()  # it outlives this test
    yield running
    assert running.stop() == 0


def talk(client: SocketClient, times: int) -> None:
    """Say something long, many times."""
    client.bucket = TokenBucket(10_000, 10_000)
    for number in range(times):
        client.do("say", text=f"{number} " + "x" * 290)
    client.reach(client.do("ping"))


def read_all(player: Player, table: str, after: int = 0, **asked: Any) -> list[Any]:
    """All events after a version, page by page."""
    events: list[Any] = []
    while True:
        params = {"after": after, **asked}
        response = player.http.get(f"/api/tables/{table}/events", params=params)
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


def test_the_last_game_comes_with_its_positions(pages: ServerProcess) -> None:
    """Somebody who comes back can read how the game came to where it is."""
    ana, bo = pages.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None], options={"first": 1})
    clients = seat_players(table, ana, bo)
    for number in range(8):
        mover = clients[number % 2]
        mover.play(mover.view["legal"][0])
        clients[1 - number % 2].reach(mover.version)
    clients[1].do("undo")
    clients[0].do("answer", agree=True)
    clients[1].until(lambda: "undone" in clients[1].kinds)
    clients[0].reach(clients[1].version)
    for player, client in zip((ana, bo), clients, strict=True):
        sent = [position(update) for update in client.events if "view" in update]
        read = read_all(player, table, views=True)
        assert read[0]["event"]["kind"] == "begun"
        kinds = ["begun", *["moved"] * 8, "undone"]
        shown = [update for update in read if "view" in update]
        assert [update["event"]["kind"] for update in shown] == kinds
        assert [position(update) for update in shown] == sent[-len(shown) :]
        half = read[4]["version"]
        assert read_all(player, table, half, views=True) == read[5:], "from any version on"


#: What a view of a table has beside the position.
NOT_POSITION = ("undo", "clock", "hint", "silence")


def position(update: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """The version and the position of an update."""
    view = update["view"]
    return update["version"], {key: view[key] for key in view if key not in NOT_POSITION}


def test_positions_are_those_of_the_viewpoint(pages: ServerProcess) -> None:
    ana, bo = pages.new_players("Ana", "Bo")
    late = ana.open("shokoba", [None, None], delay=3600)
    seat_players(late, ana, bo)
    assert [update["view"]["hand"] for update in read_all(ana, late, views=True)]
    eve = pages.new_player("Eve")
    assert read_all(eve, late, views=True) == [], "spectators see it an hour later"
    at_once = ana.open("shokoba", [None, None])
    assert read_all(ana, at_once, views=True) == [], "no game has begun"
    seat_players(at_once, ana, bo)
    begun = read_all(eve, at_once, views=True)[0]["view"]
    assert "hand" not in begun and begun["legal"] == []
    hands = [read_all(player, at_once, views=True)[0]["view"]["hand"] for player in (ana, bo)]
    assert hands[0] != hands[1]


def test_only_the_last_game_has_positions() -> None:
    harness = TableHarness("shokoba", [None, "easy"], options={"first": 1})
    assert LastGame.of(harness.table) is None
    harness.sit("ana")
    while harness.table.stage == "playing":
        harness.play()
    over = LastGame.of(harness.table)
    assert over is not None
    last = over.after(0, 0, LONG)[-2:]
    assert last[0].view is not None and last[0].view["over"]
    assert last[1].view is None, "the next game is offered: nothing has changed on the table"
    harness.ask("ana", messages.Ready("ready", **harness.commit(0, "again")))
    harness.reveal()
    harness.play()
    again = LastGame.of(harness.table)
    assert again is not None
    begun, moved = again.after(0, 0, LONG)
    assert begun.version == harness.table.version - 1 and begun.view is not None
    assert moved.view == view_of_match(harness.table.current_match, 0)


def test_a_page_of_positions_is_no_longer_than_others() -> None:
    harness = TableHarness("shokoba", [None, "easy"], options={"first": 1})
    harness.sit("ana")
    for _ in range(12):
        harness.play()
    last = LastGame.of(harness.table)
    assert last is not None
    assert len(last.after(0, 0, Limits(page_bytes=1))) == 1
    assert len(last.after(0, 0, Limits(page_events=3))) == 3
    some = last.after(0, 0, Limits(page_bytes=PAGE_BYTES))
    assert 1 < len(some) < 13 and len(encoder.encode(some)) <= PAGE_BYTES + len(some) + 1
    assert last.after(harness.table.version, 0, LONG) == []


@pytest.mark.parametrize(
    "path", ["events?after=-1", "events?after=x", "events?after=9999999999", "events?views=x"]
)
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
