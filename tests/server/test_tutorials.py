"""Tutorials over HTTP: told from the learner's eyes, tried and foreseen without anything kept."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.club import Club
from theriac.game import all_games
from theriac.tutorial import match_at, read_tutorial

NAMES = list(all_games())


def told(club: Club, name: str) -> dict[str, Any]:
    answer = club.web.get(f"/api/games/{name}/tutorial")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def tried(club: Club, name: str, step: int, move: str) -> dict[str, Any]:
    answer = club.web.post(f"/api/games/{name}/tutorial/try", json={"step": step, "move": move})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_tutorial_is_told_from_the_eyes_of_seat_0(club: Club, name: str) -> None:
    found = told(club, name)
    table = match_at(all_games()[name])
    assert found["game"] == name
    assert "deck" not in found["options"]
    views = [found["view"]]
    for step, plan in zip(found["steps"], read_tutorial(all_games()[name]).steps, strict=True):
        assert (step["say"], step["asks"]) == (plan.say, plan.asks)
        assert step["refused"] == (plan.attempt is not None)
        for told_move, move in zip(step["moves"], plan.moves, strict=True):
            assert told_move["seat"] == table.to_act
            text = table.settings.text
            own = told_move["seat"] == 0
            assert told_move["move"] == (move if own else text.write_public(text.read(move)))
            table.play(move)
            views.append(told_move["view"])
            assert told_move["view"]["legal"] == (table.legal() if table.to_act == 0 else [])
            assert {key: views[-1][key] for key in table.view(0)} == table.view(0)
    assert all("hands" not in view for view in views)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_asked_for_is_meant(club: Club, name: str) -> None:
    for number, step in enumerate(read_tutorial(all_games()[name]).steps):
        if step.play is not None:
            answer = tried(club, name, number, step.play)
            assert (answer["meant"], answer["legal"]) == (True, True)
        if step.attempt is not None:
            answer = tried(club, name, number, step.attempt)
            assert (answer["meant"], answer["legal"]) == (True, False)
            assert answer["clause"] == step.clause
            assert answer["why"]


def test_what_is_not_asked_for_is_legal_or_refused(club: Club) -> None:
    assert tried(club, "poison", 1, "B2@3") == {
        "meant": False,
        "legal": True,
        "why": None,
        "clause": None,
    }
    nobody = tried(club, "poison", 1, "P7@1")
    assert (nobody["meant"], nobody["legal"], nobody["clause"]) == (False, False, "POI-07")


def test_trying_leaves_nothing_behind(club: Club) -> None:
    before = told(club, "shokoba")
    for _ in range(2):
        assert tried(club, "shokoba", 1, "E7=R3+S4")["legal"]
    assert told(club, "shokoba") == before


@pytest.mark.parametrize(
    ("path", "sent", "status", "why"),
    [
        ("poison/tutorial/try", {"step": 0, "move": "R5@1"}, 400, "asks for no move"),
        ("poison/tutorial/try", {"step": 9, "move": "R5@1"}, 400, "steps 0 to 8"),
        ("poison/tutorial/try", {"step": -1, "move": "R5@1"}, 400, "step"),
        ("poison/tutorial/try", {"step": 1, "move": "R5@1", "seat": 1}, 400, "seat"),
        ("poison/tutorial/try", {"step": 1}, 400, "move"),
        ("chess/tutorial/try", {"step": 1, "move": "e4"}, 404, "no game is called chess"),
        ("poison/tutorial/preview", {"step": 7, "moves": ["P5@3"]}, 400, "asks for no move"),
        ("poison/tutorial/preview", {"step": 1, "moves": ["R5@1"] * 17}, 400, "moves"),
    ],
)
def test_bad_tries(club: Club, path: str, sent: Any, status: int, why: str) -> None:
    answer = club.web.post(f"/api/games/{path}", json=sent)
    assert answer.status_code == status
    assert why in answer.json()["why"]


def test_what_a_move_would_lead_to(club: Club) -> None:
    sent = {"step": 3, "moves": ["R1@1", "R1@3"]}
    answer = club.web.post("/api/games/poison/tutorial/preview", json=sent)
    assert list(answer.json()["previews"]) == ["R1@1"], "the other is not legal"
    assert answer.json()["previews"]["R1@1"]["sums"] == [13, 5, 0]


def test_there_is_a_limit(club: Club) -> None:
    for _ in range(1000):
        if club.web.get("/api/games/poison/tutorial").status_code == 429:
            return
    raise AssertionError("nobody was told to wait")
