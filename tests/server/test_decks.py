"""Decks of one's own over HTTP: told, checked, written as a file, and played with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command import call
from tests.server.club import Club
from theriac.deck import parse_deck
from theriac.game import all_games


def check(club: Club, game: str, cards: Any, **more: Any) -> Any:
    """What the server says of such cards."""
    answer = club.web.post(f"/api/games/{game}/deck/check", json={"cards": cards, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def shipped(club: Club, game: str) -> Any:
    return club.web.get(f"/api/games/{game}/deck").json()


@pytest.mark.parametrize("game", all_games())
def test_the_usual_deck_is_told_and_found_good(club: Club, game: str) -> None:
    told, known = shipped(club, game), all_games()[game]
    assert told["cards"] == known.shipped.counts
    assert set(told["marks"]) == set(known.text.marks)
    found = check(club, game, **told)
    assert (found["faults"], found["remarks"], found["option"]) == ([], [], None)
    assert found["players"] == list(known.players)
    assert found["text"] == (known.folder / known.deck_file).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", all_games())
def test_a_deck_of_ones_own_is_written_as_the_command_line_reads_it(
    club: Club, game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, known = shipped(club, game), all_games()[game]
    first, second = list(told["cards"])[:2]
    told["cards"][first], told["cards"][second] = told["cards"][second], told["cards"][first]
    if known.text.marks:
        told["marks"]["potion"] = ["C6"]
        told["marks"]["bee"] = []
    else:
        told["cards"].pop(list(told["cards"])[2])
        told["cards"][first] += known.shipped.counts[list(known.shipped.counts)[2]]
    found = check(club, game, **told)
    assert found["faults"] == []
    name, deck = parse_deck(found["text"])
    assert (name, deck.counts) == (game, told["cards"])
    assert deck.marks == {mark: cards for mark, cards in told["marks"].items() if cards}
    assert deck.option(known.shipped) == found["option"]
    again = club.web.post(f"/api/games/{game}/deck", json={"deck": found["text"]})
    assert again.json() == found
    (tmp_path / "own.toml").write_text(found["text"], encoding="utf-8")
    assert call(capsys, "deck", "check", tmp_path / "own.toml").status == 0


WRONG: list[tuple[str, Any, str, str | None]] = [
    ("poison", {"Z1": 9}, "card Z1: not R, B or P and a value, nor X", "Z1"),
    ("poison", {"R1": 9, "R14": 1}, "card R14: a value is 1 to 13", "R14"),
    ("poison", {"R1": 51}, "51 cards: at most 50 (POI-01)", None),
    ("poison", {"R1": "many"}, "card R1: many is not a number of cards (0 to 1000)", "R1"),
    ("poison", {"R1": -1}, "card R1: -1 is not a number of cards (0 to 1000)", "R1"),
    ("poison", {"R1": 2.5}, "card R1: 2.5 is not a number of cards (0 to 1000)", "R1"),
    ("poison", {}, "the cards are missing", None),
    ("poison", {"R1": 2}, "for 3, 2 cards are too few for 4 hands (POI-05)", None),
    ("shokoba", {"S11": 4}, "card S11: not S, R, E or D and a value from 1 to 10", "S11"),
    ("shokoba", {"S1": 8, "D7": 2}, "2 diamonds: at most 1 (SHO-01)", None),
    ("shokoba", {"S1": 9}, "9 cards do not come out even: 4 for the table and 3", None),
    ("shock", {"H1": 2}, "card H1: 2 of them, but a number card is there once", "H1"),
    ("shock", {"J1": 1}, "card J1: not one such as H7, jellyfish, J3/1", "J1"),
    ("anaphylaxis", {"J3/1": 1}, "card J3/1: not one such as H7, jellyfish, J2", "J3/1"),
    ("dungeon", {"0122": 30}, "a deck needs one Black Knight, a card with K", None),
    ("dungeon", {"4444K": 1}, "card 4444K: the Black Knight is a creature", "4444K"),
    ("dungeon", {"4444t3K": 1, "12": 1}, "card 12: not one such as 0122, 0000s", "12"),
    ("dungeon", {"4444t3K": 1, "0122": 80}, "80 cards 0122: a fort has room for 63", "0122"),
]


@pytest.mark.parametrize(("game", "cards", "why", "card"), WRONG)
def test_a_wrong_deck_is_refused_with_the_card_and_what_would_be_right(
    club: Club, game: str, cards: Any, why: str, card: str | None
) -> None:
    found = check(club, game, cards)
    (fault,) = found["faults"]
    assert why in fault["why"]
    assert fault["card"] == card
    assert (found["players"], found["option"], found["text"]) == ([], None, None)


@pytest.mark.parametrize(
    ("marks", "why", "card"),
    [
        ({"gold": ["H1"]}, "mark gold: use jewel, potion, jellyfish", None),
        ({"potion": ["J2/1"]}, "mark potion: J2/1 is not a number card", "J2/1"),
        ({"potion": ["C5"], "bee": ["C5"]}, "card C5: a number card cannot be two of", "C5"),
        ({"potion": "C5"}, "mark potion: give a list of card texts", None),
    ],
)
def test_wrong_marks_are_refused(club: Club, marks: Any, why: str, card: str | None) -> None:
    (fault,) = check(club, "shock", shipped(club, "shock")["cards"], marks=marks)["faults"]
    assert why in fault["why"]
    assert fault["card"] == card


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cards =", "not TOML"),
        ('game = "shokoba"\n[cards]\nS1 = 10\n', "it is a deck of shokoba, not of poison"),
        ('game = "poison"\n', "the cards are missing"),
    ],
)
def test_a_file_that_is_no_deck_of_this_game(club: Club, text: str, why: str) -> None:
    found = club.web.post("/api/games/poison/deck", json={"deck": text}).json()
    (fault,) = found["faults"]
    assert why in fault["why"]
    assert found["cards"] is None


def test_what_is_no_deck_at_all(club: Club) -> None:
    bodies: list[Any] = [{}, {"cards": []}, {"cards": {}, "more": 1}, {"cards": {}, "marks": 3}]
    for body in bodies:
        assert club.web.post("/api/games/poison/deck/check", json=body).status_code == 400
    assert club.web.post("/api/games/chess/deck/check", json={"cards": {}}).status_code == 404


def test_a_table_with_a_deck_of_ones_own(club: Club) -> None:
    ana = club.person()
    option = check(club, "poison", {"R1": 4, "X": 4})["option"]
    table = ana.open("poison", [None, "easy", "easy"], options={"deck": option})
    ana.ask(table, "sit", seat=0, nonce="n")
    seen = ana.look(table)
    assert seen["room"]["options"]["deck"] == ["R1"] * 4 + ["X"] * 4
    assert set(seen["view"]["hand"]) <= {"R1", "X"}
