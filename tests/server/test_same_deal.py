"""The deal of a finished game, played again from another seat: it is said everywhere, and no seal
is claimed for it.
"""

from __future__ import annotations

from typing import Any

import httpx
import msgspec
import pytest

from tests.server.server_process import Player, ServerProcess
from tests.server.short_games import SHORT_FOR_THREE
from tests.server.socket_client import SocketClient
from tests.server.table_harness import TableHarness
from tests.server.test_own_games import own_games, play_on
from theriac.faults import BadRecord, Fault
from theriac.record import replay, replay_each
from theriac.server.http.bodies import NewTable
from theriac.server.http.tables import with_known_deal
from theriac.server.store import events
from theriac.server.store.events import DealOf, decode_event, encode_event
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied
from theriac.server.tables.downtime import Downtime
from theriac.server.tables.table import Table
from theriac.server.tables.views import table_info
from theriac.verification import verify

SEATS: list[str | None] = ["easy", None, "easy"]


def finish_game(player: Player, seats: list[str | None], **fields: Any) -> SocketClient:
    """Open a table with one person, and play its first game to the end."""
    if "deal_of" not in fields:  # which has the options of that game
        fields = {"options": SHORT_FOR_THREE, **fields}
    table = player.open("shokoba", seats, **fields)
    client = SocketClient(player.server, table, player)
    client.sit(seats.index(None))
    client.until(lambda: client.table_info["stage"] == "playing")
    play_on(client)
    return client


def record_of(player: Player, table: str, number: int = 1) -> dict[str, Any]:
    """The record of a finished game."""
    record: dict[str, Any] = player.get(f"/api/tables/{table}/games/{number}")
    return record


def ask_for(player: Player, **fields: Any) -> httpx.Response:
    """Ask for a table, which may be refused."""
    return player.http.post("/api/tables", json={"game": "shokoba", "seats": SEATS, **fields})


def test_the_same_cards_from_another_seat(server: ServerProcess) -> None:
    (ana,) = server.new_players("Ana")
    first = finish_game(ana, [None, "easy", "easy"])
    source = {"table": first.table, "number": 1}
    again = finish_game(ana, SEATS, deal_of=source)

    one, two = record_of(ana, first.table), record_of(ana, again.table)
    assert two["seed"] == one["seed"] and two["options"] == one["options"]
    assert replay({**two, "moves": []}).dealt == replay({**one, "moves": []}).dealt
    assert two["x_names"] == ["", "Ana", ""], "from another seat"
    # Everywhere it is said whose deal it is, and nothing claims that it was sealed.
    assert two["x_deal_of"] == source and "seal" not in two and "x_deal_of" not in one
    assert again.table_info["deal_of"] == source and "deal_of" not in first.table_info
    opened = ana.get_table(again.table, since=0)["events"][0]["event"]
    assert opened["deal_of"] == source
    assert one["seed"] not in "".join(again.received), "only the record has the seed"
    assert "sealed" not in again.kinds and again.last("begun")["nonces"] == []
    with pytest.raises(BadRecord, match='the record has no "seal"'):
        verify(two)
    assert [game["table"] for game in own_games(ana)] == [first.table], "it has no result to list"

    # The next game at that table has a new deal, and is sealed like any other.
    again.do("ready", nonce="next")
    again.until(lambda: again.table_info["stage"] == "playing")
    assert "deal_of" not in again.table_info and again.table_info["sealed"]["deal"]["number"] == 2
    play_on(again)
    third = record_of(ana, again.table, 2)
    assert third["seed"] != one["seed"] and verify(third) and "x_deal_of" not in third


def test_a_finished_game_is_played_on_from_one_of_its_moves(server: ServerProcess) -> None:
    (ana,) = server.new_players("Ana")
    first = finish_game(ana, [None, "easy", "easy"])
    one = record_of(ana, first.table)
    source = {"table": first.table, "number": 1, "after": 5}
    table = ana.open("shokoba", SEATS, deal_of=source)
    (client,) = [SocketClient(server, table, ana)]
    client.sit(1)
    client.until(lambda: client.table_info["stage"] == "playing")
    *_, expected = replay_each({**one, "moves": one["moves"][:5]})
    begun = next(each for each in client.events if each["event"]["kind"] == "begun")
    assert begun["view"]["table"] == expected.view(1)["table"]
    assert begun["view"]["hand"] == expected.view(1)["hand"]
    assert begun["view"]["undo"] is False, "what was played before is not taken back"
    play_on(client)

    two = record_of(ana, table)
    assert two["seed"] == one["seed"] and two["moves"][:5] == one["moves"][:5]
    made = [each["event"]["move"] for each in client.events if each["event"]["kind"] == "moved"]
    assert len(made) == len(two["moves"]) - 5, "only what was played here is in the log"
    assert replay(two).over
    assert two["x_deal_of"] == client.table_info["deal_of"] == source
    assert ana.get_table(table, since=0)["events"][0]["event"]["deal_of"] == source
    shown = ana.get(f"/api/tables/{table}/games/1/replay")
    assert shown["record"]["x_deal_of"] == source and len(shown["steps"]) == len(two["moves"]) + 1
    with pytest.raises(BadRecord, match="known before, and it goes on after move 5 of that game"):
        verify(two)
    assert [game["table"] for game in own_games(ana)] == [first.table], "it has no result to list"
    # The positions of its history begin with the one that it went on from.
    history = history_of(ana, table)
    assert history[0]["view"]["table"] == expected.view(1)["table"]
    moves = [each for each in history if each["event"]["kind"] == "moved"]
    assert len(moves) == len(made) and moves[-1]["view"]["over"]


def history_of(player: Player, table: str) -> list[dict[str, Any]]:
    """All events of the last game with their views, page after page: games differ in length."""
    events: list[dict[str, Any]] = []
    while True:
        after = events[-1]["version"] if events else 0
        page = player.get(f"/api/tables/{table}/events", views=True, after=after)["events"]
        if not page:
            return events
        events += page


def test_what_is_refused(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = finish_game(ana, [None, "easy", "easy"]).table
    source = {"table": table, "number": 1}
    moves = len(record_of(ana, table)["moves"])
    refused: list[tuple[dict[str, Any], int, str]] = [
        ({"deal_of": {"table": table, "number": 2}}, 404, "does not exist or is not over"),
        ({"deal_of": {"table": "nowhere", "number": 1}}, 404, "there is no such table"),
        ({"deal_of": {"table": table, "number": 0}}, 400, "deal_of"),
        ({"game": "poison", "deal_of": source}, 400, "that was a game of shokoba, not of poison"),
        ({"seats": [None, "easy"], "deal_of": source}, 400, "3 is not the number of seats, 2"),
        ({"seats": [None, None, "easy"], "deal_of": source}, 400, "plays alone"),
        ({"seats": ["easy"] * 3, "deal_of": source}, 400, "plays alone"),
        ({"options": {"target": 21}, "deal_of": source}, 400, "leave the options out"),
        ({"listed": True, "deal_of": source}, 400, "cannot be listed"),
        ({"deal_of": {**source, "after": -1}}, 400, "after"),
        ({"deal_of": {**source, "after": moves}}, 400, f"use a number from 0 to {moves - 1}"),
    ]
    for fields, status, why in refused:
        answer = ask_for(ana, **fields)
        assert answer.status_code == status, answer.text
        assert why in answer.json()["why"]
    # Everybody who may see the record may play its deal.
    assert ask_for(bo, deal_of=source).status_code == 201


def test_a_game_in_play_cannot_be_dealt_again(server: ServerProcess) -> None:
    (ana,) = server.new_players("Ana")
    table = ana.open("shokoba", [None, "easy", "easy"])
    client = SocketClient(server, table, ana)
    client.sit(0)
    client.until(lambda: client.table_info["stage"] == "playing")
    assert ask_for(ana, deal_of={"table": table, "number": 1}).status_code == 404


def known(seats: list[str | None], **fields: Any) -> NewTable:
    """A table that asks for the deal of game 7 of another one."""
    return NewTable("dungeon", seats, deal_of=DealOf("other", 7), **fields)


RECORD = {
    "game": "dungeon",
    "options": {"players": 2, "minutes": 3},
    "seed": "ab" * 32,
    "moves": ["not read"],
}


def test_an_adventure_is_refused() -> None:
    with pytest.raises(Fault, match="nor be an adventure"):
        with_known_deal(known([None, "easy"], adventure=True), "ana", RECORD)


def test_the_log_alone_has_the_deal() -> None:
    """The table of the deal may be gone: the new one is rebuilt from its own log."""
    opened = with_known_deal(known([None, "easy"]), "ana", RECORD)
    harness = TableHarness("dungeon", [None, "easy"])
    assert "known_deal" not in encode_event(harness.table.opened), "as in a log of before"
    harness.table = Table("table", Downtime(()))
    harness.apply(decode_event(encode_event(opened)))
    decided = harness.ask("ana", messages.Sit("sit", 0, **harness.commit(0, "nonce")))
    assert decided[-1] == events.Begun([], "ab" * 32)
    assert harness.table.current_match.seed == bytes.fromhex("ab" * 32)
    assert harness.table.options == RECORD["options"]
    assert table_info(harness.table).deal_of == DealOf("other", 7)


def test_no_second_person_gets_the_seat_of_a_bot() -> None:
    """The opener knows the cards, and could have freed the seat for somebody who does not."""
    harness = TableHarness("dungeon", [None, "easy"])
    harness.table = Table("table", Downtime(()))
    harness.apply(with_known_deal(known([None, "easy"]), "opener", RECORD))
    with pytest.raises(Denied, match="who knows the cards plays alone"):
        harness.ask("opener", messages.Remove("r", 1))


def go_on(record: dict[str, Any], after: int) -> TableHarness:
    """A table that goes on after that many moves of a game of Poison."""
    new = NewTable("poison", ["easy" if bot else None for bot in record["x_bots"]])
    new = msgspec.structs.replace(new, deal_of=DealOf("other", 1, after))
    harness = TableHarness("poison", new.seats)
    harness.table = Table("table", Downtime(()))
    harness.apply(decode_event(encode_event(with_known_deal(new, "ana", record))))
    harness.ask("ana", messages.Sit("sit", 0, **harness.commit(0, "nonce")))
    return harness


def test_only_what_was_played_at_the_table_is_taken_back() -> None:
    played = TableHarness("poison", [None, "easy", "easy"])
    played.sit("ana")
    while not played.table.finished:
        played.play()
    record = played.table.finished[0]
    after = next(n for n, match in enumerate(replay_each(record)) if n > 3 and match.to_act == 0)
    harness = go_on(record, after)
    table = harness.table
    assert table.current_match.moves == record["moves"][:after] and table.to_act == 0
    assert table.undo_refusal(0) == "no move has been made" and 0 not in table.undo_seats
    harness.play()
    assert table.moves_before_undone(0) == after
    harness.ask("ana", messages.TakeBack("undo"))
    assert table.current_match.moves == record["moves"][:after]
    assert table.undo_refusal(0) == "no move has been made"
    # Where only bots have moved at the table, the own move before them is not its own.
    harness = go_on(record, after + 1)
    harness.play()
    assert harness.table.moves_before_undone(0) is None
