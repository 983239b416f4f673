"""Shock!: potions (SHK-23, SHK-24, SHK-25, SHK-26)."""

from __future__ import annotations

from typing import Any

import pytest

from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    own_deck,
    play,
    play_tricks,
    refusal,
    refusing_clause,
    scores,
    shown,
    sit,
    sit_anyhow,
)
from theriac.match import Match

#: Seat 0 leads H10 and wins whatever the others add.
ONE_KIND = ["H10 S10", "H7 S3", "C5 S4 | SDC"]
TWO_KINDS = ["H10 S10", "H7 S3", "S7 | SDC", "C5 | SDC"]
TWO_POTIONS = [*TWO_KINDS, "C7 | SDC"]
#: A potion waits; then H7, S7 and C7 come at once.
WAITING_AND_NEW = ["H10 C10", "H7 C5", "S7 C2 | SDC", "C7 C3 | SDC"]


def asked(match: Match) -> bool:
    """Is a potion choice asked?"""
    return any(move.startswith("cure:") for move in match.legal())


# What a potion does


@pytest.mark.clause("SHK-23", "SHK-24", "SHK-26")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_potion_covers_a_poison_of_the_same_trick(game: str) -> None:
    """The question of the rulebook: poison and medicine at the same time."""
    match = sit(game, ONE_KIND, chest="jellyfish")
    play(match, "H10 H7 C5")
    assert shown(match, "front")[0] == ["H7", "C5"]
    assert shown(match, "covered")[0] == ["H7"]
    assert shown(match, "middle") == ["jellyfish"]
    assert shown(match, "in_round") == [True, True, True]


@pytest.mark.clause("SHK-24")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("order", ["H7 C5", "C5 H7"])
def test_potions_are_laid_before_a_shock_is_looked_for(game: str, order: str) -> None:
    """The jellyfish lies in the middle already; whichever of the two is played first."""
    hands = ["H10 H9", *("H7 H2" if c == "H7" else "H3 C5 | SDC" for c in order.split())]
    match = sit(game, hands, chest="jellyfish")
    play_tricks(match, "H10 H2 H3" if order == "H7 C5" else "H10 H3 H2", f"H9 {order}")
    assert shown(match, "in_round") == [True, True, True]
    assert (shown(match, "front")[0], shown(match, "covered")[0]) == (order.split(), ["H7"])


@pytest.mark.clause("SHK-23")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_potion_cancels_one_poison_and_no_more(game: str) -> None:
    match = sit(game, ["H10 S10", "H7 S3", "C5 S7 | SDC"], chest="bee spider")
    play_tricks(match, "H10 H7 C5")
    play(match, "S10 S3 S7")
    assert shown(match, "covered")[0] == ["H7"]
    assert shown(match, "in_round") == [False, True, True]  # by the spider's second sting


@pytest.mark.clause("SHK-23")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_potion_never_cancels_a_poison_in_the_middle(game: str) -> None:
    match = sit(game, ["C10 S10", "C5 S2", "C2 S3"], chest="bee bee")
    play_tricks(match, "C10 C5 C2")
    assert (shown(match, "front")[0], shown(match, "covered")[0]) == (["C5"], [])
    play(match, "S10 S2 S3")
    assert (match.view()["round"], scores(match)) == (2, [0, 0, 0])


@pytest.mark.clause("SHK-23")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_covered_poison_does_not_count_with_one_in_the_middle(game: str) -> None:
    match = sit(game, ONE_KIND, chest="bee jellyfish")
    play_tricks(match, "H10 H7 C5", "S10 S3 S4")
    assert shown(match, "middle") == ["bee", "jellyfish"]
    assert shown(match, "in_round") == [True, True, True]


@pytest.mark.clause("SHK-23")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_potion_covers_only_poisons_of_its_owner(game: str) -> None:
    """H7 lies in front of seat 0, C5 in front of seat 1."""
    match = sit(game, ["H10 C2", "H7 C10", "H3 C5"])
    play_tricks(match, "H10 H7 H3", "C2 C10 C5")
    assert shown(match, "front") == [["H7"], ["C5"], []]
    assert shown(match, "covered") == [[], [], []]


# A potion that waits


@pytest.mark.clause("SHK-25", "SHK-26")
@pytest.mark.parametrize(("game", "options"), [
    ("shock", {}), ("shock", {"potions": "must"}), ("shock", {"potions": "may"}),
    ("anaphylaxis", {}), ("anaphylaxis", {"potions": "must"}),
])  # fmt: skip
def test_a_waiting_potion_is_used_at_once_when_a_poison_comes(
    game: str, options: dict[str, Any]
) -> None:
    """It does not matter which came first, and with one poison nothing is asked."""
    match = sit(game, ["H10 C10", "H7 C3", "H2 C5"], **options)
    play_tricks(match, "C10 C3 C5")
    assert (shown(match, "front")[0], shown(match, "covered")[0]) == (["C5"], [])
    play(match, "H10 H7 H2")
    assert not asked(match)
    assert (shown(match, "front")[0], shown(match, "covered")[0]) == (["C5", "H7"], ["H7"])


@pytest.mark.clause("SHK-25")
@pytest.mark.parametrize("potions", ["must", "may"])
def test_a_waiting_potion_may_not_be_kept_when_two_kinds_come(potions: str) -> None:
    hands = ["H10 C10 D5", "H7 C5", "S7 C2 | SDC"]
    match = sit("shock", hands, potions=potions)
    play_tricks(match, "C10 C5 C2")
    play(match, "H10 H7 S7")
    assert match.legal() == ["cure:jellyfish", "cure:spider"]
    assert refusal(match, "keep") == "keep: say which poison is to be covered (SHK-25)"
    play(match, "cure:spider")
    assert shown(match, "covered")[0] == ["S7"]
    assert match.legal() == ["open", "stop"]


@pytest.mark.clause("SHK-25")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_potion_that_comes_after_two_poisons_is_used_on_one_of_them(game: str) -> None:
    match = sit(game, ["H10 C10", "H7 C5", "S7 C2 | SDC"])
    play_tricks(match, "H10 H7 S7")
    play(match, "C10 C5 C2")
    assert match.legal() == ["cure:jellyfish", "cure:spider"]


@pytest.mark.clause("SHK-25", "SHK-26")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_potion_that_comes_after_one_poison_is_used_at_once(game: str) -> None:
    match = sit(game, ["H10 C10", "H7 C5", "H2 C2"])
    play_tricks(match, "H10 H7 H2", "C10 C5 C2")
    assert (shown(match, "front")[0], shown(match, "covered")[0]) == (["H7", "C5"], ["H7"])


# The choice


@pytest.mark.clause("SHK-25", "SHK-26", "SHK-24")
@pytest.mark.parametrize("game", EDITIONS)
def test_with_several_poisons_the_owner_chooses_at_once(game: str) -> None:
    """The question of the rulebook: the choice is not put off until one is dying."""
    match = sit(game, TWO_KINDS, chest="spider")
    play(match, "H10 H7 S7 C5")
    view = match.view()
    assert view["legal"] == ["cure:jellyfish", "cure:spider"]
    assert (view["to_act"], view["table"]["leader"], view["table"]["trick"]) == (0, 0, [])
    assert view["table"]["on_bag"] == [1, 0, 0, 0]  # the jewels of the trick are taken
    assert view["table"]["front"][0] == ["H7", "S7", "C5"]
    assert view["table"]["chest_left"] == (24 if game == "shock" else 12)
    assert match.view(1)["legal"] == []


@pytest.mark.clause("SHK-23", "SHK-25")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize(("kind", "card", "still_in"), [
    ("jellyfish", "H7", False), ("spider", "S7", True),
])  # fmt: skip
def test_the_poison_chosen_is_covered(game: str, kind: str, card: str, still_in: bool) -> None:
    match = sit(game, TWO_KINDS, chest="spider")
    play(match, f"H10 H7 S7 C5 cure:{kind}")
    assert shown(match, "covered")[0] == [card]
    assert shown(match, "in_round")[0] is still_in


@pytest.mark.clause("SHK-25")
def test_the_leader_of_the_trick_is_shown_while_another_chooses() -> None:
    match = sit("shock", ["H3", "H10 C10", "C5 | SDC", "H7", "S7 | SDC"])
    play(match, "H3 H10 C5 H7 S7")
    assert (match.to_act, shown(match, "leader")) == (1, 0)


@pytest.mark.clause("SHK-26", "SHK-25")
@pytest.mark.parametrize("game", EDITIONS)
def test_two_potions_and_two_kinds_are_asked_once(game: str) -> None:
    match = sit(game, TWO_POTIONS)
    play(match, "H10 H7 S7 C5 C7 cure:spider")
    assert shown(match, "covered")[0] == ["S7", "H7"]
    assert not asked(match)


@pytest.mark.clause("SHK-25", "SHK-26")
@pytest.mark.parametrize("game", EDITIONS)
def test_two_potions_and_one_poison_leave_one_waiting(game: str) -> None:
    match = sit(game, ["H10 S10", "H7 S3", "C5 S7 | SDC", "C7 S2 | SDC"])
    play_tricks(match, "H10 H7 C5 C7")
    assert shown(match, "covered")[0] == ["H7"]
    play_tricks(match, "S10 S3 S7 S2")
    assert shown(match, "covered")[0] == ["H7", "S7"]


@pytest.mark.clause("SHK-26")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_card_is_asked_for_even_if_it_is_the_only_one(game: str) -> None:
    """Two cards each; seat 0 is out after the first."""
    chest = "J2 J3 J1 jellyfish spider bee"
    deck = own_deck(
        "H2 H3 H4 S2 S3 S4 D2", chest if game == "anaphylaxis" else "J1/0 J1/0 J1/0 bee bee"
    )
    match = sit_anyhow(game, deck=deck)
    play(match, match.legal()[-1])
    while match.to_act != 0:
        match.play(next(move for move in match.legal()[::-1] if move != "open" and "~" not in move))
    assert match.legal() == [f"~{match.view(0)['hand'][0]}"]


# Potions that may be kept


@pytest.mark.clause("SHK-25")
@pytest.mark.parametrize(("move", "covered", "still_in"), [
    ("cure:jellyfish", ["H7"], True), ("keep", [], False),
])  # fmt: skip
def test_a_single_poison_is_asked_about_where_potions_may_be_kept(
    move: str, covered: list[str], still_in: bool
) -> None:
    """A potion that was kept does not help in the challenge."""
    match = sit("shock", ONE_KIND, chest="J1/1 jellyfish", potions="may")
    play(match, "H10 H7 C5")
    assert match.legal() == ["cure:jellyfish", "keep"]
    play(match, move)
    assert shown(match, "covered")[0] == covered
    assert match.legal() == ["open", "stop"]
    play(match, "open")
    assert shown(match, "in_round")[0] is still_in


@pytest.mark.clause("SHK-24", "SHK-25")
def test_a_potion_that_is_kept_does_not_save() -> None:
    hands = ["H10 H9", "H7 H2", "H3 C5 | SDC"]
    match = sit("shock", hands, chest="jellyfish", potions="may")
    play_tricks(match, "H10 H2 H3")
    play(match, "H9 H7 C5")
    assert shown(match, "in_round")[0] is True  # not looked for before the potion is laid
    play(match, "keep")
    assert shown(match, "in_round")[0] is False


@pytest.mark.clause("SHK-25")
def test_nothing_is_asked_where_there_is_no_poison_to_cover() -> None:
    match = sit("shock", ["C10", "C5", "C2"], potions="may")
    play(match, "C10 C5 C2")
    assert match.legal() == ["open", "stop"]


@pytest.mark.clause("SHK-25")
@pytest.mark.parametrize("moves", ["cure:spider cure:jellyfish", "cure:jellyfish keep", "keep"])
def test_each_potion_that_may_be_kept_is_asked_about_until_one_is(moves: str) -> None:
    match = sit("shock", TWO_POTIONS, potions="may")
    play(match, "H10 H7 S7 C5 C7")
    assert match.legal() == ["cure:jellyfish", "cure:spider", "keep"]
    for move in moves.split():
        assert move in match.legal()
        play(match, move)
    assert match.legal() == ["open", "stop"]
    cures = [move for move in moves.split() if move != "keep"]
    assert len(shown(match, "covered")[0]) == len(cures)


@pytest.mark.clause("SHK-25")
def test_potions_already_waiting_must_be_used_before_a_new_one_may_be_kept() -> None:
    match = sit("shock", WAITING_AND_NEW, potions="may")
    play_tricks(match, "C10 C5 C2 C3")
    play(match, "H10 H7 S7 C7")
    assert match.legal() == ["cure:jellyfish", "cure:spider"]
    play(match, "cure:jellyfish")
    assert match.legal() == ["cure:spider", "keep"]
    assert refusing_clause(match, "cure:jellyfish") == "SHK-23"  # it is covered
    play(match, "keep")
    assert (shown(match, "covered")[0], match.legal()) == (["H7"], ["open", "stop"])


@pytest.mark.clause("SHK-25", "SHK-26")
def test_where_potions_must_be_used_the_waiting_and_the_new_one_are() -> None:
    match = sit("shock", WAITING_AND_NEW, potions="must")
    play_tricks(match, "C10 C5 C2 C3")
    play(match, "H10 H7 S7 C7 cure:spider")
    assert (shown(match, "covered")[0], match.legal()) == (["S7", "H7"], ["open", "stop"])


@pytest.mark.clause("SHK-25")
def test_a_kept_potion_is_not_asked_about_after_a_trick_that_brings_nothing() -> None:
    hands = ["H10 S10 C10", "H7 S2 C2 D7", "C5 C7 S7 S3 | SDC"]
    match = sit("shock", hands, potions="may")
    play_tricks(match, "H10 H7 C5 keep")
    play(match, "S10 S2 S3")
    assert match.legal() == ["open", "stop"]
    play(match, "stop C10 C2 C7")  # a potion comes
    assert match.legal() == ["cure:jellyfish", "keep"]
    play(match, "cure:jellyfish")
    assert match.legal() == ["open", "stop"]


@pytest.mark.clause("SHK-25")
def test_a_kept_potion_must_be_used_when_the_next_poison_comes() -> None:
    hands = ["H10 S10 C10", "H7 S2 C2 D7", "C5 C7 S7 S3 | SDC"]
    match = sit("shock", hands, potions="may")
    play_tricks(match, "H10 H7 C5 keep")
    play(match, "S10 S2 S7")
    assert match.legal() == ["cure:jellyfish", "cure:spider"]
    play(match, "cure:jellyfish")
    assert (shown(match, "covered")[0], match.legal()) == (["H7"], ["open", "stop"])


@pytest.mark.clause("SHK-25")
def test_kept_potions_are_not_asked_about_when_another_wins_the_trick() -> None:
    """Seat 0 keeps C5; seat 1 wins S7 with C7 and is asked about its own."""
    hands = ["H10 S3", "H7 S10", "C5 S7 | SDC", "H2 C7 | CDH"]
    match = sit("shock", hands, potions="may")
    play_tricks(match, "H10 H7 C5 H2 keep")
    play(match, "w~S3 S10 S7 C7")
    assert (match.to_act, match.legal()) == (1, ["cure:spider", "keep"])
    play(match, "keep")
    assert shown(match, "covered") == [[], [], [], []]
