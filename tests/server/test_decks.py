"""Custom decks over HTTP: read, checked, written as a file, and played with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command import call
from tests.server.server_process import ServerProcess
from theriac.deck import parse_deck
from theriac.game import all_games


def check(server: ServerProcess, game: str, cards: Any, **more: Any) -> Any:
    """The result of checking these cards."""
    answer = server.http.post(f"/api/games/{game}/deck/check", json={"cards": cards, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def shipped(server: ServerProcess, game: str) -> Any:
    return server.http.get(f"/api/games/{game}/deck").json()


@pytest.mark.parametrize("game", all_games())
def test_the_shipped_deck_is_served_and_passes_its_check(server: ServerProcess, game: str) -> None:
    deck_cards, known = shipped(server, game), all_games()[game]
    assert deck_cards["cards"] == known.shipped.counts
    assert set(deck_cards["marks"]) == set(known.text.marks)
    found = check(server, game, **deck_cards)
    assert (found["faults"], found["remarks"], found["option"]) == ([], [], None)
    assert found["players"] == list(known.players)
    assert found["text"] == (known.folder / known.deck_file).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", all_games())
def test_a_custom_deck_is_written_as_the_command_line_reads_it(
    server: ServerProcess, game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deck_cards, known = shipped(server, game), all_games()[game]
    first, second = list(deck_cards["cards"])[:2]
    deck_cards["cards"][first], deck_cards["cards"][second] = (
        deck_cards["cards"][second],
        deck_cards["cards"][first],
    )
    if known.text.marks:
        deck_cards["marks"]["potion"] = ["C6"]
        deck_cards["marks"]["bee"] = []
    elif max(known.shipped.counts.values()) == 1:  # no card may occur twice: leave out one each
        for card in list(deck_cards["cards"])[-known.usual_players :]:
            deck_cards["cards"].pop(card)
    else:
        deck_cards["cards"].pop(list(deck_cards["cards"])[2])
        deck_cards["cards"][first] += known.shipped.counts[list(known.shipped.counts)[2]]
    found = check(server, game, **deck_cards)
    assert found["faults"] == []
    name, deck = parse_deck(found["text"])
    assert (name, deck.counts) == (game, deck_cards["cards"])
    assert deck.marks == {mark: cards for mark, cards in deck_cards["marks"].items() if cards}
    assert deck.option(known.shipped) == found["option"]
    again = server.http.post(f"/api/games/{game}/deck", json={"deck": found["text"]})
    assert again.json() == found
    (tmp_path / "own.toml").write_text(found["text"], encoding="utf-8")
    assert call(capsys, "deck", "check", tmp_path / "own.toml").status == 0


WRONG: list[tuple[str, Any, str, str | None]] = [
    ("poison", {"Z1": 9}, "card Z1: not R, B or P and a value, nor X", "Z1"),
    ("poison", {"R1": 9, "R14": 1}, "card R14: a value is 1 to 13", "R14"),
    ("poison", {"R1": 51}, "51 cards: at most 50 (POI-01)", None),
    ("poison", {"R1": "many"}, 'card R1: "many" is not a number of cards (0 to 1000)', "R1"),
    ("poison", {"R1": -1}, "card R1: -1 is not a number of cards (0 to 1000)", "R1"),
    ("poison", {"R1": 2.5}, "card R1: 2.5 is not a number of cards (0 to 1000)", "R1"),
    ("poison", {}, "the cards are missing", None),
    ("poison", {"R1": 2}, "for 3, 4 hands need at least 4 cards, not 2 (POI-05)", None),
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
    server: ServerProcess, game: str, cards: Any, why: str, card: str | None
) -> None:
    found = check(server, game, cards)
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
def test_wrong_marks_are_refused(
    server: ServerProcess, marks: Any, why: str, card: str | None
) -> None:
    (fault,) = check(server, "shock", shipped(server, "shock")["cards"], marks=marks)["faults"]
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
def test_a_file_that_is_not_a_deck_of_this_game_is_refused(
    server: ServerProcess, text: str, why: str
) -> None:
    found = server.http.post("/api/games/poison/deck", json={"deck": text}).json()
    (fault,) = found["faults"]
    assert why in fault["why"]
    assert found["cards"] is None


def test_a_body_that_is_not_a_deck_is_refused(server: ServerProcess) -> None:
    bodies: list[Any] = [{}, {"cards": []}, {"cards": {}, "more": 1}, {"cards": {}, "marks": 3}]
    for body in bodies:
        assert server.http.post("/api/games/poison/deck/check", json=body).status_code == 400
    assert server.http.post("/api/games/chess/deck/check", json={"cards": {}}).status_code == 404


def test_a_table_can_use_a_custom_deck(server: ServerProcess) -> None:
    ana = server.new_player()
    option = check(server, "poison", {"R1": 4, "X": 4})["option"]
    table = ana.open("poison", [None, "easy", "easy"], options={"deck": option})
    ana.ask(table, "sit", seat=0, nonce="n")
    seen = ana.get_table(table)
    assert seen["room"]["options"]["deck"] == ["R1"] * 4 + ["X"] * 4
    assert set(seen["view"]["hand"]) <= {"R1", "X"}
