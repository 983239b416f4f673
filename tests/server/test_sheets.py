"""The score sheet of a round, in games that have one: sent to all clients, and in a replay."""

from __future__ import annotations

from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient, seat_players


def test_everyone_gets_the_sheet_of_a_finished_round(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None], options={"target": 16})
    clients = [*seat_players(table, ana, bo), SocketClient(server, table)]
    assert "sheet" not in clients[0].view
    assert clients[0].table_info["options"]["target"] == 16
    assert clients[0].table_info["options"]["teams"] is False
    while clients[0].view["round"] == 1:
        mover = clients[clients[0].view["to_act"]]
        mover.reach(clients[0].version)
        mover.play(mover.view["legal"][0])
        clients[0].reach(mover.version)
    for client in clients:
        client.reach(clients[0].version)
        sheet = client.view["sheet"]
        assert sheet["round"] == 1
        assert [sheet["gems"][seat] for seat in (0, 1)] == client.view["scores"]
    again = SocketClient(server, table, bo)
    assert again.view["sheet"] == clients[0].view["sheet"]


def test_a_replay_has_the_sheets(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    clients = seat_players(table, ana, bo)
    while clients[0].table_info["stage"] != "over":
        mover = clients[clients[0].view["to_act"]]
        mover.reach(clients[0].version)
        mover.play(mover.view["legal"][0])
        clients[0].reach(mover.version)
        if clients[0].view["over"]:
            clients[0].until(lambda: clients[0].table_info["stage"] == "over")
    answer = ana.http.get(f"/api/tables/{table}/games/1/replay")
    steps = answer.json()["steps"]
    assert "sheet" not in steps[0]
    last = steps[-1]
    assert last["sheet"]["round"] == last["view"]["round"]
    assert last["sheet"]["gems"] == last["view"]["scores"]
