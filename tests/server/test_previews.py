"""Previews, the certain effects of a move: they are right, and only for the player to act."""

from __future__ import annotations

from random import Random

import pytest

import theriac
from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient
from theriac.game import all_games
from theriac.match import Match
from theriac.server.tables.previews import preview_moves


def some_game(name: str, seed: int) -> Match:
    players = all_games()[name].usual_players
    return theriac.new(name, players=players, first=0, seed=bytes([seed] * 32))


@pytest.mark.parametrize("name", list(all_games()))
@pytest.mark.parametrize("seed", [1, 2])
def test_a_preview_matches_the_position_after_the_move(name: str, seed: int) -> None:
    chance = Random(seed)
    table = some_game(name, seed)
    compared = 0
    for _ in range(60):
        if table.over:
            break
        seat, move = table.to_act, chance.choice(table.legal())
        previews = preview_moves(table, [move])[move]
        drawn = table.drawn
        table.play(move)
        if table.drawn == drawn:  # a preview stops before nature deals a card
            true = table.recall(seat) | table.view(seat)["table"]
            for key, value in previews.items():
                assert true[key] == value, key
                compared += 1
    assert compared > 5


@pytest.mark.parametrize("name", list(all_games()))
def test_a_preview_does_not_depend_on_hidden_cards(name: str) -> None:
    dice = Random(3)
    table, other = some_game(name, 3), some_game(name, 3)
    engine = table.game.engine(table.speed)
    chance = engine.chance()
    engine.seed_stream(chance.random, 1, 2)
    for _ in range(40):
        if table.over:
            break
        moves = table.legal()[:8]
        engine.imagine(table.look(table.to_act), chance.random, other._states[0])
        assert preview_moves(table, moves) == preview_moves(other, moves)
        table.play(dice.choice(table.legal()))


def test_a_preview_of_poison_has_the_sums_and_the_cards_taken() -> None:
    table = theriac.replay(
        {
            "theriac": 1,
            "game": "poison",
            "options": {"players": 3, "first": 0},
            "seed": "9817bc43db44e1c70278cf47897ea7ac98b1477a7e29038ee402781f6ec8bc9f",
            "moves": ["B7@1", "B5@1"],
        }
    )
    previews = preview_moves(table, ["B1@1", "X@1", "R9@1"])
    assert set(previews) == {"B1@1", "X@1"}, "only legal moves"
    assert previews["B1@1"]["sums"] == [13, 0, 0]
    assert previews["X@1"]["sums"] == [4, 0, 0]
    assert previews["X@1"]["taken"] == [2, 0, 0]


def test_only_the_player_to_act_gets_a_preview(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = SocketClient(server, table, ana), SocketClient(server, table, bo)
    one.sit(0)
    two.sit(1)
    one.until(lambda: one.view)
    two.until(lambda: two.view)
    people = {0: (ana, one), 1: (bo, two)}
    acting, client = people[one.view["to_act"]]
    other, _ = people[1 - one.view["to_act"]]
    request = {"moves": client.view["legal"][:2]}
    path = f"/api/tables/{table}/preview"
    answer = acting.http.post(path, json=request).json()
    assert list(answer["previews"]) == request["moves"] and answer["version"] == client.version
    assert other.http.post(path, json=request).json()["previews"] == {}
    assert server.http.post(path, json=request).status_code == 401
    assert acting.http.post(path, json={"moves": []}).status_code == 400
    assert acting.http.post(path, json={"moves": ["x"] * 17}).status_code == 400


def test_a_posted_record_is_replayed_or_refused(server: ServerProcess) -> None:
    record = {
        "theriac": 1,
        "game": "poison",
        "options": {"players": 3, "first": 0},
        "seed": "9817bc43db44e1c70278cf47897ea7ac98b1477a7e29038ee402781f6ec8bc9f",
        "moves": ["B7@1", "B5@1"],
    }
    replay = server.http.post("/api/replay", json={"record": record}).json()
    assert [step["n"] for step in replay["steps"]] == [0, 1, 2]
    assert (
        replay["cards"][0] == "R1" and len(replay["dealt"][0]) == 50 and replay["record"] == record
    )
    seen = server.http.post("/api/replay", json={"record": record, "seat": 1}).json()
    assert "hands" not in seen["steps"][0] and len(seen["steps"][0]["view"]["hand"]) == 13
    bad = server.http.post("/api/replay", json={"record": {**record, "moves": ["B9@1"]}})
    assert bad.status_code == 400
    assert bad.json()["why"] == "move 1: B9@1: no card B9 is in the deck (POI-01)"
    assert server.http.post("/api/replay", json={"record": record, "seat": 7}).status_code == 400
    assert server.http.post("/api/replay", json={"record": 3}).status_code == 400
