"""Poison: a turn (POI-07, POI-08, POI-09, POI-10, POI-11, POI-12, POI-13, POI-14)."""

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
from theriac.match import Match

FORM = "a move is a card and a cauldron, such as R5@2 (POI-07)"


def open_to(match: Match, card: str) -> str:
    """The cauldrons that a card in hand may go into."""
    return "".join(move[-1] for move in match.legal() if move.startswith(f"{card}@"))


# One card


@pytest.mark.clause("POI-07")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_dealers_left_starts_and_play_goes_clockwise(players: int) -> None:
    for first in range(players):
        match = sit(players=players, first=first)
        for turn in range(2 * players + 1):
            assert match.to_act == (first + 1 + turn) % players
            play_any(match, 1)


@pytest.mark.clause("POI-07")
def test_the_dealers_left_starts_every_round() -> None:
    match = sit(first=2)
    play_any(match, 50)
    assert (shown(match, "dealer"), match.to_act) == (3, 0)


@pytest.mark.clause("POI-07")
def test_exactly_one_card_goes_face_up_into_one_cauldron() -> None:
    match = sit({1: "R5 R5 X"})
    before = Counter(match.view(1)["hand"])
    others = [match.view(seat)["hand"] for seat in (0, 2, 3)]
    play(match, "R5@2")
    assert before - Counter(match.view(1)["hand"]) == Counter(["R5"])
    assert len(match.view(1)["hand"]) == 12
    assert shown(match, "cauldrons") == [[], ["R5"], []]
    assert shown(match, "hands") == [12, 12, 13, 12]
    assert [match.view(seat)["hand"] for seat in (0, 2, 3)] == others


@pytest.mark.clause("POI-07")
def test_cards_lie_in_the_order_played() -> None:
    match = sit({1: "R1", 2: "X", 3: "R4", 0: "X"})
    play(match, "R1@3 X@3 R4@3 X@3")
    assert shown(match, "cauldrons") == [[], [], ["R1", "X", "R4", "X"]]
    assert shown(match, "sums") == [0, 0, 13]


@pytest.mark.clause("POI-07")
@pytest.mark.parametrize("move", ["pass", "", "R5", "R5@", "@1", "5R@1", "R5 @1", " R5@1", "R5@1 "])
def test_there_is_no_passing_and_nothing_but_a_card_and_a_cauldron(move: str) -> None:
    match = sit({1: "R5"})
    with pytest.raises(ValueError) as caught:
        match.play(move)
    assert str(caught.value).endswith(FORM)
    assert match.moves == []


@pytest.mark.clause("POI-07")
@pytest.mark.parametrize("move", ["R5@-1", "R5@1.0", "R5@1@1", "RR5@1", "R5@٣", "R5@1+X@1", "R5@x"])
def test_other_malformed_moves(move: str) -> None:
    assert refused(sit({1: "R5"}), move) == FORM


@pytest.mark.clause("POI-07")
def test_a_card_that_is_not_held_is_refused() -> None:
    match = sit({2: "B4 B4", 3: "X X X X X X X X"})
    assert refused(match, "B4@1") == "B4 is not in hand (POI-07)"
    assert refused(match, "X@3") == "X is not in hand (POI-07)"
    play_any(match, 1)
    play(match, "B4@1")
    assert refused(match, "B4@1") == "B4 is not in hand (POI-07)"


@pytest.mark.clause("POI-07")
def test_a_card_that_is_not_held_comes_before_its_colour() -> None:
    match = sit({1: "R5", 3: "R4 R4"})
    play(match, "R5@1")
    assert refused(match, "R4@2") == "R4 is not in hand (POI-07)"


# Colours


@pytest.mark.clause("POI-08")
@pytest.mark.parametrize("home", [1, 2, 3])
@pytest.mark.parametrize(("letter", "colour"), [("R", "red"), ("B", "blue"), ("P", "purple")])
def test_a_colour_goes_where_it_is_brewing(home: int, letter: str, colour: str) -> None:
    match = sit({1: f"{letter}1", 2: f"{letter}5"})
    play(match, f"{letter}1@{home}")
    assert open_to(match, f"{letter}5") == str(home)
    for other in {1, 2, 3} - {home}:
        said = refused(match, f"{letter}5@{other}")
        assert said == f"{colour} is already brewing in cauldron {home} (POI-08)"


@pytest.mark.clause("POI-08")
def test_a_colour_that_is_elsewhere_comes_before_the_colour_that_is_here() -> None:
    match = sit({1: "R1", 2: "B1", 3: "R5"})
    play(match, "R1@1 B1@2")
    assert refused(match, "R5@2") == "red is already brewing in cauldron 1 (POI-08)"


@pytest.mark.clause("POI-08")
def test_no_colour_is_ever_in_two_cauldrons() -> None:
    for players in (3, 4, 5, 6):
        match = sit(players=players)
        while not match.over:
            colours = [{card[0] for card in cauldron} for cauldron in shown(match, "cauldrons")]
            for colour in "RBP":
                assert sum(colour in inside for inside in colours) <= 1
            assert all(len(inside - {"X"}) <= 1 for inside in colours)
            play_any(match, 1)


@pytest.mark.clause("POI-09")
def test_poison_goes_into_any_cauldron() -> None:
    match = sit({1: "R1 X", 2: "B1 X", 3: "P1 X", 0: "X"})
    assert open_to(match, "X") == "123"
    play(match, "R1@1 B1@2 P1@3")
    assert open_to(match, "X") == "123"
    play(match, "X@2 X@1 X@1 X@3")
    assert shown(match, "cauldrons") == [["R1", "X", "X"], ["B1", "X"], ["P1", "X"]]


@pytest.mark.clause("POI-10")
def test_a_new_colour_goes_into_any_cauldron_without_a_colour() -> None:
    match = sit({1: "R1", 2: "X", 3: "B5"})
    assert open_to(match, "R1") == "123"
    play(match, "R1@2")
    play(match, "X@3")
    assert open_to(match, "B5") == "13"
    assert refused(match, "B5@2") == "cauldron 2 is red (POI-10)"


@pytest.mark.clause("POI-10")
@pytest.mark.parametrize(("letter", "colour"), [("R", "red"), ("B", "blue"), ("P", "purple")])
def test_a_cauldron_with_another_colour_is_refused(letter: str, colour: str) -> None:
    other = "P" if letter != "P" else "B"
    match = sit({1: f"{letter}1", 2: f"{other}1"})
    play(match, f"{letter}1@3")
    assert refused(match, f"{other}1@3") == f"cauldron 3 is {colour} (POI-10)"


@pytest.mark.clause("POI-10")
def test_a_cauldron_of_poison_takes_the_colour_of_the_first_potion() -> None:
    match = sit({1: "X", 2: "R1", 3: "B1 B2", 0: "R2"})
    play(match, "X@1 R1@1")
    assert open_to(match, "B1") == "23"
    assert refused(match, "B1@1") == "cauldron 1 is red (POI-10)"
    play(match, "B1@2")
    assert open_to(match, "R2") == "1"
    assert shown(match, "sums") == [5, 1, 0]


@pytest.mark.clause("POI-10", "POI-14")
def test_there_is_always_a_legal_move() -> None:
    for players in (3, 4, 5, 6):
        match = sit(players=players, first=players - 1)
        while not match.over:
            assert {move.split("@")[0] for move in match.legal()} == set(
                match.view(match.to_act)["hand"]
            )
            play_any(match, 1)


# Taking


@pytest.mark.clause("POI-11")
def test_the_rulebooks_first_example() -> None:
    """Charles fills a cauldron to 13 with a 2; Sara's 4 exceeds it: she takes the three cards."""
    match = sit({1: "B7", 2: "B4", 3: "B2", 0: "B4"})
    play(match, "B7@1 B4@1 B2@1")
    assert (shown(match, "sums"), shown(match, "taken")) == ([13, 0, 0], [0, 0, 0, 0])
    play(match, "B4@1")
    assert shown(match, "cauldrons") == [["B4"], [], []]
    assert (shown(match, "sums"), shown(match, "taken")) == ([4, 0, 0], [3, 0, 0, 0])


@pytest.mark.clause("POI-11")
def test_the_rulebooks_second_example() -> None:
    """James fills a cauldron to 11 with a poison card; Richard's 5 takes it with the rest."""
    match = sit({1: "P5", 2: "P2", 3: "X", 0: "P5"}, open_piles=True)
    play(match, "P5@3 P2@3 X@3")
    assert (shown(match, "sums"), shown(match, "taken")) == ([0, 0, 11], [0, 0, 0, 0])
    play(match, "P5@3")
    assert shown(match, "cauldrons") == [[], [], ["P5"]]
    assert (shown(match, "sums"), shown(match, "taken")) == ([0, 0, 5], [3, 0, 0, 0])
    assert shown(match, "piles") == [["P5", "P2", "X"], [], [], []]


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
    match = sit(hands)
    play(match, " ".join(f"{card}@2" for card in cards.split()))
    last = list(hands)[-1]
    assert shown(match, "sums") == [0, sums, 0]
    assert shown(match, "taken") == [taken if seat == last else 0 for seat in range(4)]


@pytest.mark.clause("POI-11")
def test_only_that_cauldron_is_taken_and_piles_grow() -> None:
    match = sit({1: "R7 P7", 2: "B7", 3: "R7 P1", 0: "B7 R7"}, open_piles=True)
    play(match, "R7@1 B7@2 R7@1 B7@2")
    assert shown(match, "cauldrons") == [["R7"], ["B7"], []]
    assert shown(match, "taken") == [1, 0, 0, 1]
    play(match, "P7@3")
    play_any(match, 1)
    play(match, "P1@3")
    play(match, "R7@1")
    assert shown(match, "taken")[0] == 2
    assert shown(match, "piles")[0] == ["B7", "R7"]


@pytest.mark.clause("POI-12")
def test_the_potion_that_stayed_gives_the_colour() -> None:
    match = sit({1: "X", 2: "X", 3: "R7", 0: "B1 R1"})
    play(match, "X@1 X@1 R7@1")
    assert (shown(match, "cauldrons"), shown(match, "taken")) == ([["R7"], [], []], [0, 0, 0, 2])
    assert refused(match, "B1@1") == "cauldron 1 is red (POI-10)"
    assert (open_to(match, "B1"), open_to(match, "R1")) == ("23", "1")


@pytest.mark.clause("POI-12")
def test_poison_that_stayed_leaves_no_colour() -> None:
    match = sit({1: "R7", 2: "R5", 3: "X", 0: "B1 R1"})
    play(match, "R7@1 R5@1 X@1")
    assert (shown(match, "cauldrons"), shown(match, "taken")) == ([["X"], [], []], [0, 0, 0, 2])
    assert (open_to(match, "B1"), open_to(match, "R1")) == ("123", "123")
    play(match, "B1@1")
    assert shown(match, "sums") == [5, 0, 0]


# Views of taken cards


def everything(value: Any) -> list[str]:
    """All texts in a view."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in everything(item)]
    if isinstance(value, list):
        return [text for item in value for text in everything(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.clause("POI-13")
def test_nobody_sees_taken_cards_not_even_their_taker() -> None:
    match = sit_small("R7 R5 B4 P1 X X X X")
    play(match, "R7@1 R5@1 B4@2 P1@3 X@1")
    assert shown(match, "taken") == [0, 2, 0, 0]
    for view in (match.view(), *(match.view(seat) for seat in range(4))):
        assert set(view["table"]) == {"cauldrons", "sums", "taken", "hands", "dealer"}
        assert not {"R7", "R5"} & set(everything({**view, "legal": []}))


@pytest.mark.clause("POI-13")
def test_open_piles_show_taken_cards_in_the_order_taken() -> None:
    match = sit_small("R7 R7 B7 B7 R5 R7 B5 B7", open_piles=True)
    assert shown(match, "piles") == [[], [], [], []]
    play(match, "R7@1 R7@1 B7@2 B7@2 R5@1 R7@1 B5@2")
    assert shown(match, "piles") == [["B7"], [], ["R7", "R7", "R5"], []]
    assert shown(match, "taken") == [1, 0, 3, 0]
    for seat in range(4):
        assert match.view(seat)["table"] == match.view()["table"]


@pytest.mark.clause("POI-13")
def test_piles_are_of_the_round_in_progress() -> None:
    cards = "R7 R7 B7 B7"
    match = sit_small(cards, cards, cards, cards, open_piles=True)
    play(match, "R7@1 R7@1 B7@2 B7@2")
    assert (shown(match, "piles"), shown(match, "taken")) == ([[], [], [], []], [0, 0, 0, 0])
    for _ in range(3):
        play(match, "R7@1 R7@1 B7@2 B7@2")
    assert match.over
    assert shown(match, "piles") == [[], ["R7"], [], ["B7"]]


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
    match = sit(players=players, first=first)
    for left in range(sum(shown(match, "hands")), 0, -1):
        hands = shown(match, "hands")
        assert (sum(hands), match.view()["round"]) == (left, 1)
        assert match.to_act is not None
        assert hands[match.to_act] == max(hands) > 0
        play_any(match, 1)
    assert match.view()["round"] == 2
