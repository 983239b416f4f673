"""Tests of the Shock! referee: potions, in both editions and both ways, and the soba cards."""

from __future__ import annotations

import pytest

from theriac.games.shock.tests.referee import Anaphylaxis, Shock
from theriac.games.shock.tests.referee_common import Knights, shipped_numbers
from theriac.games.shock.tests.referee_helpers import EDITIONS, clause, fresh, play, table
from theriac.testing.referee import in_given_order

#: Seat 0 leads H10 and wins whatever the others add: no trumps are played.
SAME_TRICK = ["H10 S10", "H7", "C5 | SDC"]
TWO_KINDS = ["H10 S10", "H7", "S7 | SDC", "C5 | SDC"]
TWO_POTIONS = [*TWO_KINDS, "C7 | SDC"]


def calm(cls: type[Knights]) -> str:
    return "J1/1 J1/1 J1/1" if cls is Shock else "J1 J1"


@pytest.mark.parametrize("cls", EDITIONS)
def test_medicine_for_a_poison_of_the_same_trick(cls: type[Knights]) -> None:
    """SHK-23, SHK-24, SHK-26 (Q&A: poison and medicine at the same time): laid, not asked."""
    game = table(cls, SAME_TRICK, "D2", "jellyfish")
    play(game, "H10 H7 C5")
    table_now = game.table()
    assert table_now["front"][0] == ["H7", "C5"] and table_now["covered"][0] == ["H7"]
    assert table_now["middle"] == ["jellyfish"] and table_now["in_round"][0]  # saved


def test_order_in_front_is_the_order_played() -> None:
    """SHK-17: also for a potion played before the poison."""
    game = table(Shock, ["H10", "C5 | SDC", "H7"], "D2", calm(Shock))
    play(game, "H10 C5 H7")
    assert game.front[0] == ["C5", "H7"] and game.covered[0] == ["H7"]


def test_potion_saves_from_a_shock_of_the_same_trick() -> None:
    """SHK-24: with the kind already in the middle."""
    for cls in EDITIONS:
        game = table(cls, ["H10 H9", "H7 H2", "H3 C5 | SDC"], "D2", "jellyfish")
        play(game, "H10 H2 H3")
        play(game, "stop" if cls is Shock else "")
        play(game, "H9 H7 C5")
        assert game.in_round == [True] * 3 and game.covered[0] == ["H7"]


@pytest.mark.parametrize("cls", EDITIONS)
def test_choice_of_two_kinds(cls: type[Knights]) -> None:
    """SHK-25, SHK-26 (Q&A: several at once, the owner chooses, at once), and its refusals."""
    game = table(cls, TWO_KINDS, "D2", "spider")
    play(game, "H10 H7 S7 C5")
    state = game.state()
    assert state["legal"] == ["cure:jellyfish", "cure:spider"]
    assert (state["to_act"], state["table"]["leader"], state["table"]["trick"]) == (0, 0, [])
    assert state["table"]["on_bag"] == [1, 0, 0, 0]
    assert state["table"]["front"][0] == ["H7", "S7", "C5"]
    assert state["table"]["chest_left"] == len(game.chest_cards)
    assert game.seat_state(1)["legal"] == []
    for text in ("cure:bee", "cure:soba", "cure:mint", "cure:"):
        assert clause(game, text) == "SHK-23"
    for text in ("keep", "S10", "w~S10", "~S10", "H2", "nonsense", "cure", "Cure:spider"):
        assert clause(game, text) == "SHK-25"
    for text in ("open", "stop"):
        assert clause(game, text) == game.challenge_clause
    game.play("cure:jellyfish")
    assert game.covered[0] == ["H7"] and not game.in_round[0]  # the spider's second sting
    assert game.on_bag[0] == 0
    game = table(cls, TWO_KINDS, "D2", "spider")
    play(game, "H10 H7 S7 C5 cure:spider")
    assert game.covered[0] == ["S7"] and game.in_round[0]


@pytest.mark.parametrize("cls", EDITIONS)
def test_two_potions_two_kinds_are_asked_once(cls: type[Knights]) -> None:
    """SHK-26: the second is clear."""
    game = table(cls, TWO_POTIONS, "D2", calm(cls))
    play(game, "H10 H7 S7 C5 C7 cure:spider")
    assert game.covered[0] == ["S7", "H7"]
    assert game.phase != "potion"


@pytest.mark.parametrize("potions", ["must", "may"])
def test_a_waiting_potion_is_used_at_once(potions: str) -> None:
    """SHK-25, SHK-26: with one poison it is not asked, not even with "may"."""
    hands = ["H10 C10", "H7 C3", "H2 C5"]
    game = table(Shock, hands, "D2", calm(Shock), potions=potions)
    play(game, "C10 C3 C5")
    assert game.front[0] == ["C5"] and game.phase == "challenge"  # nothing to cover: waits
    play(game, "stop H10 H7 H2")
    assert game.front[0] == ["C5", "H7"] and game.covered[0] == ["H7"]
    assert game.phase == "challenge"


@pytest.mark.parametrize("potions", ["must", "may"])
def test_a_waiting_potion_and_two_kinds(potions: str) -> None:
    """SHK-25: no `keep` while a waiting potion must be used; the owner chooses."""
    hands = ["H10 C10 D5", "H7 C5", "S7 C2 | SDC"]
    game = table(Shock, hands, "D2", calm(Shock), potions=potions)
    play(game, "C10 C5 C2 stop H10 H7 S7")
    assert game.legal() == ["cure:jellyfish", "cure:spider"]
    assert clause(game, "keep") == "SHK-25"
    game.play("cure:jellyfish")
    assert game.phase == "challenge" and game.covered[0] == ["H7"]


def test_waiting_potion_first_then_the_new_one_may_be_kept() -> None:
    """SHK-25: C5 waits; H7, S7 and C7 come: one cure is forced, then cure or keep."""
    hands = ["H10 C10", "H7 C5", "S7 C2 | SDC", "C7 C3 | SDC"]
    game = table(Shock, hands, "D2", calm(Shock), potions="may")
    play(game, "C10 C5 C2 C3 stop H10 H7 S7 C7")
    assert game.legal() == ["cure:jellyfish", "cure:spider"]
    game.play("cure:jellyfish")
    assert game.legal() == ["cure:spider", "keep"]
    assert clause(game, "cure:jellyfish") == "SHK-23"  # covered already
    game.play("keep")
    assert game.phase == "challenge" and game.covered[0] == ["H7"]
    game = table(Shock, hands, "D2", calm(Shock), potions="must")
    play(game, "C10 C5 C2 C3 stop H10 H7 S7 C7 cure:spider")
    assert game.covered[0] == ["S7", "H7"]


def test_may_with_a_single_poison() -> None:
    """SHK-25: asked, cure or keep; kept, it does not help in the challenge."""
    game = table(Shock, SAME_TRICK, "D2", "J1/1 jellyfish", potions="may")
    play(game, "H10 H7 C5")
    assert game.legal() == ["cure:jellyfish", "keep"]
    game.play("keep")
    assert game.legal() == ["open", "stop"] and game.covered[0] == []
    game.play("open")
    assert not game.in_round[0]  # "never in the challenge"
    game = table(Shock, SAME_TRICK, "D2", "J1/1 jellyfish", potions="may")
    play(game, "H10 H7 C5 cure:jellyfish open")
    assert game.in_round[0]


def test_may_two_potions_one_poison_leaves_one_waiting() -> None:
    """SHK-25: after the only poison is covered nothing is asked."""
    game = table(Shock, ["H10", "H7", "C5 | SDC", "C7 | SDC"], "D2", calm(Shock), potions="may")
    play(game, "H10 H7 C5 C7 cure:jellyfish")
    assert game.phase == "challenge" and game.unused_potions(0) == 1


def test_may_two_potions_two_kinds() -> None:
    """SHK-25: with "may" the second is asked about too, and keep ends the laying."""
    game = table(Shock, TWO_POTIONS, "D2", calm(Shock), potions="may")
    play(game, "H10 H7 S7 C5 C7")
    assert game.legal() == ["cure:jellyfish", "cure:spider", "keep"]
    game.play("cure:spider")
    assert game.legal() == ["cure:jellyfish", "keep"]
    game.play("cure:jellyfish")
    assert game.phase == "challenge" and game.covered[0] == ["S7", "H7"]
    game = table(Shock, TWO_POTIONS, "D2", calm(Shock), potions="may")
    play(game, "H10 H7 S7 C5 C7 keep")
    assert game.phase == "challenge" and game.covered[0] == []


def test_a_kept_potion_is_asked_about_again() -> None:
    """SHK-25: not after a trick that brings nothing; after one that brings a potion or poison."""
    hands = ["H10 S10 C10", "H7 S2 C2 D7", "C5 C7 S7 S3 | SDC"]
    first = "H10 H7 C5 keep stop"
    game = table(Shock, hands, "D2", calm(Shock), potions="may")
    play(game, f"{first} S10 S2 S3")
    assert game.phase == "challenge"  # nothing came
    play(game, "stop C10 C2 C7")
    assert game.legal() == ["cure:jellyfish", "keep"]  # a potion came
    game.play("cure:jellyfish")
    assert game.phase == "challenge" and game.unused_potions(0) == 1
    game = table(Shock, hands, "D2", calm(Shock), potions="may")
    play(game, f"{first} S10 S2 S7")
    assert game.legal() == ["cure:jellyfish", "cure:spider"]  # a poison came: must, either one
    game.play("cure:jellyfish")
    assert game.phase == "challenge" and game.covered[0] == ["H7"]


def test_a_potion_never_cancels_the_middle() -> None:
    """SHK-23: a poison in the middle cannot be cured, and does not use up the potion."""
    game = table(Anaphylaxis, ["C10 S10", "C5 S2", "C2 S3"], "D2", "bee bee")
    play(game, "C10 C5 C2")
    assert game.phase == "card" and game.unused_potions(0) == 1 and game.middle == ["bee"]
    play(game, "S10 S2 S3")
    assert game.round == 2 and game.scores() == [0, 0, 0]  # all shocked


def test_face_down_poison_and_potion_count_for_nothing() -> None:
    """SHK-34."""
    game = table(Shock, ["H10", "H7 H3", "C5 H2"], "D2", "jellyfish")
    play(game, "H10 w~H7 H2")
    assert game.front == [[], [], []] and "H7" in game.discards
    assert game.in_round == [True, False, True]


# --- the soba cards -----------------------------------------------------------------------------


def test_two_soba_cards_are_a_shock() -> None:
    """SHK-46; without the option a 9 is a 9."""
    for soba in (False, True):
        game = table(Anaphylaxis, ["H10 S10", "H9 S2", "H2 S9"], "D2", "J1 J1", soba=soba)
        play(game, "H10 H9 H2")
        assert game.front[0] == (["H9"] if soba else [])
        play(game, "S10 S2 S9")
        assert game.front[0] == (["H9", "S9"] if soba else [])
        assert game.in_round[0] is not soba


def test_soba_keeps_its_rank_and_has_no_jewel() -> None:
    """SHK-46: even if the 9 it replaces had one."""
    game = table(Anaphylaxis, ["H8", "H9", "H2"], "D2", "J1", soba=True)
    play(game, "H8 H9 H2")
    assert game.front[1] == ["H9"] and game.on_bag == [0, 1 + 1 + 1, 0]
    deck = [card + "*" if card == "H9" else card for card in shipped_numbers()]
    deck += fresh(Anaphylaxis, 3).chest_cards
    for soba in (False, True):
        options = {"players": 3, "first": 0, "soba": soba}
        made = Anaphylaxis(options, [], in_given_order, deck=deck)
        assert made.shows_jewel("H9") is not soba


def test_a_potion_covers_the_soba_that_came_first() -> None:
    """SHK-26, SHK-46: two soba cards are one choice."""
    hands = ["H10 S10 | HSDC", "H9", "S9 | SDC", "C5 | SDC"]
    game = table(Anaphylaxis, hands, "D2", "J1 J1", soba=True)
    play(game, "H10 H9 S9 C5")
    assert game.phase == "card" and game.covered[0] == ["H9"] and game.in_round[0]


def test_soba_beside_another_kind() -> None:
    """SHK-25, SHK-26, SHK-46: a choice of kinds; the first soba is covered."""
    hands = ["H10 S10", "S9 | SDC", "H7", "H9", "C5 | SDC"]
    game = table(Anaphylaxis, hands, "D2", "J1 J1", soba=True)
    play(game, "H10 S9 H7 H9 C5")
    assert game.legal() == ["cure:jellyfish", "cure:soba"]
    game.play("cure:soba")
    assert game.covered[0] == ["S9"] and game.in_round[0]
    game = table(Anaphylaxis, hands, "D2", "J1 J1", soba=True)
    play(game, "H10 S9 H7 H9 C5 cure:jellyfish")
    assert game.covered[0] == ["H7"] and not game.in_round[0]


def test_two_potions_two_soba_and_another_kind() -> None:
    """SHK-26: kinds are counted again after each cure."""
    hands = ["H10 C10", "S9 C2 | SDC", "H7 C3", "H9 C4", "C7 C5 | SDC"]
    game = table(Anaphylaxis, hands, "D2", "J1 J1", soba=True)
    play(game, "C10 C2 C3 C4 C5 H10 S9 H7 H9 C7")
    assert game.front[0] == ["C5", "S9", "H7", "H9", "C7"]
    game.play("cure:soba")
    assert game.legal() == ["cure:jellyfish", "cure:soba"]  # soba once more
    game.play("cure:soba")
    assert game.covered[0] == ["S9", "H9"] and game.in_round[0]
