"""Tests of the Shock! referee: the parts, a trick, poison, potions, the chest and the door."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from theriac.games.shock.tests.referee import Anaphylaxis, Shock
from theriac.games.shock.tests.referee_common import Knights
from theriac.games.shock.tests.referee_helpers import (
    EDITIONS,
    all_withdraw,
    any_card,
    clause,
    deals,
    fresh,
    play,
    table,
)
from theriac.testing.referee import BadDeal, BadOption, NoShuffle, in_given_order

# --- parts and setting up -----------------------------------------------------------------------


def test_parts() -> None:
    """SHK-01, SHK-03, SHK-04, SHK-05."""
    shock, original = fresh(Shock, 5), fresh(Anaphylaxis, 5)
    for game in (shock, original):
        assert len(game.numbers) == len(set(game.numbers)) == 44
        assert sorted(game.jewelled) == sorted(f"{s}{r}" for s in "HSDC" for r in (2, 4, 6, 8, 10))
    assert len(shock.chest_cards) == 24
    jewels = Counter(card for card in shock.chest_cards if card[0] == "J")
    assert jewels == {"J1/1": 3, "J2/0": 3, "J2/1": 4, "J3/0": 3, "J3/1": 3, "J4/1": 2}
    assert sum(jewels.values()) == 18
    doors = ["J1", "J2", "J3", "jellyfish", "spider", "bee"]
    assert Counter(original.chest_cards) == Counter(doors * 2)


@pytest.mark.parametrize("cls", EDITIONS)
@pytest.mark.parametrize(
    ("players", "size", "left", "gone"), [(3, 9, 8, [1, 11]), (4, 9, 3, [11]), (5, 8, 3, [])]
)
def test_setting_up(
    cls: type[Knights], players: int, size: int, left: int, gone: list[int]
) -> None:
    """SHK-07, SHK-08, SHK-09: which ranks are out, hands of 9, 9, 8, and the turned-up trump."""
    game = cls({"players": players, "first": 2}, [], in_given_order)
    ranks = [r for r in range(1, 12) if r not in gone]
    assert game.numbers == [f"{s}{r}" for s in "HSDC" for r in ranks]
    assert [game.hands[2][0], game.hands[3 % players][0]] == game.numbers[:2]
    assert game.trump == game.numbers[size * players]
    assert game.number_pile == game.numbers[size * players + 1 :]
    assert len(game.number_pile) == left
    state = game.state()
    assert (state["to_act"], state["round"], state["winners"]) == (2, 1, [])
    assert state["scores"] == [0] * players
    assert state["table"] == {
        "trump": game.trump,
        "leader": 2,
        "trick": [],
        "in_round": [True] * players,
        "on_bag": [0] * players,
        "front": [[]] * players,
        "covered": [[]] * players,
        "middle": [],
        "hands": [size] * players,
        "chest_left": 24 if cls is Shock else 12,
    }
    hand = game.hands[2]
    assert state["legal"] == sorted(hand + [f"w~{card}" for card in hand])


def test_options() -> None:
    """Options of the other edition are refused even at their default, except potions: must."""
    assert fresh(Anaphylaxis, 3, potions="must").options["potions"] == "must"
    fresh(Shock, 3, potions="may", simplified=True, open_bags=True)
    fresh(Anaphylaxis, 3, soba=True, open_bags=True)
    bad: list[tuple[type[Knights], dict[str, Any], str | None]] = [
        (Shock, {"soba": False}, "SHK-46"),
        (Anaphylaxis, {"simplified": False}, "SHK-41"),
        (Anaphylaxis, {"potions": "may"}, "SHK-25"),
        (Shock, {"potions": "never"}, "SHK-25"),
        (Shock, {"potions": True}, None),
        (Shock, {"simplified": 0}, None),
        (Shock, {"players": 6}, "SHK-07"),
        (Shock, {"players": 2}, "SHK-07"),
        (Shock, {"first": 3}, None),
        (Shock, {"finish": "at_once"}, None),
    ]
    for cls, options, why in bad:
        with pytest.raises(BadOption) as caught:
            cls({"players": 3, "first": 0, **options}, [], in_given_order)
        assert caught.value.clause == why


def test_shuffles_are_asked_for_at_their_moment() -> None:
    """SHK-47: numbers, then the chest, both when the round begins."""
    numbers, chest = deals(Shock, ["", "", ""], "D2", "")
    for bad in ([numbers[1:], chest], [numbers, chest[1:]], [chest, numbers]):
        with pytest.raises(BadDeal):
            Shock({"players": 3, "first": 0}, bad)
    with pytest.raises(NoShuffle):
        Shock({"players": 3, "first": 0}, [numbers])
    assert Shock({"players": 3, "first": 0}, [numbers, chest]).draws == [28, 0]


# --- a trick ------------------------------------------------------------------------------------


def test_a_trick_and_its_challenge() -> None:
    """SHK-12, SHK-13, SHK-14, SHK-15, SHK-16, SHK-17, SHK-18, SHK-27, SHK-28."""
    hands = ["H10 S4", "H7 C8", "H2 C3"]
    game = table(Shock, hands, "D2", "J2/1 J1/1 J3/0 J4/1")
    game.play("H10")
    assert game.table()["trick"] == [{"seat": 0, "card": "H10", "jewels": 1}]
    assert (game.to_act, game.leader) == (1, 0)
    assert clause(game, "C8") == "SHK-13"
    assert "w~C8" in game.legal() and "~C8" not in game.legal()
    play(game, "H7 H2")
    state = game.state()
    assert (state["to_act"], state["legal"]) == (0, ["open", "stop"])
    assert state["table"]["leader"] == 0 and state["table"]["trick"] == []
    assert state["table"]["on_bag"] == [2 + 2, 1, 1]
    assert state["table"]["front"] == [["H7"], [], []]
    assert game.discards == ["H10", "H2"]
    game.play("open")
    assert (game.on_bag, game.legal()) == ([5, 2, 2], ["open", "stop"])
    game.play("open")  # the third: over without stop
    assert (game.on_bag, game.to_act, game.phase) == ([8, 2, 2], 0, "card")
    assert game.table()["chest_left"] == 21
    assert game.chest_discards == ["J2/1", "J1/1", "J3/0"]


def test_stop_after_the_first_card() -> None:
    """SHK-27."""
    game = table(Shock, ["H3", "H10", "H2"], "D2", "J2/1")
    play(game, "H3 H10 H2")
    assert (game.leader, game.to_act) == (0, 1)  # still the leader of the trick just played
    game.play("stop")
    assert (game.leader, game.to_act, game.on_bag) == (1, 1, [1, 4, 1])


@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        ("D2", "H3 H10 H9", 1),  # the highest of the lead suit
        ("D2", "H3 S10 H2", 0),  # another suit wins nothing
        ("S3", "H10 S2 H9", 1),  # a trump beats it
        ("S3", "H10 S2 S4", 2),  # the highest trump
        ("S3", "S4 S9 H10", 1),
        ("D2", "H3 H9 H10", 2),  # ten is above nine
    ],
)
def test_who_wins(trump: str, cards: str, winner: int) -> None:
    """SHK-15."""
    hands = [card if card[0] == cards[0] else f"{card} | {card[0]}DC" for card in cards.split()]
    hands[0] += " | HSDC"
    game = table(Anaphylaxis, hands, trump, "J1")
    play(game, cards)
    assert (game.leader, game.on_bag[winner] > 0) == (winner, True)


def test_card_refusals() -> None:
    """SHK-12, SHK-33, SHK-34, SHK-27, SHK-32, SHK-25 in a trick."""
    for cls, out_of_place in ((Shock, "SHK-27"), (Anaphylaxis, "SHK-32")):
        game = table(cls, ["H10 S4", "H7 C8", "H2 C3"], "D2", "J2/1" if cls is Shock else "J1")
        for text in ("H7", "~H7", "w~H7", "", "h10", " H10", "H10 ", "H010", "W~H10", "w~", "~",
                     "H11", "wH10", "~w~H10", "w~~H10", "cure", "pass", "D2"):  # fmt: skip
            assert clause(game, text) == "SHK-12", text
        assert clause(game, "~H10") == "SHK-33"
        for text in ("open", "stop"):
            assert clause(game, text) == out_of_place
        for text in ("keep", "cure:bee", "cure:", "cure:mint"):
            assert clause(game, text) == "SHK-25"
        play(game, "w~H10 H7 H2")
        if cls is Shock:
            assert clause(game, "H4") == clause(game, "keep") == clause(game, "cure:jellyfish")
            assert clause(game, "nonsense") == "SHK-27"
            game.play("stop")
        play(game, any_card(game))
        game.play(game.legal()[0])
        assert game.to_act == 0 and not game.in_round[0]
        assert game.legal() == sorted(f"~{card}" for card in game.hands[0])
        assert clause(game, "S4") == "SHK-34"
        assert clause(game, "w~S4") == "SHK-33"
        assert clause(game, "H10") == clause(game, "w~H10") == "SHK-12"


def test_face_down_cards() -> None:
    """SHK-14, SHK-16, SHK-33, SHK-34: 1 jewel each, with three players 2, whatever they show."""
    for players, jewels in ((3, 2), (4, 1), (5, 1)):
        game = table(Shock, ["H7", "H10", "H2", "H4", "H6"][:players], "D2", "J2/0")
        play(game, "H7 w~H10 H2")
        if players > 3:
            game.play("w~H4")
        trick = [{"seat": p.seat, "card": p.card, "jewels": p.jewels} for p in game.trick]
        if players == 3:
            assert not trick and game.on_bag == [jewels + 1 + 2, 0, 0]  # H7 wins: H10 lies hidden
            continue
        hidden: dict[str, Any] = {"seat": 1, "card": None, "jewels": jewels}
        if players == 4:
            assert not trick and game.on_bag == [2 * jewels + 1 + 2, 0, 0, 0]
        else:
            assert game.table()["trick"][1] == hidden
            assert game.seat_state(1)["table"]["trick"][1] == hidden  # in every view


# --- poison and shock ---------------------------------------------------------------------------


def test_first_card_of_a_kind_shocks_the_one_with_the_seven() -> None:
    """A shocked winner; the next seat leads.

    SHK-18, SHK-19, SHK-20, SHK-21, SHK-22, SHK-29, SHK-30.
    """
    game = table(Shock, ["H10 S4", "H7 C8", "H2 C3"], "D2", "J2/1 jellyfish J1/1")
    play(game, "H10 H7 H2 open")
    state = game.state()["table"]
    assert state["in_round"] == [False, True, True]
    assert state["on_bag"] == [0, 1, 1]
    assert state["middle"] == ["jellyfish"]
    assert state["front"] == [["H7"], [], []]  # SHK-22: stays
    assert (game.to_act, state["leader"], state["chest_left"]) == (1, 1, 22)
    play(game, "C8 C3")
    assert game.to_act == 0 and all(text.startswith("~") for text in game.legal())  # SHK-18
    game.play("~S4")
    # SHK-22: the one who is out gets nothing of J1/1; seat 1 has 1 + (C8, ~S4) 3 + 1.
    assert game.on_bag == [0, 5, 2]
    assert game.scores() == [0, 0, 0]


def test_second_card_of_a_kind_shocks_everybody() -> None:
    """SHK-20, SHK-21, SHK-30, SHK-38, SHK-42: bags are untouched; the shocked winner leads."""
    game = table(Shock, ["H3 S5", "H4 S4", "H10 S3", "H2 S2"], "D2", "J2/1 bee bee")
    play(game, "H3 H4 H10 H2 stop S3 w~S2")
    assert game.scores() == [0, 0, 0, 1]
    play(game, "S5 S4")
    assert (game.to_act, game.leader) == (0, 2) and game.middle == ["bee"]
    assert game.on_bag == [1 + 2 + 1, 1, 3 + 2, 0]
    game.play("open")
    assert (game.round, game.scores(), game.leader, game.to_act) == (2, [0, 0, 0, 1], 0, 0)
    assert game.in_round == [True] * 4 and game.on_bag == [0] * 4  # SHK-39
    assert game.table()["chest_left"] == 24 and game.front == [[], [], [], []]


def test_poison_of_the_trick_meets_the_middle() -> None:
    """SHK-19, SHK-24, SHK-27: shocked by the trick itself, so no challenge."""
    hands = ["H10 S4", "H2 S3", "H3 S2"]
    game = table(Shock, [hands[0] + " H6", hands[1] + " H7", hands[2] + " H4"], "D2", "jellyfish")
    play(game, "H10 H2 H3 stop H6")
    assert (game.to_act, game.on_bag) == (1, [2 + 1, 0, 0])
    play(game, "H7 H4")
    # H7 is the highest: seat 1 takes it, and with the jellyfish in the middle is out.
    assert game.in_round == [True, False, True]
    assert game.on_bag == [3, 0, 0]
    assert (game.to_act, game.leader, game.table()["chest_left"]) == (2, 2, 23)
    assert game.front == [[], ["H7"], []]


# --- the door -----------------------------------------------------------------------------------


def test_doors() -> None:
    """SHK-05, SHK-32: one door per trick, its jewels for the winner still in, then its poison."""
    hands = ["H10 S4 S6", "H7 S3 S2", "H2 S5 S10"]
    game = table(Anaphylaxis, hands, "D2", "J3 jellyfish J2 J1")
    play(game, "H10 H7 H2")
    assert (game.on_bag, game.to_act) == ([2 + 3, 0, 0], 0)
    assert game.chest_discards == ["J3"]
    play(game, "S6 S3 S5")  # a jellyfish: seat 0, who has H7, gets the jewel and loses all
    assert (game.in_round, game.on_bag, game.middle) == (
        [False, True, True],
        [0] * 3,
        ["jellyfish"],
    )
    assert (game.to_act, game.leader, game.table()["chest_left"]) == (1, 1, 10)
    play(game, "S2 S10 ~S4")
    assert game.on_bag == [0, 0, 1 + 1 + 2 + 2]


def test_door_after_a_shocked_winner() -> None:
    """SHK-32: the winner is out, gets nothing, and the door still poisons the others."""
    hands = ["H10 H9", "H7 S7 H4", "H2 H6 H3"]
    game = table(Anaphylaxis, hands, "D2", "jellyfish spider")
    play(game, "H10 H4 H2")
    assert game.on_bag == [3 + 1, 0, 0]
    play(game, "H9 H7 H3")
    assert (game.in_round, game.on_bag) == ([False, True, True], [0, 0, 0])
    assert game.middle == ["jellyfish", "spider"]
    assert game.table()["chest_left"] == 10


def test_door_when_nobody_is_in() -> None:
    """SHK-32, SHK-37, SHK-38: the only one left in is shocked by the trick; a door is revealed."""
    game = table(Anaphylaxis, ["H10 H7", "H4 S3", "H2 S2"], "D2", "jellyfish J3")
    play(game, "H10 H4 H2 H7 w~S3 w~S2")
    assert (game.round, game.scores()) == (2, [0, 0, 0])
    assert game.draws[1] == 2  # the doors of round 1
    assert game.leader == 0  # SHK-43: nobody is in; the winner of the last trick


def test_door_when_one_is_left() -> None:
    """SHK-37, SHK-38, SHK-43: the winner, alone, gets trick and door, then stores them."""
    game = table(Anaphylaxis, ["H10", "H7 S3", "H2 S2"], "D2", "J3")
    play(game, "H10 w~S3 w~S2")
    assert (game.round, game.scores(), game.leader) == (2, [1 + 2 + 2 + 3, 0, 0], 0)


# --- options and views --------------------------------------------------------------------------


def test_what_a_seat_sees() -> None:
    """SHK-10: the inside of a bag is its owner's to know, until the end."""
    for open_bags in (False, True):
        game = table(Shock, ["H10", "H3", "H2", "H4"], "D2", "J2/1", open_bags=open_bags)
        play(game, "H10 H3 H2 H4 stop")
        game.play(any_card(game, "w~"))
        assert game.scores() == [5, 0, 0, 0]
        for seat in range(4):
            view = game.seat_state(seat)
            assert view["hand"] == sorted(game.hands[seat])
            assert view["legal"] == (game.legal() if seat == 1 else [])
            shown = [value if s == seat else None for s, value in enumerate(game.scores())]
            assert view["scores"] == (game.scores() if open_bags else shown)
            assert view["table"] == game.state()["table"]
        for _ in range(5):
            all_withdraw(game)
        assert game.over and game.seat_state(1)["scores"] == [5, 1, 1, 1]


def test_after_the_end() -> None:
    """SHK-10, SHK-45: five rounds, ties share, the table stays as it lay."""
    for cls in EDITIONS:
        game = table(cls, ["H10", "H3", "H2"], "D2", "")
        for number in range(1, 6):
            assert game.round == number
            all_withdraw(game)
        state = game.state()
        assert (state["over"], state["to_act"], state["round"]) == (True, None, 5)
        assert (state["winners"], state["scores"], state["legal"]) == ([0, 1, 2], [0, 0, 0], [])
        assert state["table"]["leader"] is None and state["table"]["trick"] == []
        assert state["table"]["on_bag"] == [0, 0, 0]
        assert state["table"]["in_round"] == [False] * 3 and state["table"]["hands"] == [8] * 3
        assert clause(game, "H10") == clause(game, "open") == clause(game, "") == "SHK-45"
