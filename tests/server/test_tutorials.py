"""Tutorials over HTTP: steps seen from seat 0, attempts and previews, and nothing is stored."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.server_process import ServerProcess
from theriac.game import all_games
from theriac.tutorial import match_at, read_tutorial

NAMES = list(all_games())


def get_tutorial(server: ServerProcess, name: str) -> dict[str, Any]:
    answer = server.http.get(f"/api/games/{name}/tutorial")
    assert answer.status_code == 200, answer.text
    tutorial: dict[str, Any] = answer.json()
    return tutorial


def try_move(server: ServerProcess, name: str, step: int, move: str) -> dict[str, Any]:
    answer = server.http.post(f"/api/games/{name}/tutorial/try", json={"step": step, "move": move})
    assert answer.status_code == 200, answer.text
    tutorial: dict[str, Any] = answer.json()
    return tutorial


@pytest.mark.parametrize("name", NAMES)
def test_a_tutorial_is_seen_from_seat_0(server: ServerProcess, name: str) -> None:
    tutorial = get_tutorial(server, name)
    table = match_at(all_games()[name])
    assert tutorial["game"] == name
    assert "deck" not in tutorial["options"]
    views = [tutorial["view"]]
    for step, plan in zip(tutorial["steps"], read_tutorial(all_games()[name]).steps, strict=True):
        assert (step["say"], step["asks"]) == (plan.say, plan.asks)
        assert step["light"] == list(plan.light)
        assert step["refused"] == (plan.attempt is not None)
        for step_move, move in zip(step["moves"], plan.moves, strict=True):
            assert step_move["seat"] == table.to_act
            text = table.settings.text
            own = step_move["seat"] == 0
            assert step_move["move"] == (move if own else text.write_public(text.read(move)))
            table.play(move)
            views.append(step_move["view"])
            assert step_move["view"]["legal"] == (table.legal() if table.to_act == 0 else [])
            assert {key: views[-1][key] for key in table.view(0)} == table.view(0)
    assert all("hands" not in view for view in views)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_game_after_a_tutorial_can_be_opened(server: ServerProcess, name: str) -> None:
    first = get_tutorial(server, name)["first_game"]
    if first is None:  # a game outside Theriac need not have one
        return
    seats = [None, *[first["level"]] * (first["options"]["players"] - 1)]
    table = server.new_player().open(name, seats, options=first["options"])
    assert table


@pytest.mark.parametrize("name", NAMES)
def test_the_move_that_a_step_asks_for_is_accepted(server: ServerProcess, name: str) -> None:
    for number, step in enumerate(read_tutorial(all_games()[name]).steps):
        if step.play is not None:
            answer = try_move(server, name, number, step.play)
            assert (answer["meant"], answer["legal"]) == (True, True)
        if step.attempt is not None:
            answer = try_move(server, name, number, step.attempt)
            assert (answer["meant"], answer["legal"]) == (True, False)
            assert answer["clause"] == step.clause
            assert answer["why"]


def test_another_move_is_reported_as_legal_or_illegal(server: ServerProcess) -> None:
    assert try_move(server, "poison", 1, "B2@3") == {
        "meant": False,
        "legal": True,
        "why": None,
        "clause": None,
    }
    nobody = try_move(server, "poison", 1, "P7@1")
    assert (nobody["meant"], nobody["legal"], nobody["clause"]) == (False, False, "POI-07")


def test_attempts_change_nothing(server: ServerProcess) -> None:
    before = get_tutorial(server, "shokoba")
    for _ in range(2):
        assert try_move(server, "shokoba", 1, "E7=R3+S4")["legal"]
    assert get_tutorial(server, "shokoba") == before


@pytest.mark.parametrize(
    ("path", "sent", "status", "why"),
    [
        ("poison/tutorial/try", {"step": 0, "move": "R5@1"}, 400, "asks for no move"),
        ("poison/tutorial/try", {"step": 10, "move": "R5@1"}, 400, "steps 0 to 9"),
        ("poison/tutorial/try", {"step": -1, "move": "R5@1"}, 400, "step"),
        ("poison/tutorial/try", {"step": 1, "move": "R5@1", "seat": 1}, 400, "seat"),
        ("poison/tutorial/try", {"step": 1}, 400, "move"),
        ("chess/tutorial/try", {"step": 1, "move": "e4"}, 404, "no game is called chess"),
        ("poison/tutorial/preview", {"step": 7, "moves": ["P5@3"]}, 400, "asks for no move"),
        ("poison/tutorial/preview", {"step": 1, "moves": ["R5@1"] * 17}, 400, "moves"),
    ],
)
def test_bad_attempts_are_refused(
    server: ServerProcess, path: str, sent: Any, status: int, why: str
) -> None:
    answer = server.http.post(f"/api/games/{path}", json=sent)
    assert answer.status_code == status
    assert why in answer.json()["why"]


def test_a_step_has_previews(server: ServerProcess) -> None:
    sent = {"step": 3, "moves": ["R1@1", "R1@3"]}
    answer = server.http.post("/api/games/poison/tutorial/preview", json=sent)
    assert list(answer.json()["previews"]) == ["R1@1"], "the other is not legal"
    assert answer.json()["previews"]["R1@1"]["sums"] == [13, 5, 0]


def test_requests_are_rate_limited(server: ServerProcess) -> None:
    for _ in range(1000):
        if server.http.get("/api/games/poison/tutorial").status_code == 429:
            return
    raise AssertionError("no request was refused")
