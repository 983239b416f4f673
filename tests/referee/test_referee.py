"""Tests of the referee itself: the rulebooks' examples and chosen positions."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from . import poison, shokoba
from .base import BadDeal, BadOption, Game, NoShuffle, Refused
from .helpers import in_given_order, seeded
from .poison import Poison
from .shokoba import Shokoba


def opened(first_cards: str, **options: Any) -> Poison:
    """Four players, seat 0 deals: seats 1, 2, 3, 0 get the named cards first."""
    prefix = first_cards.split()
    rest = Poison({"players": 3, "first": 0}, [], in_given_order).deck
    for card in prefix:
        rest.remove(card)
    return Poison({"players": 4, "first": 0, **options}, [prefix + rest])


def two(mine: str, theirs: str, table: str, rest: str | None = None, **options: Any) -> Shokoba:
    """Two players, seat 0 deals: seat 1 (who starts) holds mine, seat 0 theirs."""
    order: list[str] = []
    for a, b in zip(mine.split(), theirs.split(), strict=True):
        order += [a, b]
    order += table.split()
    if rest is not None:  # a reduced deck
        order += rest.split()
        given = {"players": 2, "first": 0, **options}
        return Shokoba(given, [order], in_given_order, deck=order)
    left = Counter(Shokoba({"players": 2, "first": 0}, [], in_given_order).deck) - Counter(order)
    return Shokoba({"players": 2, "first": 0, **options}, [order + list(left.elements())])


def clause(game: Game, text: str) -> str:
    before = copy.deepcopy(game.__dict__)
    with pytest.raises(Refused) as caught:
        game.play(text)
    assert game.__dict__ == before, "a refused move changed something"
    return caught.value.clause


# --- Poison -------------------------------------------------------------------------------------


def test_poison_scoring_example() -> None:
    """POI-19, and with it POI-16, POI-17, POI-18."""

    def pile(blue: int, red: int, purple: int, bad: int) -> list[str]:
        return ["B1"] * blue + ["R7"] * red + ["P5"] * purple + ["X"] * bad

    piles = [pile(3, 2, 0, 1), pile(0, 6, 2, 0), pile(2, 5, 6, 2), pile(6, 1, 6, 4)]
    assert poison.score_round(piles) == [7, 2, 17, 15]


def test_poison_example_1() -> None:
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


def test_poison_example_2() -> None:
    """POI-11: a poison card is 4 and is taken with the rest."""
    game = opened("P5 P2 X P5", open_piles=True)
    for text in ("P5@3", "P2@3", "X@3"):
        game.play(text)
    assert game.table()["sums"] == [0, 0, 11]
    game.play("P5@3")
    assert game.table()["cauldrons"] == [[], [], ["P5"]]
    assert game.table()["piles"][0] == ["P5", "P2", "X"]


def test_poison_colour_after_poison_stays() -> None:
    """POI-12: a poison card that takes leaves a cauldron without colour."""
    game = opened("R7 R5 X R1")
    for text in ("R7@2", "R5@2", "X@2"):
        game.play(text)
    assert game.table()["cauldrons"] == [[], ["X"], []]
    assert game.table()["taken"] == [0, 0, 0, 2]
    assert {"R1@1", "R1@2", "R1@3"} <= set(game.legal())


def test_poison_deal() -> None:
    """POI-05, POI-06: from the dealer's left; with three the hand after the dealer's goes out."""
    game = Poison({"players": 3, "first": 1}, [], seeded(1))
    order = seeded(1)(0, list(game.deck))
    assert game.table()["hands"] == [13, 12, 13]
    assert game.to_act == 2
    assert [sorted(order[i::4]) for i in range(3)] == [sorted(game.hand(s)) for s in (2, 0, 1)]
    five = Poison({"players": 6, "first": 5}, [], seeded(1))
    assert five.table()["hands"] == [9, 9, 8, 8, 8, 8]


def test_poison_refusals() -> None:
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


# --- Shokoba: captures --------------------------------------------------------------------------


def test_shokoba_scoring_example() -> None:
    """SHO-20, SHO-19."""
    kim = ["D7"] + ["R1"] * 4 + ["S1"] * 8
    john = ["E7"] * 2 + ["R1"] + ["S1"] * 8
    pat = ["E7"] + ["R1"] * 4 + ["S1"] * 11
    assert shokoba.score_round([kim, john, pat]) == [1, 1, 2]


@pytest.mark.parametrize("exact_first", [False, True])
def test_shokoba_french_example(exact_first: bool) -> None:
    """SHO-13: hand 2, 6, 10; table 1, 2, 4, 7, 10."""
    game = two("S1 S9 S9", "S2 S6 S10", "S2 S4 E7 S10", exact_first=exact_first)
    game.play("S1")
    assert game.table()["open"] == ["S2", "S4", "E7", "S10", "S1"]
    choices = ["S10=S1+S2+E7", "S10=S10", "S2=S2", "S6=S2+S4"]
    assert game.legal() == (choices[1:] if exact_first else choices)
    if exact_first:
        assert clause(game, "S10=S1+S2+E7") == "SHO-13"


@pytest.mark.parametrize("exact_first", [False, True])
def test_shokoba_nine_example(exact_first: bool) -> None:
    """SHO-12, SHO-13: a 9 before 9, 5 and 4."""
    found = shokoba.captures("S9", ["S9", "S5", "S4"], exact_first)
    assert found == ([["S9"]] if exact_first else [["S9"], ["S4", "S5"]])


def test_shokoba_identical_cards_and_gems() -> None:
    """SHO-12: alike is one choice, another gem is another capture, in the fixed order."""
    found = shokoba.captures("S5", ["R3", "S2", "S2", "R2", "S3", "S5"], False)
    texts = ["+".join(cards) for cards in found]
    assert texts == ["S5", "S2+S3", "S2+R3", "R2+S3", "R2+R3"]


def test_shokoba_longest_there_is_taken() -> None:
    """`open`: of identical cards the one longest there is taken."""
    game = two("R9 S1 S9", "S2 S8 S8", "S4 S10 R5 S4")
    game.play("R9=S4+R5")
    assert game.table()["open"] == ["S10", "S4"]


def test_shokoba_refusals() -> None:
    """The last paragraph of the ledger, in its order."""
    game = two("S7 S4 S9", "S2 S8 S8", "S3 R4 S1 S2", rest="", oversights=True)
    for text in ("", "S", "7", "S7 ", "S7=", "S7=S3+", "S7!!", "pass", "claim", "S7!=S3", "S4\n"):
        assert clause(game, text) == "SHO-09", text
    for text in ("claim=S3+R4", "claim=", "claim=Z9"):
        assert clause(game, text) == "SHO-24", text
    for text in ("E3", "S11", "Z1!", "S7=S3+E4", "E3=S3", "s7", "S07"):
        assert clause(game, text) == "SHO-01", text
    for text in ("S8", "S8!", "S2=S2", "R4=S9"):
        assert clause(game, text) == "SHO-09", text
    assert clause(game, "S7") == "SHO-11"
    for text in ("S7=S3+S3+S1", "S7=S2+S1", "S7=S9", "S9=S9"):
        assert clause(game, text) == "SHO-10", text
    assert clause(game, "S7=R4+S3") == "SHO-12"
    game.play("S7!")
    for text in ("S2", "nonsense", "claim", "S2=S2"):
        assert clause(game, text) == "SHO-24", text
    for text in ("claim=", "claim=S3+", "claim=S3+R4!"):
        assert clause(game, text) == "SHO-09", text
    assert clause(game, "claim=Z3") == "SHO-01"
    assert clause(game, "claim=S7") == "SHO-10"  # the laid card did not lie there before
    assert clause(game, "claim=R4+S3") == "SHO-12"
    off = two("S7 S4 S9", "S2 S8 S8", "S3 R4 S1 S2", rest="")
    assert clause(off, "S7!") == "SHO-11"
    on = two("S7 S4 S9", "S2 S8 S8", "S10 S10 S10 S10", rest="", oversights=True)
    assert clause(on, "S7!") == "SHO-24"


# --- Shokoba: claims, ends ----------------------------------------------------------------------


def test_shokoba_claim() -> None:
    """SHO-24: the claim, from what lay there before; then the claimer's own turn."""
    game = two("S5 S4 S9", "S2 S8 S8", "S10 S5 S10 S9", oversights=True)
    assert game.legal() == ["S4", "S5!", "S5=S5", "S9!", "S9=S9"]
    game.play("S5!")
    assert game.state()["table"]["open"] == ["S10", "S5", "S10", "S9", "S5"]
    assert (game.to_act, game.legal()) == (0, ["claim=S5", "pass"])
    passed = copy.deepcopy(game)
    game.play("claim=S5")
    assert game.table()["open"] == ["S10", "S10", "S9"]
    assert game.table()["captured"] == [2, 0]
    assert (game.to_act, game.table()["last_capture"]) == (0, 0)
    passed.play("pass")
    assert (passed.to_act, passed.table()["captured"]) == (0, [0, 0])
    assert game.legal() == passed.legal() == ["S2", "S8"]


def before_last_card(third: str, **options: Any) -> Shokoba:
    """One round of ten cards, played up to its last: seat 0 holds S8, S3 and S5 are laid."""
    mine = f"S10 S3 {third.split('=')[0]}"
    game = two(mine, "S10 S5 S8", "S10 S10 S9 R1", rest="", oversights=True, **options)
    for text in ("S10=S10", "S10=S10", "S3", "S5", third):
        game.play(text)
    return game


def test_shokoba_claim_on_last_card_of_round() -> None:
    """SHO-24, SHO-17: settled before the round ends; the claimer takes what is left."""
    game = before_last_card("S9=S9")
    assert game.table()["open"] == ["R1", "S3", "S5"]
    game.play("S8!")
    state = game.state()
    assert (state["round"], state["to_act"]) == (1, 1)
    assert state["legal"] == ["claim=S3+S5", "pass"]
    assert state["table"]["hands"] == [0, 0]
    passed = copy.deepcopy(game)
    game.play("claim=S3+S5")
    # Seat 1 has the most sapphires, rubies (the R1 left over) and cards; R1 left: no SHOKOBA.
    assert (game.round, game.scores(), game.dealer) == (2, [0, 3], 1)
    passed.play("pass")  # seat 1 captured last and takes R1, S3, S5 and S8 all the same
    assert (passed.round, passed.scores()) == (2, [0, 3])


@pytest.mark.parametrize("finish", ["at_once", "after_round"])
def test_shokoba_claim_reaches_target(finish: str) -> None:
    """SHO-21: a claimed SHOKOBA ends the game there, the round unscored; not with after_round."""
    game = before_last_card("R10=R1+S9", finish=finish)
    game.gems = [10, 10]
    game.play("S8!")
    game.play("claim=S3+S5")
    state = game.state()
    assert state["over"] and state["winners"] == [1]
    assert state["scores"] == [10, 11 if finish == "at_once" else 14]
    assert (state["to_act"], state["legal"], state["round"]) == (None, [], 1)
    assert state["table"] == {
        "open": [],
        "captured": [2, 8],
        "hands": [0, 0],
        "deck": 0,
        "dealer": 0,
        "shokobas": [0, 1],
        "last_capture": 1,
    }
    assert clause(game, "pass") == "SHO-21"


def test_shokoba_left_over_at_the_end() -> None:
    """SHO-17: when the round also ends the game, the cards left are with the last capturer."""
    game = before_last_card("S9=S9")
    game.gems = [10, 10]
    game.play("S8!")
    game.play("pass")
    assert (game.over, game.winners, game.scores()) == (True, [1], [10, 13])
    assert (game.table()["open"], game.table()["captured"]) == ([], [2, 8])
    assert game.table()["shokobas"] == [0, 0]


def test_shokoba_target_in_mid_round() -> None:
    """SHO-21: hands, deck and piles stay as the SHOKOBA left them."""
    game = two("S4 S9 S9", "S2 S8 S8", "S1 R1 S1 S1")
    game.gems = [10, 10]
    game.play("S4=S1+S1+S1+R1")
    assert game.over and game.winners == [1] and game.scores() == [10, 11]
    assert game.table() == {
        "open": [],
        "captured": [0, 5],
        "hands": [3, 2],
        "deck": 30,
        "dealer": 0,
        "shokobas": [0, 1],
        "last_capture": 1,
    }
    assert game.seat_state(1)["hand"] == ["S9", "S9"]


def test_shokoba_claim_before_new_hands() -> None:
    """SHO-24: hands are dealt only after the claim is settled, and the claimer then plays."""
    game = two("S5 S4 S3", "S8 S2 S9", "S10 R10 S10 S8", oversights=True)
    for text in ("S5", "S8=S8", "S4", "S2", "S3", "S9!"):
        game.play(text)
    assert game.legal() == ["claim=S2+S3+S4", "claim=S4+S5", "pass"]
    assert (game.to_act, game.table()["hands"], game.table()["deck"]) == (1, [0, 0], 30)
    game.play("claim=S4+S5")
    assert (game.to_act, game.table()["hands"], game.table()["deck"]) == (1, [3, 3], 24)
    assert game.table()["open"] == ["S10", "R10", "S10", "S2", "S3"]
    assert game.table()["captured"] == [2, 3]


def test_shokoba_tie_break() -> None:
    """SHO-23: only the tied play, SHO-21 sleeps, round and scores go on."""
    game = Shokoba({"players": 4, "first": 3}, [], seeded(5))
    game.gems = [9, 12, 3, 12]
    game.hands = [[], [], [], []]
    game.pile = []
    game.open = ["S1"]
    game.dealer = 1
    game.end_round()  # nobody has captured: the card goes to nobody, no gems
    assert (game.round, game.dealer, game.to_act) == (2, 3, 1)
    assert game.scores() == [9, 12, 3, 12]
    assert game.table()["hands"] == [0, 3, 0, 3]
    assert game.table()["deck"] == 30
    moves = 0
    while game.round == 2 and not game.over:
        assert game.to_act in (1, 3)
        game.play(game.legal()[0])
        moves += 1
    assert moves == 36
    while not game.over:
        assert game.playing == [1, 3]
        game.play(game.legal()[0])
    assert len(game.winners) == 1
    assert game.scores()[0] == 9 and game.scores()[2] == 3


def test_shokoba_team_tie_break() -> None:
    """SHO-23, SHO-02: two tied teams play with all four."""
    options = {"players": 4, "first": 3, "teams": True, "nine_cards": True}
    game = Shokoba(options, [], seeded(5))
    game.gems = [12, 12]
    game.hands = [[], [], [], []]
    game.end_round()
    assert (game.round, game.dealer, game.to_act) == (2, 0, 1)
    assert game.table()["hands"] == [9, 9, 9, 9]
    assert game.scores() == [12] * 4
    while not game.over:
        game.play(game.legal()[-1])
    assert game.winners in ([0, 2], [1, 3])


# --- options and deals --------------------------------------------------------------------------


def test_options_and_deals() -> None:
    bad: list[tuple[type[Game], dict[str, Any]]] = [
        (Poison, {"players": 2}),
        (Poison, {"players": 7}),
        (Poison, {"players": 4.0}),
        (Poison, {"players": 4, "first": 4}),
        (Poison, {"players": 4, "open_piles": 1}),
        (Poison, {"players": 4, "target": 11}),
        (Shokoba, {"players": True}),
        (Shokoba, {"players": 5}),
        (Shokoba, {"players": 3, "teams": True}),
        (Shokoba, {"players": 4, "nine_cards": True}),
        (Shokoba, {"players": 4, "target": 12}),
        (Shokoba, {"players": 4, "target": "11"}),
        (Shokoba, {"players": 4, "finish": "later"}),
    ]
    for game, options in bad:
        with pytest.raises(BadOption):
            game({"first": 0, **options}, [], seeded(0))
    with pytest.raises(NoShuffle):
        Poison({"players": 3, "first": 0}, [])
    with pytest.raises(BadDeal, match=r"missing \['B1'\], extra \['R1'\]"):
        Poison({"players": 3, "first": 0}, [["R1", "R1"]], deck=["R1", "B1"])
