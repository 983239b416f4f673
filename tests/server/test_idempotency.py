"""Repeated requests are applied once; a move for another position is refused."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players


def pair(server: ServerProcess) -> tuple[str, list[Player], list[SocketClient]]:
    """Ana and Bo at Shokoba, Ana to act."""
    people = server.new_players("Ana", "Bo")
    table = people[0].open("shokoba", [None, None], options={"first": 1})
    return table, people, seat_players(table, *people)


def test_a_request_repeated_over_any_connection_is_applied_once(server: ServerProcess) -> None:
    table, (ana, _), (one, two) = pair(server)
    move = {"do": "move", "id": "my-move", "move": one.view["legal"][0], "version": one.version}
    first = one.do(**move)
    assert one.do(**move) == first
    again = SocketClient(server, table, ana)
    assert again.do(**move) == first
    assert ana.ask(table, **move) == {"id": "my-move", "version": first}
    one.close()
    assert ana.ask(table, **move) == {"id": "my-move", "version": first}
    assert two.do("ping") == first
    two.reach(first)
    assert two.kinds.count("moved") == 1


def has_two_replies(client: SocketClient, name: str) -> bool:
    return len(client.answers.get(name, [])) == 2


def test_a_request_sent_over_two_connections_at_once_is_applied_once(server: ServerProcess) -> None:
    table, (ana, _), (one, two) = pair(server)
    other = SocketClient(server, table, ana)
    for turn in range(5):
        said = {"do": "say", "id": f"hello-{turn}", "text": "hello"}
        for client in (one, other, one, other):
            client.send(**said)
        for client in (one, other):
            client.until(partial(has_two_replies, client, said["id"]))
        versions = {a["version"] for client in (one, other) for a in client.answers[said["id"]]}
        assert len(versions) == 1
        two.reach(*versions)
    assert two.kinds.count("said") == 5


def test_every_stored_request_is_applied_once(server: ServerProcess) -> None:
    ana = server.new_player()
    table = ana.open("shokoba", [None, None, None])
    client = SocketClient(server, table, ana)
    requests: list[dict[str, Any]] = [
        {"do": "sit", "id": "a", "seat": 0, "nonce": "x"},
        {"do": "say", "id": "b", "text": "hi"},
        {"do": "react", "id": "c", "to": 1, "sign": "wow"},
        {"do": "hand", "id": "d", "seat": 1, "level": "easy"},
        {"do": "stand", "id": "e"},
        {"do": "close", "id": "f"},
    ]
    for request in requests:
        version = client.do(**request)
        assert client.do(**request) == version
    client.reach(client.do("ping"))
    assert client.kinds == ["opened", "sat", "said", "reacted", "handed", "stood", "closed"]


def test_the_id_of_a_refused_request_can_be_used_again(server: ServerProcess) -> None:
    _, _, (one, two) = pair(server)
    legal = one.view["legal"][0]
    assert one.refused("move", id="m", move="nonsense", version=one.version)["code"] == "illegal"
    version = one.do("move", id="m", move=legal, version=one.version)
    two.reach(version)
    assert two.kinds[-1] == "moved"


def test_players_may_use_the_same_id(server: ServerProcess) -> None:
    _, _, (one, two) = pair(server)
    assert one.do("say", id="same", text="I") < two.do("say", id="same", text="me too")


def test_a_move_for_another_position_is_stale(server: ServerProcess) -> None:
    _, _, (one, two) = pair(server)
    before = one.version
    one.play(one.view["legal"][0])
    two.reach(one.version)
    legal = two.view["legal"][0]
    refusal = two.refused("move", move=legal, version=before)
    assert refusal["code"] == "stale" and str(two.version) in refusal["why"]
    assert two.refused("move", move=legal, version=two.version + 1)["code"] == "stale"
    said = one.do("say", text="your turn")
    assert two.do("move", move=legal, version=said - 1) > said, "talk does not change the position"


def test_a_move_out_of_turn_is_refused(server: ServerProcess) -> None:
    _, _, (one, two) = pair(server)
    assert two.refused("move", move=one.view["legal"][0], version=two.version) == {
        "code": "turn",
        "why": "it is Ana's turn",
    }
