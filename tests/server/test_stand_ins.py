"""A bot plays for a player who is away, until they return, or on an empty seat."""

from __future__ import annotations

from random import Random

from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.test_undo import is_up_to_date
from tests.server.test_whole_games import play_on

#: Why a seat is not given to a bot.
HERE = "{} is at the table, or left only a moment ago: wait"


def test_everyone_learns_who_is_present(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, spectator = SocketClient(server, table, ana), SocketClient(server, table)
    one.sit(0)
    one.until(lambda: one.present == [0])
    two = SocketClient(server, table, bo)
    assert one.present == [0], "a spectator is not present"
    two.sit(1)
    for client in (one, two, spectator):
        client.until(lambda client=client: client.present == [0, 1])  # type: ignore[misc]
    second = SocketClient(server, table, bo)
    two.close()
    second.do("ping")
    one.do("ping")
    assert one.present == [0, 1], "the other device is still connected"
    second.close()
    one.until(lambda: one.present == [0])
    one.do("ping")


def test_a_bot_plays_for_an_absent_player_until_they_reconnect(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    assert one.refused("hand", seat=1)["why"] == HERE.format("Bo")
    assert one.refused("hand", seat=0)["why"] == HERE.format("Ana")
    two.close()
    one.until(lambda: one.present == [0])
    one.do("hand", seat=1)
    one.until(lambda: one.table_info["seats"][1]["stand_in"] == "medium")
    assert one.refused("hand", seat=1, level="easy")["code"] == "seat"
    play_on([one], Random(1), 3)
    assert [
        update["event"].get("bot") for update in one.events if update["event"].get("seat") == 1
    ][-1]
    two = SocketClient(server, table, bo)
    assert two.table_info["seats"][1]["stand_in"] is None
    assert two.last("returned") == {"kind": "returned", "seat": 1}
    one.reach(two.version)
    assert is_up_to_date(one, ana) and is_up_to_date(two, bo)
    play_on([one, two], Random(2), 4)


def test_a_player_without_a_socket_returns_by_request(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    two.close()
    one.until(lambda: one.present == [0])
    one.do("hand", seat=1)
    assert one.refused("return")["why"] == "you already play for yourself"
    bo.ask(table, "return")
    assert bo.get_table(table)["room"]["seats"][1]["stand_in"] is None
    assert one.refused("hand", seat=1)["why"] == HERE.format("Bo")


def test_only_the_player_who_opened_the_table_gives_an_empty_seat_to_a_bot(
    server: ServerProcess,
) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None, None])
    one, two = SocketClient(server, table, ana), SocketClient(server, table, bo)
    one.sit(0)
    two.sit(1)
    assert two.refused("hand", seat=2, level="easy")["code"] == "denied"
    assert one.refused("hand", seat=2, level="genius")["why"] == (
        "level genius: use beginner, easy, medium, hard, expert or master"
    )
    assert one.refused("hand", seat=3, level="easy")["code"] == "seat"
    one.do("hand", seat=2, level="medium")
    one.until(lambda: one.table_info["stage"] == "playing")
    assert one.table_info["seats"][2]["bot"] == "medium"


def test_a_spectator_cannot_hand_an_absent_players_seat_to_a_bot(server: ServerProcess) -> None:
    ana, bo, cy = server.new_players("Ana", "Bo", "Cy")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    three = SocketClient(server, table, cy)
    two.close()
    one.until(lambda: one.present == [0])
    assert three.refused("hand", seat=1, level="easy")["code"] == "seat"


def test_a_bot_can_play_the_next_game_for_an_absent_player(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    clients = seat_players(table, ana, bo)
    play_on(clients, Random(1), 1000)
    clients[1].close()
    clients[0].do("ready", nonce="again")
    clients[0].until(lambda: clients[0].present == [0])
    clients[0].do("hand", seat=1)
    clients[0].until(lambda: clients[0].table_info["stage"] == "playing")
    back = SocketClient(server, table, bo)
    assert back.table_info["seats"][1]["stand_in"] is None
