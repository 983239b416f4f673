"""Shock!: the chest challenge, and the doors of the original.

SHK-27, SHK-28, SHK-29, SHK-30, SHK-31, SHK-32.
"""

from __future__ import annotations

import pytest

from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    all_withdraw,
    last_round,
    play,
    play_tricks,
    refusal,
    scores,
    shown,
    sit,
)

FIRST_TRICK = ["H10 S4", "H2 S3", "H3 S8", "H5 S10"]

# The challenge


@pytest.mark.clause("SHK-27", "SHK-28")
def test_the_first_chest_card_is_revealed_unasked_and_up_to_two_more_may_be() -> None:
    match = sit("shock", FIRST_TRICK, chest="J2/1 J1/1 J3/0 J4/1")
    play(match, "H10 H2 H3 H5")
    assert (match.to_act, match.legal()) == (0, ["open", "stop"])
    assert (shown(match, "on_bag"), shown(match, "chest_left")) == ([2 + 2, 1, 1, 1], 23)
    play(match, "open")
    assert (match.to_act, match.legal()) == (0, ["open", "stop"])
    assert (shown(match, "on_bag"), shown(match, "chest_left")) == ([5, 2, 2, 2], 22)
    play(match, "open")  # after the third the challenge is over without stop
    assert (match.to_act, len(match.legal())) == (0, 16)
    assert (shown(match, "on_bag"), shown(match, "chest_left")) == ([8, 2, 2, 2], 21)


@pytest.mark.clause("SHK-27")
@pytest.mark.parametrize("opened", [0, 1])
def test_stop_ends_the_challenge(opened: int) -> None:
    match = sit("shock", FIRST_TRICK)
    play(match, "H10 H2 H3 H5" + opened * " open" + " stop")
    assert shown(match, "chest_left") == 23 - opened
    assert (match.to_act, shown(match, "leader")) == (0, 0)
    assert "open" not in match.legal()


@pytest.mark.clause("SHK-27")
def test_the_winner_is_asked_and_the_leader_stays_shown() -> None:
    match = sit("shock", ["H3", "H2", "H10"], first=1)
    play(match, "H2 H10 H3")
    assert (match.to_act, shown(match, "leader"), shown(match, "trick")) == (2, 1, [])
    assert [match.view(seat)["legal"] for seat in range(3)] == [[], [], ["open", "stop"]]
    play(match, "stop")
    assert (match.to_act, shown(match, "leader")) == (2, 2)


@pytest.mark.clause("SHK-27")
def test_each_trick_has_its_own_challenge() -> None:
    match = sit("shock", FIRST_TRICK, chest="J2/0 J2/0 J2/0 J3/0")
    play(match, "H10 H2 H3 H5 open open S4 S3 S8 S10")
    assert (match.to_act, match.legal()) == (3, ["open", "stop"])
    assert shown(match, "chest_left") == 20


@pytest.mark.clause("SHK-27", "SHK-24")
def test_a_winner_who_is_out_has_no_challenge() -> None:
    match = sit("shock", ["H10 H6", "H2 H7", "H3 H4"], chest="jellyfish J4/1")
    play_tricks(match, "H10 H2 H3")
    play(match, "H6 H7 H4")
    assert (match.to_act, shown(match, "chest_left")) == (2, 23)
    assert "open" not in match.legal()


@pytest.mark.clause("SHK-28")
def test_a_jewel_card_brings_the_revealer_the_large_and_all_others_in_the_small_jewels() -> None:
    match = sit("shock", ["H9", "H3", "H5", "S3", "H1"], chest="J1/1 J4/1 J3/1")
    play(match, "H9 H3 H5 w~S3 H1")
    assert shown(match, "on_bag") == [1 + 1, 1, 1, 0, 1]
    play(match, "open open")
    assert shown(match, "on_bag") == [2 + 4 + 3, 3, 3, 0, 3]
    assert shown(match, "middle") == []


@pytest.mark.clause("SHK-28", "SHK-47", "SHK-39")
def test_a_jewel_card_is_discarded_until_the_next_round() -> None:
    match = sit("shock", FIRST_TRICK, chest="J4/1 J4/1 J1/1")
    play(match, "H10 H2 H3 H5 open open")
    for seat in (None, 0, 1):
        assert "J4/1" not in str(match.view(seat))
    all_withdraw(match)
    assert match.dealt[3].count("J4/1") == 2
    assert shown(match, "chest_left") == 24


@pytest.mark.clause("SHK-29", "SHK-19")
def test_a_poison_card_brings_the_revealer_a_jewel_and_stays_in_the_middle() -> None:
    match = sit("shock", ["H9", "H3", "H5"], chest="bee spider jellyfish")
    play(match, "H9 H3 H5")
    assert (shown(match, "on_bag"), shown(match, "middle")) == ([1, 0, 0], ["bee"])
    play(match, "open")
    assert (shown(match, "on_bag"), shown(match, "middle")) == ([2, 0, 0], ["bee", "spider"])
    play(match, "open")
    assert shown(match, "on_bag") == [3, 0, 0]
    assert shown(match, "middle") == ["bee", "spider", "jellyfish"]
    assert shown(match, "in_round") == [True, True, True]


@pytest.mark.clause("SHK-29", "SHK-20")
def test_the_jewel_of_a_poison_card_is_lost_with_the_rest_in_a_shock() -> None:
    """The revealer gets it first; then everybody is poisoned."""
    match = sit("shock", ["H10 S4", "H7 S3", "H3 S8"], chest="J4/1 jellyfish")
    play(match, "H10 H7 H3 open")
    assert shown(match, "on_bag") == [0, 1, 1]


@pytest.mark.clause("SHK-30", "SHK-18")
def test_a_shock_of_the_revealer_ends_the_challenge() -> None:
    match = sit("shock", ["H10 S4", "H7 S3", "H3 S8"], chest="jellyfish")
    play(match, "H10 H7 H3")
    assert shown(match, "in_round") == [False, True, True]
    assert (match.to_act, shown(match, "leader")) == (1, 1)
    assert "open" not in match.legal()
    assert shown(match, "chest_left") == 23


@pytest.mark.clause("SHK-30", "SHK-27")
def test_a_shock_of_another_does_not_end_the_challenge() -> None:
    """Seat 1 has H7 in front when seat 2 reveals the jellyfish."""
    hands = ["H3 S4", "H10 S3", "H7 S10"]
    match = sit("shock", hands, chest="J2/0 jellyfish J3/1")
    play(match, "H3 H10 H7 stop S3 S10 S4")
    assert shown(match, "in_round") == [True, False, True]
    assert (match.to_act, match.legal()) == (2, ["open", "stop"])
    play(match, "open")
    assert shown(match, "on_bag") == [1, 0, 2 + 1 + 3]


@pytest.mark.clause("SHK-31", "SHK-21")
def test_at_least_two_chest_cards_are_always_left() -> None:
    """The longest way: all 18 jewel cards, three different poisons, and one more."""
    jewels = 3 * "J1/1 " + 3 * "J2/0 " + 4 * "J2/1 " + 3 * "J3/0 " + 3 * "J3/1 " + 2 * "J4/1 "
    hands = [" ".join(f"{suit}{rank}" for rank in (2, 3, 4, 5, 6, 8, 9, 10)) for suit in "HSD"]
    match = last_round("shock", hands, "C2", jewels + "bee spider jellyfish bee")
    for rank in (2, 3, 4, 5, 6, 8, 9):
        play(match, f"H{rank} S{rank} D{rank} open open")
    assert shown(match, "chest_left") == 3
    assert shown(match, "in_round") == [True, True, True]
    play(match, "H10 S10 D10")
    assert (match.over, shown(match, "chest_left")) == (True, 2)
    assert (shown(match, "in_round"), scores(match)) == ([False, False, False], [0, 0, 0])


@pytest.mark.clause("SHK-27")
def test_any_other_answer_in_a_challenge_is_refused() -> None:
    match = sit("shock", FIRST_TRICK)
    play(match, "H10 H2 H3 H5")
    for move in ("S4", "w~S4", "~S4", "keep", "cure:bee", "nonsense", "", "Open", "stop "):
        said = refusal(match, move)
        assert said.endswith(": open another chest card, or stop (SHK-27)")


# The doors


@pytest.mark.clause("SHK-32", "SHK-05")
def test_after_every_trick_one_door_is_revealed_and_nothing_is_asked() -> None:
    match = sit("anaphylaxis", ["H10 S4", "H2 S3", "H3 S8"], chest="J3 J1")
    play(match, "H10 H2 H3")
    assert (shown(match, "on_bag"), shown(match, "chest_left")) == ([2 + 3, 0, 0], 11)
    assert (match.to_act, len(match.legal())) == (0, 16)
    play(match, "S4 S3 S8")
    assert (shown(match, "on_bag"), shown(match, "chest_left")) == ([5, 0, 2 + 1], 10)


@pytest.mark.clause("SHK-32", "SHK-29")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_poison_brings_a_jewel_first_and_then_poisons_all(game: str) -> None:
    match = sit(game, ["H9 S4", "H3 S3", "H5 S8"], chest="bee bee")
    play_tricks(match, "H9 H3 H5")
    assert (shown(match, "on_bag"), shown(match, "middle")) == ([1, 0, 0], ["bee"])
    play(match, "S4 S3 S8")
    assert (match.view()["round"], scores(match)) == (2, [0, 0, 0])


@pytest.mark.clause("SHK-32")
def test_a_door_is_revealed_even_if_the_winner_is_out_and_poisons_the_others() -> None:
    hands = ["H10 H9 S10", "H7 H4 S3", "H2 H3 S7"]
    match = sit("anaphylaxis", hands, chest="jellyfish spider")
    play(match, "H10 H4 H2 H9 H7 H3")
    assert shown(match, "in_round") == [False, True, True]
    assert shown(match, "on_bag") == [0, 0, 0]  # the winner is out: the jewel is nobody's
    assert shown(match, "middle") == ["jellyfish", "spider"]
    assert shown(match, "chest_left") == 10


@pytest.mark.clause("SHK-32", "SHK-38")
def test_a_door_is_revealed_even_if_nobody_is_in() -> None:
    """In the last round the table stays as it lay, so that the door can be seen."""
    match = last_round("anaphylaxis", ["H10 H7", "H4 S3", "H2 S2"], chest="jellyfish J3")
    play(match, "H10 H4 H2 H7 w~S3 w~S2")
    assert (match.over, shown(match, "in_round")) == (True, [False, False, False])
    assert (shown(match, "chest_left"), scores(match)) == (9, [0, 0, 0])


@pytest.mark.clause("SHK-32", "SHK-38")
def test_the_last_trick_of_the_round_has_its_door_too() -> None:
    hands = [" ".join(f"{suit}{rank}" for rank in (2, 3, 4, 5, 6, 8, 9, 10, 7)) for suit in "HSD"]
    doors = "J1 J1 J2 J2 J3 J3 spider jellyfish"
    match = last_round("anaphylaxis", hands, "C2", f"{doors} bee")
    for rank in (2, 3, 4, 5, 6, 8, 9, 10):
        play(match, f"H{rank} S{rank} D{rank}")
    assert (shown(match, "chest_left"), shown(match, "in_round")) == (3, [True, True, True])
    before = shown(match, "on_bag")[0]
    play(match, "H7 S7 D7")  # three sevens, with jellyfish and spider in the middle already
    assert (match.over, shown(match, "chest_left")) == (True, 2)
    assert (before > 0, scores(match)) == (True, [0, 0, 0])


@pytest.mark.clause("SHK-32", "SHK-36")
def test_no_door_is_revealed_after_a_trick_without_a_winner() -> None:
    match = last_round("anaphylaxis")
    all_withdraw(match)
    assert (match.over, shown(match, "chest_left")) == (True, 11)


@pytest.mark.clause("SHK-32")
@pytest.mark.parametrize("move", ["open", "stop"])
def test_doors_are_not_asked_about(move: str) -> None:
    match = sit("anaphylaxis", ["H10 S4", "H2 S3", "H3 S8"])
    assert refusal(match, move).endswith("(SHK-32)")
    play(match, "H10 H2 H3")
    assert refusal(match, move).endswith("(SHK-32)")
