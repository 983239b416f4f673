"""The independent referee of Shokoba, checked with the rulebook's examples and chosen positions."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from theriac.games.shokoba.tests.referee import Shokoba, captures, score_round
from theriac.testing.referee import BadOption, Game, Refused, in_given_order, seeded


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


def test_scoring_example() -> None:
    """SHO-20, SHO-19."""
    kim = ["D7"] + ["R1"] * 4 + ["S1"] * 8
    john = ["E7"] * 2 + ["R1"] + ["S1"] * 8
    pat = ["E7"] + ["R1"] * 4 + ["S1"] * 11
    assert score_round([kim, john, pat]) == [1, 1, 2]


@pytest.mark.parametrize("exact_first", [False, True])
def test_french_example(exact_first: bool) -> None:
    """SHO-13: hand 2, 6, 10; table 1, 2, 4, 7, 10."""
    game = two("S1 S9 S9", "S2 S6 S10", "S2 S4 E7 S10", exact_first=exact_first)
    game.play("S1")
    assert game.table()["open"] == ["S2", "S4", "E7", "S10", "S1"]
    choices = ["S10=S1+S2+E7", "S10=S10", "S2=S2", "S6=S2+S4"]
    assert game.legal() == (choices[1:] if exact_first else choices)
    if exact_first:
        assert clause(game, "S10=S1+S2+E7") == "SHO-13"


@pytest.mark.parametrize("exact_first", [False, True])
def test_nine_example(exact_first: bool) -> None:
    """SHO-12, SHO-13: a 9 before 9, 5 and 4."""
    found = captures("S9", ["S9", "S5", "S4"], exact_first)
    assert found == ([["S9"]] if exact_first else [["S9"], ["S4", "S5"]])


def test_identical_cards_and_gems() -> None:
    """SHO-12: equal cards are one choice, another gem is another capture, in the fixed order."""
    found = captures("S5", ["R3", "S2", "S2", "R2", "S3", "S5"], False)
    texts = ["+".join(cards) for cards in found]
    assert texts == ["S5", "S2+S3", "S2+R3", "R2+S3", "R2+R3"]


def test_longest_there_is_taken() -> None:
    """`open`: of identical cards the one longest there is taken."""
    game = two("R9 S1 S9", "S2 S8 S8", "S4 S10 R5 S4")
    game.play("R9=S4+R5")
    assert game.table()["open"] == ["S10", "S4"]


def test_refusals() -> None:
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


def test_claim() -> None:
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


def test_claim_on_last_card_of_round() -> None:
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
def test_claim_reaches_target(finish: str) -> None:
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


def test_left_over_at_the_end() -> None:
    """SHO-17: when the round also ends the game, the cards left are with the last capturer."""
    game = before_last_card("S9=S9")
    game.gems = [10, 10]
    game.play("S8!")
    game.play("pass")
    assert (game.over, game.winners, game.scores()) == (True, [1], [10, 13])
    assert (game.table()["open"], game.table()["captured"]) == ([], [2, 8])
    assert game.table()["shokobas"] == [0, 0]


def test_target_in_mid_round() -> None:
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


def test_claim_before_new_hands() -> None:
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


def test_tie_break() -> None:
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


def test_team_tie_break() -> None:
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


def test_options() -> None:
    bad: list[dict[str, Any]] = [
        {"players": True},
        {"players": 5},
        {"players": 3, "teams": True},
        {"players": 4, "nine_cards": True},
        {"players": 4, "target": 12},
        {"players": 4, "target": "11"},
        {"players": 4, "finish": "later"},
    ]
    for options in bad:
        with pytest.raises(BadOption):
            Shokoba({"first": 0, **options}, [], seeded(0))
