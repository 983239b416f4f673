"""The independent referee of Poison, checked with the rulebook's examples and chosen positions."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from theriac.games.poison.tests.referee import Poison, score_round
from theriac.testing.referee import (
    BadDeal,
    BadOption,
    Game,
    NoShuffle,
    Refused,
    in_given_order,
    seeded,
)


def opened(first_cards: str, **options: Any) -> Poison:
    """Four players, seat 0 deals: seats 1, 2, 3, 0 get the named cards first."""
    prefix = first_cards.split()
    rest = Poison({"players": 3, "first": 0}, [], in_given_order).deck
    for card in prefix:
        rest.remove(card)
    return Poison({"players": 4, "first": 0, **options}, [prefix + rest])


def clause(game: Game, text: str) -> str:
    before = copy.deepcopy(game.__dict__)
    with pytest.raises(Refused) as caught:
        game.play(text)
    assert game.__dict__ == before, "a refused move changed something"
    return caught.value.clause


def test_scoring_example() -> None:
    """POI-19, and with it POI-16, POI-17, POI-18."""

    def pile(blue: int, red: int, purple: int, bad: int) -> list[str]:
        return ["B1"] * blue + ["R7"] * red + ["P5"] * purple + ["X"] * bad

    piles = [pile(3, 2, 0, 1), pile(0, 6, 2, 0), pile(2, 5, 6, 2), pile(6, 1, 6, 4)]
    assert score_round(piles) == [7, 2, 17, 15]


def test_example_1() -> None:
    """POI-11: exactly 13 is safe; the 4 that follows takes the three cards before it."""
    game = opened("R7 R4 R2 R4", open_piles=True)
    for text in ("R7@1", "R4@1", "R2@1"):
        game.play(text)
    assert game.table()["sums"] == [13, 0, 0]
    assert game.table()["taken"] == [0, 0, 0, 0]
    game.play("R4@1")
    table = game.table()
    assert table["cauldrons"] == [["R4"], [], []]
    assert table["taken"] == [3, 0, 0, 0]
    assert table["piles"][0] == ["R7", "R4", "R2"]


def test_example_2() -> None:
    """POI-11: a poison card is 4 and is taken with the rest."""
    game = opened("P5 P2 X P5", open_piles=True)
    for text in ("P5@3", "P2@3", "X@3"):
        game.play(text)
    assert game.table()["sums"] == [0, 0, 11]
    game.play("P5@3")
    assert game.table()["cauldrons"] == [[], [], ["P5"]]
    assert game.table()["piles"][0] == ["P5", "P2", "X"]


def test_colour_after_poison_stays() -> None:
    """POI-12: a poison card that takes leaves a cauldron without colour."""
    game = opened("R7 R5 X R1")
    for text in ("R7@2", "R5@2", "X@2"):
        game.play(text)
    assert game.table()["cauldrons"] == [[], ["X"], []]
    assert game.table()["taken"] == [0, 0, 0, 2]
    assert {"R1@1", "R1@2", "R1@3"} <= set(game.legal())


def test_deal() -> None:
    """POI-05, POI-06: from the dealer's left; with three the hand after the dealer's goes out."""
    game = Poison({"players": 3, "first": 1}, [], seeded(1))
    order = seeded(1)(0, list(game.deck))
    assert game.table()["hands"] == [13, 12, 13]
    assert game.to_act == 2
    assert [sorted(order[i::4]) for i in range(3)] == [sorted(game.hand(s)) for s in (2, 0, 1)]
    five = Poison({"players": 6, "first": 5}, [], seeded(1))
    assert five.table()["hands"] == [9, 9, 8, 8, 8, 8]


def test_refusals() -> None:
    """The last paragraph of the ledger, in its order."""
    game = opened("R7 B4 X R4")
    game.play("R7@1")
    for text in ("", "R7", "@1", "R7@", "R7@1 ", " R7@1", "R7@1@1", "R7@x", "R7@1\n"):
        assert clause(game, text) == "POI-07", text
    for text in ("R3@1", "r7@1", "G1@9", "X4@1", "R@1"):
        assert clause(game, text) == "POI-01", text
    for text in ("B4@0", "R7@4", "X@01", "B4@11"):
        assert clause(game, text) == "POI-02", text
    absent = next(card for card in game.deck if card not in game.hand(2))
    assert clause(game, f"{absent}@1") == "POI-07"
    assert clause(game, "B4@1") == "POI-10"
    game.play("B4@2")
    game.play("X@3")
    assert clause(game, "R4@3") == "POI-08"
    assert clause(game, "R4@2") == "POI-08"
    while not game.over:
        game.shuffle = seeded(3)
        game.play(game.legal()[0])
    assert clause(game, "nonsense") == "POI-20"


def test_options_and_deals() -> None:
    bad: list[dict[str, Any]] = [
        {"players": 2},
        {"players": 7},
        {"players": 4.0},
        {"players": 4, "first": 4},
        {"players": 4, "open_piles": 1},
        {"players": 4, "target": 11},
    ]
    for options in bad:
        with pytest.raises(BadOption):
            Poison({"first": 0, **options}, [], seeded(0))
    with pytest.raises(NoShuffle):
        Poison({"players": 3, "first": 0}, [])
    with pytest.raises(BadDeal, match=r"missing \['B1'\], extra \['R1'\]"):
        Poison({"players": 3, "first": 0}, [["R1", "R1"]], deck=["R1", "B1"])
