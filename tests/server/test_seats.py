"""Seats and lists of tables: sit, change seats, stand, watch, reconnect, play again."""

from __future__ import annotations

from random import Random

import pytest

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.test_stand_ins import HERE
from tests.server.test_whole_games import play_on


def names_at_seats(client: SocketClient) -> list[str]:
    """The names at the seats."""
    return [seat["name"] for seat in client.table_info["seats"]]


def test_anyone_with_the_link_can_sit_change_seats_and_stand(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None, None])
    one, two, spectator = (
        SocketClient(server, table, ana),
        SocketClient(server, table, bo),
        SocketClient(server, table),
    )
    one.sit(0)
    assert two.refused("sit", seat=0, nonce="x")["code"] == "seat"
    two.sit(1)
    two.sit(2)
    assert two.kinds[-2:] == ["stood", "sat"]
    one.do("stand")
    for client in (one, two, spectator):
        client.reach(6)
        assert names_at_seats(client) == ["", "", "Bo"]
        assert client.table_info["stage"] == "gathering" and client.view is None
    assert one.refused("stand")["code"] == "seat"
    assert spectator.refused("sit", seat=0, nonce="x")["code"] == "denied"


def test_the_seat_of_a_bot_and_an_unknown_seat_are_refused(server: ServerProcess) -> None:
    ana = server.new_player()
    client = SocketClient(server, ana.open("poison", [None, "easy", None]), ana)
    assert client.refused("sit", seat=1, nonce="x")["why"] == "a bot has seat 2: take another"
    assert client.refused("sit", seat=3, nonce="x")["why"] == "there is no seat 3, only 0 to 2"


def test_nobody_can_sit_or_stand_during_a_game(server: ServerProcess) -> None:
    ana, bo, cy = server.new_players("Ana", "Bo", "Cy")
    table = ana.open("shokoba", [None, None])
    one, _ = seat_players(table, ana, bo)
    three = SocketClient(server, table, cy)
    assert three.seat is None and three.view["to_act"] is not None and "hand" not in three.view
    assert three.refused("sit", seat=0, nonce="x")["code"] == "stage"
    assert one.refused("stand")["code"] == "stage"
    assert one.refused("sit", seat=1, nonce="x")["code"] == "stage"


def test_bots_play_without_any_player(server: ServerProcess) -> None:
    table = server.new_player().open("anaphylaxis", ["easy", "medium", "easy"])
    spectator = SocketClient(server, table)
    spectator.until(lambda: spectator.table_info["stage"] == "over")
    assert spectator.view["over"] and spectator.view["winners"]


def test_the_same_key_on_another_device_is_the_same_player(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    phone, other = seat_players(table, ana, bo)
    laptop = SocketClient(server, table, ana)
    assert laptop.seat == phone.seat == 0
    assert laptop.view == phone.view and laptop.table_info == phone.table_info
    if phone.view["to_act"] == 1:
        phone.reach(laptop.version)
        other.play(other.view["legal"][0])
    laptop.until(lambda: laptop.view["legal"])
    laptop.play(laptop.view["legal"][0])
    phone.reach(laptop.version)
    assert phone.view == laptop.view and phone.last("moved") == laptop.last("moved")


def test_the_next_game_begins_when_all_are_ready(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    clients = seat_players(table, ana, bo)
    assert clients[0].refused("ready", nonce="x")["code"] == "stage"
    play_on(clients, Random(1), 1000)
    first = ana.get(f"/api/tables/{table}/games/1")
    clients[0].do("ready", nonce="again 0")
    assert clients[0].table_info["stage"] == "over"
    promised = clients[0].table_info["commitment"]
    clients[1].do("ready", nonce="again 1")
    clients[0].until(lambda: clients[0].table_info["stage"] == "playing")
    play_on(clients, Random(2), 1000)
    second = ana.get(f"/api/tables/{table}/games/2")
    assert second["seal"]["nonces"] == ["again 0", "again 1"]
    assert second["seal"]["commitment"] == promised
    assert second["seed"] != first["seed"]
    assert second["options"] == first["options"]
    assert ana.get(f"/api/tables/{table}/games/1") == first


def test_players_may_change_between_games(server: ServerProcess) -> None:
    ana, bo, cy = server.new_players("Ana", "Bo", "Cy")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    clients = seat_players(table, ana, bo)
    play_on(clients, Random(1), 1000)
    clients[0].do("ready", nonce="again")
    clients[1].until(lambda: clients[1].table_info["stage"] == "over")
    clients[1].do("stand")
    three = SocketClient(server, table, cy)
    three.sit(1)
    three.until(lambda: three.table_info["stage"] == "playing")
    assert names_at_seats(three) == ["Ana", "Cy"] and len(three.view["hand"]) > 0
    clients[1].until(lambda: clients[1].table_info["stage"] == "playing")
    assert "hand" not in clients[1].view, "a player who has left sees no hand"


def test_after_changing_seats_the_last_game_is_seen_from_the_new_seat(
    server: ServerProcess,
) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    clients = seat_players(table, ana, bo)
    play_on(clients, Random(1), 1000)
    for client in clients:
        client.until(lambda client=client: client.table_info["stage"] == "over")  # type: ignore[misc]
    from_seats = [client.view for client in clients]
    for client in clients:
        client.do("stand")
    one = clients[0]
    assert one.view == SocketClient(server, table).view != from_seats[0]
    one.do("sit", seat=1, nonce="from another side")
    one.until(lambda: one.table_info["seats"][1]["taken"])
    assert one.view == from_seats[1]


def own_tables(player: Player) -> dict[str, tuple[str, int | None, bool]]:
    """The stage, the own seat and the own turn at each table of a player."""
    return {
        row["table"]: (row["stage"], row.get("seat"), row.get("your_turn", False))
        for row in player.get("/api/me/tables")
    }


def test_own_tables_say_whose_turn_it_is(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    waiting = ana.open("shokoba", [None, None])
    SocketClient(server, waiting, ana).sit(0)
    table = ana.open("shokoba", [None, None])
    clients = seat_players(table, ana, bo)
    turn = clients[0].view["to_act"]
    for seat, player in enumerate((ana, bo)):
        assert own_tables(player)[table] == ("playing", seat, seat == turn)
    assert own_tables(ana)[waiting] == ("gathering", 0, False)
    assert list(own_tables(ana)) == [table, waiting], "the newest first"
    assert set(own_tables(bo)) == {table}
    SocketClient(server, waiting, ana).do("stand")
    assert set(own_tables(ana)) == {table}
    assert own_tables(server.new_player()) == {}


def listed(server: ServerProcess) -> dict[str, str]:
    """The stage of each table in the lobby."""
    return {row["table"]: row["stage"] for row in server.http.get("/api/tables").json()}


def test_the_lobby_lists_public_tables_only(server: ServerProcess) -> None:
    ana = server.new_player()
    public = ana.open("poison", [None, "easy", "easy"], listed=True)
    private = ana.open("poison", [None, "easy", "easy"])
    assert listed(server)[public] == "gathering" and private not in listed(server)
    client = SocketClient(server, public, ana)
    client.sit(0)
    assert listed(server)[public] == "playing"
    assert "seat" not in str(server.http.get("/api/tables").json()).replace("seats", "")
    client.do("close")
    assert public not in listed(server)


def test_only_the_player_who_opened_a_table_can_close_it(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = SocketClient(server, table, ana), SocketClient(server, table, bo)
    assert two.refused("close")["code"] == "denied"
    one.do("close")
    two.until(lambda: two.table_info["stage"] == "closed")
    for what in ({"do": "sit", "seat": 0, "nonce": "x"}, {"do": "say", "text": "hi"}):
        assert two.refused(**what)["why"] == "this table is closed"
    assert two.refused("gesture", sign="wave")["why"] == "this table is closed"
    assert table not in own_tables(ana)


@pytest.mark.parametrize("opener_plays", [True, False])
def test_a_table_where_others_play_cannot_be_closed(
    server: ServerProcess, opener_plays: bool
) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    seats = [None, None] if opener_plays else [None, "easy"]
    table = ana.open("shokoba", [*seats, "easy"])
    (client, *_) = seat_players(table, *([ana, bo] if opener_plays else [bo]))
    assert ana.ask(table, "close")["refused"]["code"] == "stage"
    assert client.table_info["stage"] == "playing"


def test_a_table_of_one_player_and_bots_can_be_closed(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, "easy"])
    (client,) = seat_players(table, ana)
    client.do("close")
    client.until(lambda: client.table_info["stage"] == "closed")
    assert server.http.get(f"/api/tables/{table}/games/1").status_code == 404


def test_a_new_nickname_is_used_from_then_on(server: ServerProcess) -> None:
    ana = server.new_player("Ana")
    assert ana.http.put("/api/me", json={"name": " Anna  Maria "}).json() == {"name": "Anna Maria"}
    client = SocketClient(server, ana.open("shokoba", [None, None]), ana)
    client.sit(0)
    assert names_at_seats(client)[0] == "Anna Maria"


def test_a_seated_player_is_present_for_clients_that_connect_later(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one = SocketClient(server, table, ana)
    one.sit(0)
    one.until(lambda: one.present == [0])
    two = SocketClient(server, table, bo)
    assert two.present == [0]
    two.sit(1)
    one.until(lambda: one.present == [0, 1])
    assert two.refused("hand", seat=0)["why"] == HERE.format("Ana")
    one.close()
    two.until(lambda: two.present == [1])


def test_an_update_of_the_table_names_the_recipients_seat(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None, None])
    one, two = SocketClient(server, table, ana), SocketClient(server, table, bo)
    one.sit(1)
    two.reach(one.version)
    assert one.events[-1]["seat"] == 1
    assert "seat" not in two.events[-1]
