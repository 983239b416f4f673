"""Taking a move back: with consent, not after a person has moved, never past a revealed card."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness
from theriac.engine.contract import SPECTATOR
from theriac.faults import Fault
from theriac.server.store import events
from theriac.server.store.events import LogEntry, decode_event, encode_event
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied
from theriac.server.tables.table import Table
from theriac.server.tables.views import view_of_table


def trio(server: ServerProcess) -> tuple[list[SocketClient], list[Player], str]:
    """Three players at Shokoba; seat 0 has just made a move."""
    people = server.new_players("Ana", "Bo", "Cy")
    table = people[0].open("shokoba", [None, None, None], options={"first": 2})
    clients = seat_players(table, *people)
    clients[0].play(clients[0].view["legal"][0])
    for client in clients:
        client.reach(clients[0].version)
    return clients, people, table


def is_up_to_date(client: SocketClient, player: Player) -> bool:
    """Does a client have the state that a new client would get?"""
    welcome = player.get_table(client.table)
    client.reach(welcome["version"])
    return bool((client.table_info, client.view) == (welcome["room"], welcome["view"]))


def test_a_move_is_taken_back_when_all_others_agree(server: ServerProcess) -> None:
    clients, people, table = trio(server)
    before = clients[0].view["hand"]
    clients[0].do("undo")
    clients[1].do("answer", agree=True)
    clients[1].until(lambda: clients[1].table_info["undo"] == {"seat": 0, "agreed": [1]})
    clients[2].do("answer", agree=True)
    clients[0].until(lambda: "undone" in clients[0].kinds)
    assert clients[0].view["to_act"] == 0 and len(clients[0].view["hand"]) == len(before) + 1
    assert clients[0].table_info["undo"] is None
    assert all(
        is_up_to_date(client, player) for client, player in zip(clients, people, strict=True)
    )
    clients[0].play(clients[0].view["legal"][0])
    assert people[0].get_table(table)["view"]["to_act"] == 1


def test_one_refusal_ends_the_request(server: ServerProcess) -> None:
    clients, people, _ = trio(server)
    clients[0].do("undo")
    clients[1].do("answer", agree=True)
    clients[2].do("answer", agree=False)
    clients[0].until(
        lambda: clients[0].kinds[-1] == "undo_answered" and not clients[0].table_info["undo"]
    )
    assert clients[0].view["to_act"] == 1
    assert clients[2].refused("answer", agree=True)["code"] == "denied"
    assert is_up_to_date(clients[1], people[1])


def test_a_move_of_another_player_ends_the_request(server: ServerProcess) -> None:
    clients, people, _ = trio(server)
    clients[0].do("undo")
    clients[1].until(lambda: clients[1].table_info["undo"])
    clients[1].play(clients[1].view["legal"][0])
    clients[0].reach(clients[1].version)
    assert clients[0].table_info["undo"] is None
    assert all(
        is_up_to_date(client, player) for client, player in zip(clients, people, strict=True)
    )
    assert clients[2].refused("answer", agree=True)["code"] == "denied"
    assert "only your own move" in clients[0].refused("undo")["why"]


def test_only_the_last_mover_can_ask_and_only_others_can_answer(server: ServerProcess) -> None:
    clients, _, _ = trio(server)
    why = (
        "the move cannot be taken back: "
        "you can take back only your own move, before anyone else has moved"
    )
    assert clients[1].refused("undo")["why"] == why
    assert clients[1].refused("answer", agree=True)["code"] == "denied"
    clients[0].do("undo")
    assert (
        clients[0].refused("answer", agree=True)["why"]
        == "no other player has asked to take a move back"
    )


def test_bots_agree_at_once() -> None:
    harness = TableHarness("shokoba", [None, "easy"], options={"first": 1})
    harness.sit("ana")
    harness.play()
    happened = harness.ask("ana", messages.TakeBack("undo"))
    assert happened == [events.UndoAsked(0), events.Undone(0)]
    assert harness.table.current_match.moves == [] and harness.table.to_act == 0


def test_a_move_cannot_be_taken_back_after_another_person_has_moved() -> None:
    harness = TableHarness("shokoba", [None, None], options={"first": 1})
    harness.sit("ana", "bo")
    harness.play()
    harness.play()
    with pytest.raises(Denied, match="only your own move"):
        harness.ask("ana", messages.TakeBack("undo"))


def all_views(harness: TableHarness) -> list[dict[str, Any]]:
    """The position as each seat and a spectator see it, without what may be undone."""
    views = [view_of_table(harness.table, seat, harness.now) for seat in (SPECTATOR, 0, 1, 2)]
    return [{key: value for key, value in (view or {}).items() if key != "undo"} for view in views]


@pytest.mark.parametrize("bots_moved", [0, 1, 2])
def test_against_bots_a_move_can_be_taken_back_until_the_own_next_move(bots_moved: int) -> None:
    harness = TableHarness("poison", [None, "easy", "hard"], options={"first": 2})
    harness.sit("ana")
    for _ in range(3):  # a round of moves that stays
        harness.play()
    before, moves = all_views(harness), list(harness.table.current_match.moves)
    for _ in range(1 + bots_moved):
        harness.play()
    assert harness.ask("ana", messages.TakeBack("undo")) == [events.UndoAsked(0), events.Undone(3)]
    assert harness.table.to_act == 0 and harness.table.current_match.moves == moves
    assert all_views(harness) == before, "the same hands"
    harness.play(harness.table.current_match.legal()[-1])
    assert harness.table.to_act == 1


def test_taking_back_twice_goes_back_two_own_moves() -> None:
    harness = TableHarness("poison", [None, "easy", "hard"], options={"first": 2})
    harness.sit("ana")
    for _ in range(6):
        harness.play()
    assert harness.ask("ana", messages.TakeBack("u1"))[-1] == events.Undone(3)
    assert harness.ask("ana", messages.TakeBack("u2"))[-1] == events.Undone(0)
    with pytest.raises(Denied, match="no move has been made"):
        harness.ask("ana", messages.TakeBack("u3"))


def test_what_a_person_played_before_a_bot_took_the_seat_stays() -> None:
    harness = TableHarness("poison", [None, None, "easy"], options={"first": 2})
    harness.sit("ana", "bo")
    for _ in range(3):
        harness.play()
    harness.apply(events.Removed(1, "operator", "medium"))
    assert harness.table.player_seats == [0]
    with pytest.raises(Denied, match="only your own move"):
        harness.ask("ana", messages.TakeBack("undo"))


def test_a_log_with_such_an_undo_leads_to_the_same_table() -> None:
    harness = TableHarness("poison", [None, "easy", "hard"], options={"first": 2})
    harness.sit("ana")
    for _ in range(5):
        harness.play()
    harness.ask("ana", messages.TakeBack("undo"))
    harness.play()
    again = Table("table", harness.table.downtime)
    for entry in harness.table.log:
        again.apply(LogEntry(entry.number, entry.at, decode_event(encode_event(entry.event))))
    assert again.current_match.moves == harness.table.current_match.moves
    assert again.current_match.view(0) == harness.table.current_match.view(0)


def test_a_view_says_whether_its_seat_can_take_a_move_back() -> None:
    harness = TableHarness("shokoba", [None, "easy"], options={"first": 1})

    def offered(seat: int = 0) -> bool | None:
        view = view_of_table(harness.table, seat, harness.now)
        return None if view is None else view.get("undo")

    harness.sit("ana")
    assert offered() is False
    harness.play()
    assert offered() is True
    assert offered(1) is False and offered(SPECTATOR) is None
    harness.play()
    assert offered() is True, "only the bot has moved since"
    drawn = harness.table.current_match.drawn
    while harness.table.current_match.drawn == drawn:
        assert offered() is True
        harness.play()
    assert offered() is False, "new hands were dealt"
    with pytest.raises(Denied, match="a card has been revealed since"):
        harness.ask("ana", messages.TakeBack("undo"))
    while harness.table.stage == "playing":
        harness.play()
    assert offered() is False


def test_bots_that_move_after_a_card_was_drawn_do_not_make_an_undo_possible() -> None:
    """The last move of a hand is Ana's: new hands are dealt, and then the bot moves."""
    harness = TableHarness("shokoba", [None, "easy"], options={"first": 0})
    harness.sit("ana")
    drawn = harness.table.current_match.drawn
    while harness.table.current_match.drawn == drawn:
        harness.play()
    assert harness.table.to_act == 1
    harness.play()
    assert 0 not in harness.table.undo_seats
    with pytest.raises(Denied, match="a card has been revealed since"):
        harness.ask("ana", messages.TakeBack("undo"))


def test_no_undo_is_offered_while_a_bot_plays_for_a_seat() -> None:
    harness = TableHarness("shokoba", [None, None], options={"first": 1})
    harness.sit("ana", "bo")
    harness.play()
    assert 0 in harness.table.undo_seats and 1 not in harness.table.undo_seats
    harness.apply(events.Handed(0, "easy"))
    assert 0 not in harness.table.undo_seats


def test_nothing_can_be_taken_back_before_the_first_move() -> None:
    harness = TableHarness("shokoba", [None, "easy"], options={"first": 1})
    harness.sit("ana")
    with pytest.raises(Denied, match="no move has been made"):
        harness.ask("ana", messages.TakeBack("undo"))


def test_a_move_cannot_be_taken_back_past_a_drawn_card() -> None:
    """In the dungeon a player who lays a card draws one."""
    harness = TableHarness("dungeon", [None, None], secret=bytes(32).hex(), options={"minutes": 0})
    harness.sit("ana", "bo")
    mover = harness.table.to_act
    harness.play()
    assert harness.table.stage == "playing"
    with pytest.raises(Denied, match="a card has been revealed since"):
        harness.ask(["ana", "bo"][mover or 0], messages.TakeBack("undo"))


@pytest.mark.parametrize("game", ["shock", "anaphylaxis"])
def test_a_move_cannot_be_taken_back_past_a_revealed_card(game: str) -> None:
    """The winner of a trick opens the chest or a door, which reveals a card."""
    harness = TableHarness(game, [None, None, None], options={"first": 0})
    harness.sit("ana", "bo", "cy")
    revealed = harness.table.current_match.drawn
    while harness.table.current_match.drawn == revealed:
        mover = harness.table.to_act
        assert mover is not None
        if harness.table.current_match.moves:
            last = harness.table._moved[-1].seat
            assert last is not None and harness.table.undo_refusal(last) is None
        harness.play(next(move for move in harness.table.current_match.legal() if "~" not in move))
    assert mover is not None
    with pytest.raises(Denied, match="a card has been revealed since"):
        harness.ask(["ana", "bo", "cy"][mover], messages.TakeBack("undo"))


def test_a_player_replaced_by_a_bot_must_still_agree() -> None:
    harness = TableHarness("shokoba", [None, None, None], options={"first": 2})
    harness.sit("ana", "bo", "cy")
    harness.play()
    harness.ask("ana", messages.TakeBack("u1"))
    harness.ask("bo", messages.Answer("a1", agree=False))
    assert harness.ask("ana", messages.Hand("h1", 1)) == [events.Handed(1, "medium")]
    assert harness.ask("ana", messages.Hand("h2", 2)) == [events.Handed(2, "medium")]
    assert harness.ask("ana", messages.TakeBack("u2")) == [events.UndoAsked(0)]
    harness.ask("cy", messages.Answer("a2", agree=True))
    assert harness.table.undo is not None, "Bo has not agreed"
    assert harness.ask("bo", messages.Answer("a3", agree=True))[-1] == events.Undone(0)


def test_a_request_that_an_absent_player_has_not_answered_ends_with_the_next_move() -> None:
    harness = TableHarness("shokoba", [None, None], options={"first": 1})
    harness.sit("ana", "bo")
    harness.play()
    harness.ask("ana", messages.Hand("hand", 1))
    harness.ask("ana", messages.TakeBack("undo"))
    assert harness.play() == [events.Moved(1, harness.table.current_match.moves[1], "medium")]
    assert harness.table.undo is None
    with pytest.raises(Denied, match="only your own move"):
        harness.ask("ana", messages.TakeBack("again"))


def test_the_record_has_no_moves_that_were_taken_back() -> None:
    harness = TableHarness("shokoba", [None, None], options={"first": 1})
    harness.sit("ana", "bo")
    lay = harness.table.current_match.legal()[0]
    harness.play(lay)
    harness.ask("ana", messages.TakeBack("undo"))
    harness.ask("bo", messages.Answer("answer", agree=True))
    other = next(move for move in harness.table.current_match.legal() if move != lay)
    harness.play(other)
    while harness.table.stage == "playing":
        harness.play()
    assert harness.table.finished[0]["moves"][0] == other


def test_a_bad_answer_changes_nothing() -> None:
    harness = TableHarness("shokoba", [None, None], options={"first": 1})
    harness.sit("ana", "bo")
    before = harness.table.version
    for player in ("ana", "bo", "stranger"):
        with pytest.raises(Fault):
            harness.ask(player, messages.Answer("answer", agree=True))
    assert harness.table.version == before
