"""What would surely be so after a move: it comes true, and is told to whoever is to act."""

from __future__ import annotations

from random import Random

import pytest

import theriac
from tests.server.club import Club
from tests.server.line import Line
from theriac.game import all_games
from theriac.match import Match
from theriac.server.tables.previews import preview_moves


def some_game(name: str, seed: int) -> Match:
    players = all_games()[name].usual_players
    return theriac.new(name, players=players, first=0, seed=bytes([seed] * 32))


@pytest.mark.parametrize("name", list(all_games()))
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_foreseen_comes_true(name: str, seed: int) -> None:
    chance = Random(seed)
    table = some_game(name, seed)
    told = 0
    for _ in range(60):
        if table.over:
            break
        seat, move = table.to_act, chance.choice(table.legal())
        foreseen = preview_moves(table, [move])[move]
        drawn = table.drawn
        table.play(move)
        if table.drawn == drawn:  # what is foreseen is before any card that nature deals
            true = table.view(seat)["table"]
            for key, value in foreseen.items():
                assert true[key] == value, key
                told += 1
    assert told > 5


@pytest.mark.parametrize("name", list(all_games()))
def test_what_is_foreseen_hangs_on_nothing_hidden(name: str) -> None:
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


def test_poison_tells_the_sum_and_what_is_taken() -> None:
    table = theriac.replay(
        {
            "theriac": 1,
            "game": "poison",
            "options": {"players": 3, "first": 0},
            "seed": "9817bc43db44e1c70278cf47897ea7ac98b1477a7e29038ee402781f6ec8bc9f",
            "moves": ["B7@1", "B5@1"],
        }
    )
    foreseen = preview_moves(table, ["B1@1", "X@1", "R9@1"])
    assert set(foreseen) == {"B1@1", "X@1"}, "only legal moves"
    assert foreseen["B1@1"]["sums"] == [13, 0, 0]
    assert foreseen["X@1"]["sums"] == [4, 0, 0]
    assert foreseen["X@1"]["taken"] == [2, 0, 0]


def test_a_preview_is_for_whoever_is_to_act(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = Line(club, table, ana), Line(club, table, bo)
    one.sit(0)
    two.sit(1)
    one.until(lambda: one.view)
    two.until(lambda: two.view)
    people = {0: (ana, one), 1: (bo, two)}
    acting, line = people[one.view["to_act"]]
    other, _ = people[1 - one.view["to_act"]]
    asked = {"moves": line.view["legal"][:2]}
    path = f"/api/tables/{table}/preview"
    answer = acting.web.post(path, json=asked).json()
    assert list(answer["previews"]) == asked["moves"] and answer["version"] == line.version
    assert other.web.post(path, json=asked).json()["previews"] == {}
    assert club.web.post(path, json=asked).status_code == 401
    assert acting.web.post(path, json={"moves": []}).status_code == 400
    assert acting.web.post(path, json={"moves": ["x"] * 17}).status_code == 400


def test_a_record_that_is_sent_is_replayed_or_refused(club: Club) -> None:
    record = {
        "theriac": 1,
        "game": "poison",
        "options": {"players": 3, "first": 0},
        "seed": "9817bc43db44e1c70278cf47897ea7ac98b1477a7e29038ee402781f6ec8bc9f",
        "moves": ["B7@1", "B5@1"],
    }
    told = club.web.post("/api/replay", json={"record": record}).json()
    assert [step["n"] for step in told["steps"]] == [0, 1, 2]
    assert told["cards"][0] == "R1" and len(told["dealt"][0]) == 50 and told["record"] == record
    seen = club.web.post("/api/replay", json={"record": record, "seat": 1}).json()
    assert "hands" not in seen["steps"][0] and len(seen["steps"][0]["view"]["hand"]) == 13
    bad = club.web.post("/api/replay", json={"record": {**record, "moves": ["B9@1"]}})
    assert bad.status_code == 400
    assert bad.json()["why"] == "move 1: B9@1: no card B9 is in the deck (POI-01)"
    assert club.web.post("/api/replay", json={"record": record, "seat": 7}).status_code == 400
    assert club.web.post("/api/replay", json={"record": 3}).status_code == 400
