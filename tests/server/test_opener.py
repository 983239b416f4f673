"""The opener of a table removes people and locks it; players report to the operator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command import call
from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness
from tests.server.test_connections import write_long_log
from theriac.server.store import events
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied


def test_only_the_opener_removes_and_never_themselves() -> None:
    table = TableHarness("poison", [None, None, None])
    table.sit("opener", "bo")
    for player, seat, why in (
        ("bo", 0, "only the player who opened"),
        ("opener", 0, "no other person"),
        ("opener", 2, "no other person"),
        ("opener", 9, "there is no seat 9"),
    ):
        with pytest.raises(Denied, match=why):
            table.ask(player, messages.Remove("r", seat))
    assert table.ask("opener", messages.Remove("r", 1)) == [events.Removed(1, "opener")]
    assert table.table.seats[1].player is None
    with pytest.raises(Denied, match="you were removed from this table"):
        table.ask("bo", messages.Sit("s", 2, **table.commit(2, "x")))
    with pytest.raises(Denied, match="you were removed from this table"):
        table.ask("bo", messages.Say("s", "hello"))


def test_before_the_first_game_the_opener_frees_the_seat_of_a_bot() -> None:
    table = TableHarness("poison", [None, None, "easy"])
    table.ask("opener", messages.Sit("s", 0, **table.commit(0, "x")))
    with pytest.raises(Denied, match="only the player who opened"):
        table.ask("bo", messages.Remove("r", 2))
    assert table.ask("opener", messages.Remove("r", 2)) == [events.Removed(2, "opener")]
    assert [seat.bot for seat in table.table.seats] == [None, None, None]
    table.ask("opener", messages.Hand("h", 2, "hard"))
    assert [seat.bot for seat in table.table.seats] == [None, None, "hard"]
    table.ask("bo", messages.Sit("s", 1, **table.commit(1, "x")))
    assert table.table.stage == "sealing"
    with pytest.raises(Denied, match="no other person"):
        table.ask("opener", messages.Remove("r", 2))


def test_in_a_game_a_bot_plays_on_for_the_removed_person() -> None:
    table = TableHarness("shokoba", [None, None])
    table.sit("opener", "bo")
    assert table.ask("opener", messages.Remove("r", 1)) == [events.Removed(1, "opener", "medium")]
    assert table.table.seats[1].bot == "medium" and table.table.human_seats == [0]
    while table.table.stage == "playing":
        table.play()
    assert table.table.finished[0]["x_bots"] == [None, "medium"]


def test_nobody_but_the_opener_sits_down_at_a_locked_table() -> None:
    table = TableHarness("poison", [None, None, None])
    with pytest.raises(Denied, match="only the player who opened the table can lock it"):
        table.ask("bo", messages.Lock("l", locked=True))
    table.ask("opener", messages.Lock("l", locked=True))
    assert table.ask("opener", messages.Lock("l2", locked=True)) == []
    with pytest.raises(Denied, match="has locked it"):
        table.ask("bo", messages.Sit("s", 1, **table.commit(1, "x")))
    table.ask("opener", messages.Sit("s", 0, **table.commit(0, "x")))
    table.ask("opener", messages.Lock("l3", locked=False))
    table.ask("bo", messages.Sit("s", 1, **table.commit(1, "x")))


def test_everybody_sees_a_removal_and_a_lock(server: ServerProcess) -> None:
    ana, bo, cy = server.new_players("Ana", "Bo", "Cy")
    table = ana.open("poison", [None, None, None])
    one, two = seat_players(table, ana, bo)
    three = SocketClient(server, table, cy)
    one.do("lock", locked=True)
    three.until(lambda: three.table_info.get("locked"))
    assert three.refused("sit", seat=2, nonce="x")["code"] == "denied"
    one.do("remove", seat=1)
    for client in (two, three):
        client.until(lambda: "removed" in client.kinds)  # noqa: B023
        assert not client.table_info["seats"][1]["taken"]
    assert bo.get("/api/me/tables") == []


def test_a_report_keeps_a_copy_of_what_the_reporter_saw(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    version = two.do("say", text="something rude")
    one.reach(version)
    path = f"/api/tables/{table}/report"
    said = ana.http.post(path, json={"why": "he is rude", "event": version})
    assert said.status_code == 204, said.text
    assert ana.http.post(path, json={"why": "slow", "seat": 1}).status_code == 204
    for wrong in (
        {"why": ""},
        {"why": "x", "seat": 7},
        {"why": "x", "event": 999},
        {"why": "\u202e"},
    ):
        assert ana.http.post(path, json=wrong).status_code == 400
    assert server.http.post(path, json={"why": "x"}).status_code == 401
    run = ("admin", "--database", str(server.database))
    reports = json.loads(call(capsys, *run, "reports", "--json").out)
    mine = [report for report in reports if report["table"] == table]
    assert [(r["reporter"], r["person"], r["why"]) for r in mine] == [
        (ana.id, bo.id, "he is rude"),
        (ana.id, bo.id, "slow"),
    ]
    copy = mine[0]["copy"]
    assert copy["event"]["event"]["text"] == "something rude"
    assert copy["welcome"]["view"]["hand"] == one.view["hand"], "the reporter's own view"
    hidden = json.dumps(two.view["hand"])
    assert hidden not in json.dumps(copy) or two.view["hand"] == one.view["hand"]
    call(capsys, *run, "close-report", str(mine[0]["number"]))
    left = json.loads(call(capsys, *run, "reports", "--json").out)
    assert mine[0]["number"] not in [report["number"] for report in left]


def test_a_report_about_an_old_event_has_a_copy_of_that_event(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy was of another event where more than a page of them came after it."""
    server = ServerProcess(tmp_path)
    table = write_long_log(server.database, 200)
    ana = server.new_player()
    path = f"/api/tables/{table}/report"
    assert ana.http.post(path, json={"why": "rude", "event": 3}).status_code == 204
    run = ("admin", "--database", str(server.database))
    (report,) = json.loads(call(capsys, *run, "reports", "--json").out)
    assert report["copy"]["event"]["version"] == 3
    assert report["copy"]["event"]["event"]["kind"] == "said"
