"""Poison: a turn (POI-07 to POI-14)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from theriac.games.poison.tests.table_setting import (
    play,
    play_any,
    refused,
    shown,
    sit,
    sit_small,
)
from theriac.table import Table

FORM = "a move is a card and a cauldron, such as R5@2 (POI-07)"


def open_to(table: Table, card: str) -> str:
    """The cauldrons that a card in hand may go into."""
    return "".join(move[-1] for move in table.legal() if move.startswith(f"{card}@"))


# One card


@pytest.mark.clause("POI-07")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_dealers_left_starts_and_play_goes_clockwise(players: int) -> None:
    for first in range(players):
        table = sit(players=players, first=first)
        for turn in range(2 * players + 1):
            assert table.to_act == (first + 1 + turn) % players
            play_any(table, 1)


@pytest.mark.clause("POI-07")
def test_the_dealers_left_starts_every_round() -> None:
    table = sit(first=2)
    play_any(table, 50)
    assert (shown(table, "dealer"), table.to_act) == (3, 0)


@pytest.mark.clause("POI-07")
def test_exactly_one_card_goes_face_up_into_one_cauldron() -> None:
    table = sit({1: "R5 R5 X"})
    before = Counter(table.view(1)["hand"])
    others = [table.view(seat)["hand"] for seat in (0, 2, 3)]
    play(table, "R5@2")
    assert before - Counter(table.view(1)["hand"]) == Counter(["R5"])
    assert len(table.view(1)["hand"]) == 12
    assert shown(table, "cauldrons") == [[], ["R5"], []]
    assert shown(table, "hands") == [12, 12, 13, 12]
    assert [table.view(seat)["hand"] for seat in (0, 2, 3)] == others


@pytest.mark.clause("POI-07")
def test_cards_lie_in_the_order_played() -> None:
    table = sit({1: "R1", 2: "X", 3: "R4", 0: "X"})
    play(table, "R1@3 X@3 R4@3 X@3")
    assert shown(table, "cauldrons") == [[], [], ["R1", "X", "R4", "X"]]
    assert shown(table, "sums") == [0, 0, 13]


@pytest.mark.clause("POI-07")
@pytest.mark.parametrize("move", ["pass", "", "R5", "R5@", "@1", "5R@1", "R5 @1", " R5@1", "R5@1 "])
def test_there_is_no_passing_and_nothing_but_a_card_and_a_cauldron(move: str) -> None:
    table = sit({1: "R5"})
    with pytest.raises(ValueError) as caught:
        table.play(move)
    assert str(caught.value).endswith(FORM)
    assert table.moves == []


@pytest.mark.clause("POI-07")
@pytest.mark.parametrize("move", ["R5@-1", "R5@1.0", "R5@1@1", "RR5@1", "R5@٣", "R5@1+X@1", "R5@x"])
def test_other_malformed_moves(move: str) -> None:
    assert refused(sit({1: "R5"}), move) == FORM


@pytest.mark.clause("POI-07")
def test_a_card_that_is_not_held_is_refused() -> None:
    table = sit({2: "B4 B4", 3: "X X X X X X X X"})
    assert refused(table, "B4@1") == "B4 is not in hand (POI-07)"
    assert refused(table, "X@3") == "X is not in hand (POI-07)"
    play_any(table, 1)
    play(table, "B4@1")
    assert refused(table, "B4@1") == "B4 is not in hand (POI-07)"


@pytest.mark.clause("POI-07")
def test_a_card_that_is_not_held_comes_before_its_colour() -> None:
    table = sit({1: "R5", 3: "R4 R4"})
    play(table, "R5@1")
    assert refused(table, "R4@2") == "R4 is not in hand (POI-07)"


# Colours


@pytest.mark.clause("POI-08")
@pytest.mark.parametrize("home", [1, 2, 3])
@pytest.mark.parametrize(("letter", "colour"), [("R", "red"), ("B", "blue"), ("P", "purple")])
def test_a_colour_goes_where_it_is_brewing(home: int, letter: str, colour: str) -> None:
    table = sit({1: f"{letter}1", 2: f"{letter}5"})
    play(table, f"{letter}1@{home}")
    assert open_to(table, f"{letter}5") == str(home)
    for other in {1, 2, 3} - {home}:
        said = refused(table, f"{letter}5@{other}")
        assert said == f"{colour} is already brewing in cauldron {home} (POI-08)"


@pytest.mark.clause("POI-08")
def test_a_colour_that_is_elsewhere_comes_before_the_colour_that_is_here() -> None:
    table = sit({1: "R1", 2: "B1", 3: "R5"})
    play(table, "R1@1 B1@2")
    assert refused(table, "R5@2") == "red is already brewing in cauldron 1 (POI-08)"


@pytest.mark.clause("POI-08")
def test_no_colour_is_ever_in_two_cauldrons() -> None:
    for players in (3, 4, 5, 6):
        table = sit(players=players)
        while not table.over:
            colours = [{card[0] for card in cauldron} for cauldron in shown(table, "cauldrons")]
            for colour in "RBP":
                assert sum(colour in inside for inside in colours) <= 1
            assert all(len(inside - {"X"}) <= 1 for inside in colours)
            play_any(table, 1)


@pytest.mark.clause("POI-09")
def test_poison_goes_into_any_cauldron() -> None:
    table = sit({1: "R1 X", 2: "B1 X", 3: "P1 X", 0: "X"})
    assert open_to(table, "X") == "123"
    play(table, "R1@1 B1@2 P1@3")
    assert open_to(table, "X") == "123"
    play(table, "X@2 X@1 X@1 X@3")
    assert shown(table, "cauldrons") == [["R1", "X", "X"], ["B1", "X"], ["P1", "X"]]


@pytest.mark.clause("POI-10")
def test_a_new_colour_goes_into_any_cauldron_without_a_colour() -> None:
    table = sit({1: "R1", 2: "X", 3: "B5"})
    assert open_to(table, "R1") == "123"
    play(table, "R1@2")
    play(table, "X@3")
    assert open_to(table, "B5") == "13"
    assert refused(table, "B5@2") == "cauldron 2 is red (POI-10)"


@pytest.mark.clause("POI-10")
@pytest.mark.parametrize(("letter", "colour"), [("R", "red"), ("B", "blue"), ("P", "purple")])
def test_a_cauldron_with_another_colour_is_refused(letter: str, colour: str) -> None:
    other = "P" if letter != "P" else "B"
    table = sit({1: f"{letter}1", 2: f"{other}1"})
    play(table, f"{letter}1@3")
    assert refused(table, f"{other}1@3") == f"cauldron 3 is {colour} (POI-10)"


@pytest.mark.clause("POI-10")
def test_a_cauldron_of_poison_takes_the_colour_of_the_first_potion() -> None:
    table = sit({1: "X", 2: "R1", 3: "B1 B2", 0: "R2"})
    play(table, "X@1 R1@1")
    assert open_to(table, "B1") == "23"
    assert refused(table, "B1@1") == "cauldron 1 is red (POI-10)"
    play(table, "B1@2")
    assert open_to(table, "R2") == "1"
    assert shown(table, "sums") == [5, 1, 0]


@pytest.mark.clause("POI-10", "POI-14")
def test_there_is_always_a_legal_move() -> None:
    for players in (3, 4, 5, 6):
        table = sit(players=players, first=players - 1)
        while not table.over:
            assert {move.split("@")[0] for move in table.legal()} == set(
                table.view(table.to_act)["hand"]
            )
            play_any(table, 1)


# Taking


@pytest.mark.clause("POI-11")
def test_the_rulebooks_first_example() -> None:
    """Charles fills a cauldron to 13 with a 2; Sara's 4 exceeds it: she takes the three cards."""
    table = sit({1: "B7", 2: "B4", 3: "B2", 0: "B4"})
    play(table, "B7@1 B4@1 B2@1")
    assert (shown(table, "sums"), shown(table, "taken")) == ([13, 0, 0], [0, 0, 0, 0])
    play(table, "B4@1")
    assert shown(table, "cauldrons") == [["B4"], [], []]
    assert (shown(table, "sums"), shown(table, "taken")) == ([4, 0, 0], [3, 0, 0, 0])


@pytest.mark.clause("POI-11")
def test_the_rulebooks_second_example() -> None:
    """James fills a cauldron to 11 with a poison card; Richard's 5 takes it with the rest."""
    table = sit({1: "P5", 2: "P2", 3: "X", 0: "P5"}, open_piles=True)
    play(table, "P5@3 P2@3 X@3")
    assert (shown(table, "sums"), shown(table, "taken")) == ([0, 0, 11], [0, 0, 0, 0])
    play(table, "P5@3")
    assert shown(table, "cauldrons") == [[], [], ["P5"]]
    assert (shown(table, "sums"), shown(table, "taken")) == ([0, 0, 5], [3, 0, 0, 0])
    assert shown(table, "piles") == [["P5", "P2", "X"], [], [], []]


@pytest.mark.clause("POI-11")
@pytest.mark.parametrize(
    ("cards", "sums", "taken"),
    [
        ("R7 R5 R1", 13, 0),  # exactly 13 is safe
        ("R7 R5 R2", 2, 2),
        ("R7 R7", 7, 1),
        ("X X R5", 13, 0),
        ("X X X X", 4, 3),
        ("R5 X X", 13, 0),
        ("R7 X X", 4, 2),
        ("R1 R1 R1", 3, 0),
    ],
)
def test_only_above_thirteen(cards: str, sums: int, taken: int) -> None:
    hands = dict(zip([1, 2, 3, 0], cards.split(), strict=False))
    table = sit(hands)
    play(table, " ".join(f"{card}@2" for card in cards.split()))
    last = list(hands)[-1]
    assert shown(table, "sums") == [0, sums, 0]
    assert shown(table, "taken") == [taken if seat == last else 0 for seat in range(4)]


@pytest.mark.clause("POI-11")
def test_only_that_cauldron_is_taken_and_piles_grow() -> None:
    table = sit({1: "R7 P7", 2: "B7", 3: "R7 P1", 0: "B7 R7"}, open_piles=True)
    play(table, "R7@1 B7@2 R7@1 B7@2")
    assert shown(table, "cauldrons") == [["R7"], ["B7"], []]
    assert shown(table, "taken") == [1, 0, 0, 1]
    play(table, "P7@3")
    play_any(table, 1)
    play(table, "P1@3")
    play(table, "R7@1")
    assert shown(table, "taken")[0] == 2
    assert shown(table, "piles")[0] == ["B7", "R7"]


@pytest.mark.clause("POI-12")
def test_the_potion_that_stayed_gives_the_colour() -> None:
    table = sit({1: "X", 2: "X", 3: "R7", 0: "B1 R1"})
    play(table, "X@1 X@1 R7@1")
    assert (shown(table, "cauldrons"), shown(table, "taken")) == ([["R7"], [], []], [0, 0, 0, 2])
    assert refused(table, "B1@1") == "cauldron 1 is red (POI-10)"
    assert (open_to(table, "B1"), open_to(table, "R1")) == ("23", "1")


@pytest.mark.clause("POI-12")
def test_poison_that_stayed_leaves_no_colour() -> None:
    table = sit({1: "R7", 2: "R5", 3: "X", 0: "B1 R1"})
    play(table, "R7@1 R5@1 X@1")
    assert (shown(table, "cauldrons"), shown(table, "taken")) == ([["X"], [], []], [0, 0, 0, 2])
    assert (open_to(table, "B1"), open_to(table, "R1")) == ("123", "123")
    play(table, "B1@1")
    assert shown(table, "sums") == [5, 0, 0]


# What is seen of taken cards


def everything(value: Any) -> list[str]:
    """All texts in a view."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in everything(item)]
    if isinstance(value, list):
        return [text for item in value for text in everything(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.clause("POI-13")
def test_nobody_sees_taken_cards_not_even_their_taker() -> None:
    table = sit_small("R7 R5 B4 P1 X X X X")
    play(table, "R7@1 R5@1 B4@2 P1@3 X@1")
    assert shown(table, "taken") == [0, 2, 0, 0]
    for view in (table.view(), *(table.view(seat) for seat in range(4))):
        assert set(view["table"]) == {"cauldrons", "sums", "taken", "hands", "dealer"}
        assert not {"R7", "R5"} & set(everything({**view, "legal": []}))


@pytest.mark.clause("POI-13")
def test_open_piles_show_taken_cards_in_the_order_taken() -> None:
    table = sit_small("R7 R7 B7 B7 R5 R7 B5 B7", open_piles=True)
    assert shown(table, "piles") == [[], [], [], []]
    play(table, "R7@1 R7@1 B7@2 B7@2 R5@1 R7@1 B5@2")
    assert shown(table, "piles") == [["B7"], [], ["R7", "R7", "R5"], []]
    assert shown(table, "taken") == [1, 0, 3, 0]
    for seat in range(4):
        assert table.view(seat)["table"] == table.view()["table"]


@pytest.mark.clause("POI-13")
def test_piles_are_of_the_round_in_progress() -> None:
    cards = "R7 R7 B7 B7"
    table = sit_small(cards, cards, cards, cards, open_piles=True)
    play(table, "R7@1 R7@1 B7@2 B7@2")
    assert (shown(table, "piles"), shown(table, "taken")) == ([[], [], [], []], [0, 0, 0, 0])
    for _ in range(3):
        play(table, "R7@1 R7@1 B7@2 B7@2")
    assert table.over
    assert shown(table, "piles") == [[], ["R7"], [], ["B7"]]


@pytest.mark.clause("POI-13")
def test_piles_are_closed_unless_asked_for() -> None:
    assert "piles" not in sit().view()["table"]
    assert "piles" not in sit(open_piles=False).view()["table"]
    for wrong in (1, 0, "true", None):
        with pytest.raises(ValueError, match=r"open_piles: .* is not false or true \(POI-13\)"):
            sit(open_piles=wrong)


@pytest.mark.clause("POI-14", "POI-05")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("first", [0, 2])
def test_the_longer_hands_play_first_and_all_hands_are_emptied(players: int, first: int) -> None:
    table = sit(players=players, first=first)
    for left in range(sum(shown(table, "hands")), 0, -1):
        hands = shown(table, "hands")
        assert (sum(hands), table.view()["round"]) == (left, 1)
        assert table.to_act is not None
        assert hands[table.to_act] == max(hands) > 0
        play_any(table, 1)
    assert table.view()["round"] == 2
