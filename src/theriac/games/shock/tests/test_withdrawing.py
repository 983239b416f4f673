"""Shock!: withdrawing, and playing face down (SHK-33 to SHK-37)."""

from __future__ import annotations

import pytest

from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    all_withdraw,
    hands_held,
    last_round,
    play,
    play_tricks,
    refusal,
    refusing_clause,
    scores,
    shown,
    sit,
)

# Withdrawing


@pytest.mark.clause("SHK-33", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_who_withdraws_stores_the_jewels_is_out_and_plays_face_down(game: str) -> None:
    table = sit(game, ["H10 S10", "H4 S3", "H3 S4"])
    play_tricks(table, "H10 H4 H3")
    assert shown(table, "on_bag") == [4, 0, 0]
    play(table, "w~S10")
    assert (scores(table), shown(table, "on_bag")) == ([4, 0, 0], [0, 0, 0])
    assert shown(table, "in_round") == [False, True, True]
    assert shown(table, "trick") == [{"seat": 0, "card": None, "jewels": 2}]
    assert shown(table, "hands") == [7, 8, 8]


@pytest.mark.clause("SHK-33")
@pytest.mark.parametrize("game", EDITIONS)
def test_one_may_withdraw_with_any_card_following_or_not(game: str) -> None:
    table = sit(game, ["H10", "H4 S3 D3", "H3"])
    play(table, "H10")
    hand = table.view(1)["hand"]
    assert [move for move in table.legal() if "~" in move] == [f"w~{card}" for card in hand]
    play(table, "w~D3")
    assert "D3" not in table.view(1)["hand"]


@pytest.mark.clause("SHK-33")
@pytest.mark.parametrize("game", EDITIONS)
def test_nobody_who_is_in_plays_face_down_without_withdrawing(game: str) -> None:
    table = sit(game, ["H10", "H4 S3", "H3"])
    assert refusal(table, "~H10") == "~H10: to withdraw, play w~H10 (SHK-33)"
    play(table, "H10")
    assert refusal(table, "~S3") == "~S3: to withdraw, play w~S3 (SHK-33)"


@pytest.mark.clause("SHK-33", "SHK-20")
@pytest.mark.parametrize("game", EDITIONS)
def test_what_was_stored_is_safe_from_a_later_shock(game: str) -> None:
    """Seat 1 leaves with H7 in front; two jellyfish come."""
    calm = "J2/0" if game == "shock" else "J2"
    hands = ["H3 S3 C3", "H10 S10 C4", "H7 S4 C10"]
    table = sit(game, hands, chest=f"{calm} jellyfish jellyfish")
    play_tricks(table, "H3 H10 H7", "w~S10 S4 S3", "C10 C3 ~C4")
    assert (table.view()["round"], scores(table)) == (2, [0, 3, 0])


# Who is out


@pytest.mark.clause("SHK-34", "SHK-12")
@pytest.mark.parametrize("game", EDITIONS)
def test_who_is_out_plays_a_card_each_turn_any_face_down(game: str) -> None:
    """The suit led is in hand, but need not be followed."""
    table = sit(game, ["H10 S10", "H4 S3 D4", "H3 S4"])
    play_tricks(table, "H10 w~H4 H3")
    play(table, "S10")
    assert table.to_act == 1
    hand = table.view(1)["hand"]
    assert "S3" in hand
    assert table.legal() == [f"~{card}" for card in hand]
    assert refusal(table, "S3") == "S3: who is out plays face down: ~S3 (SHK-34)"
    assert refusal(table, "w~S3") == "w~S3: only who is in can withdraw (SHK-33)"
    play(table, "~D4")
    assert shown(table, "trick")[1] == {"seat": 1, "card": None, "jewels": 2}


@pytest.mark.clause("SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_who_was_shocked_plays_face_down_too(game: str) -> None:
    table = sit(game, ["H10 S10", "H7 S3", "H3 S4"], chest="jellyfish")
    play(table, "H10 H7 H3 S3 S4")
    assert (table.to_act, shown(table, "in_round")[0]) == (0, False)
    assert table.legal() == [f"~{card}" for card in table.view(0)["hand"]]
    play(table, "~S10")  # the highest, but face down
    assert shown(table, "on_bag")[2] == 2 + 1 + 2
    if game == "shock":
        play(table, "stop")
    assert (table.to_act, shown(table, "leader")) == (2, 2)


@pytest.mark.clause("SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize(("hands", "jewels"), [
    (["H9", "H4", "H3"], 2), (["H9", "H4", "H3", "H5"], 1), (["H9", "H4", "H3", "H5", "H1"], 1),
])  # fmt: skip
def test_a_card_face_down_gets_one_jewel_with_three_players_two(
    game: str, hands: list[str], jewels: int
) -> None:
    table = sit(game, hands)
    play(table, "H9 w~H4")
    assert shown(table, "trick")[1] == {"seat": 1, "card": None, "jewels": jewels}
    play(table, " ".join(hands[2:]))
    assert shown(table, "on_bag") == [jewels + 2, *[0] * (len(hands) - 1)]


@pytest.mark.clause("SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_card_face_down_is_never_shown(game: str) -> None:
    """Not even to the one who played it, nor when the trick is taken."""
    table = sit(game, ["H10", "C5", "H3", "H2"])
    play(table, "H10 w~C5 H3")
    for seat in (None, 0, 1, 2, 3):
        view = table.view(seat)
        assert view["table"]["trick"][1] == {"seat": 1, "card": None, "jewels": 1}
        assert "C5" not in str(view)
    play(table, "H2")
    for seat in (None, 0, 1, 2, 3):
        assert "C5" not in str(table.view(seat))


# A leader who withdraws


@pytest.mark.clause("SHK-35", "SHK-12")
@pytest.mark.parametrize("game", EDITIONS)
def test_when_the_leader_withdraws_the_next_one_in_leads_and_sets_the_suit(game: str) -> None:
    hands = ["H10 H3", "H2 D10 D3", "H4 S2 D5", "H6 S3 C4"]
    table = sit(game, hands, "C2")
    play_tricks(table, "H10 w~D10 H4 H6")
    play(table, "w~H3")
    # Seat 1 is out: seat 2 leads, and seat 1 still plays before it.
    assert (table.to_act, shown(table, "leader")) == (1, 2)
    play(table, "~D3")
    assert (table.to_act, shown(table, "leader")) == (2, 2)
    hand = table.view(2)["hand"]
    assert table.legal() == sorted([*hand, *(f"w~{card}" for card in hand)])
    play(table, "S2")
    assert refusing_clause(table, "C4") == "SHK-13"
    play(table, "S3")
    if game == "shock":
        play(table, "stop")
    assert shown(table, "leader") == 3


@pytest.mark.clause("SHK-35")
@pytest.mark.parametrize("game", EDITIONS)
def test_leaders_may_withdraw_one_after_another(game: str) -> None:
    table = sit(game, ["H10", "S2", "D4", "C3", "H4"], "C2")
    for seat, card in enumerate(["H10", "S2", "D4"]):
        play(table, f"w~{card}")
        assert (table.to_act, shown(table, "leader")) == (seat + 1, seat + 1)
    play(table, "C3")
    assert shown(table, "leader") == 3
    assert refusing_clause(table, "H4") == "SHK-13"


@pytest.mark.clause("SHK-35")
@pytest.mark.parametrize("game", EDITIONS)
def test_when_another_withdraws_the_leader_and_the_suit_stay(game: str) -> None:
    table = sit(game, ["H10", "H2 S5", "H4 S4"], "C2")
    play(table, "H10 w~S5")
    assert (table.to_act, shown(table, "leader")) == (2, 0)
    assert refusing_clause(table, "S4") == "SHK-13"


@pytest.mark.clause("SHK-35", "SHK-15")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_suit_of_the_new_leader_wins_not_that_of_the_card_face_down(game: str) -> None:
    table = sit(game, ["H10", "S3", "H9 | HDC", "S5"], "C2")
    play_tricks(table, "w~H10 S3 H9 S5")
    assert shown(table, "leader") == 3


# All, or all but one


@pytest.mark.clause("SHK-36")
@pytest.mark.parametrize("game", EDITIONS)
def test_if_everybody_withdraws_the_round_ends_at_once_without_a_winner(game: str) -> None:
    hands = ["H10 S10 H3", "H2 D10 D3", "H4 S2 D5", "H6 S3 C4"]
    table = sit(game, hands, "C2")
    play_tricks(table, "H10 H2 H4 H6")
    bags = shown(table, "on_bag")
    assert bags == [4 + 2, 0, 0, 0]
    play(table, "w~H3 w~D3 w~D5")
    assert (table.view()["round"], table.to_act) == (1, 3)
    kept = hands_held(table)
    kept[3].remove("C4")
    play(table, "w~C4")
    assert table.view()["round"] == 2
    assert scores(table) == bags  # the four jewels of the trick are nobody's
    for seat in range(4):
        assert set(kept[seat]) <= set(table.view(seat)["hand"])


@pytest.mark.clause("SHK-36")
@pytest.mark.parametrize("game", EDITIONS)
def test_those_who_have_not_yet_played_keep_their_card(game: str) -> None:
    """Seats 2 and 3 are out already; the round ends with the card of seat 1."""
    table = sit(game, ["H10 S10", "H2 S2", "H4 S3", "H6 S4"], "C2")
    play_tricks(table, "H10 H2 w~H4 w~H6")
    held = hands_held(table)
    play(table, "w~S10 w~S2")
    assert table.view()["round"] == 2
    for seat in (2, 3):
        assert len(held[seat]) == 8
        assert set(held[seat]) <= set(table.view(seat)["hand"])
    assert "S10" in table.dealt[2]
    assert "S2" in table.dealt[2]


@pytest.mark.clause("SHK-36")
@pytest.mark.parametrize("game", EDITIONS)
def test_no_chest_or_door_card_is_revealed_for_a_trick_without_a_winner(game: str) -> None:
    table = last_round(game, ["H10 S10", "H2 S2", "H4 S3"])
    left = shown(table, "chest_left")
    all_withdraw(table)
    assert (table.over, shown(table, "chest_left")) == (True, left)
    assert (shown(table, "trick"), scores(table)) == ([], [0, 0, 0])


@pytest.mark.clause("SHK-36", "SHK-17")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_last_one_may_withdraw_after_cards_lie_face_up(game: str) -> None:
    """All cards of the trick but the last lie face down; nothing goes in front of anybody."""
    table = last_round(game, ["H7 S10", "H2 S2", "H4 S3"])
    play(table, "w~H7 w~H2 w~H4")
    assert table.over
    assert shown(table, "front") == [[], [], []]
    assert shown(table, "in_round") == [False, False, False]


@pytest.mark.clause("SHK-37", "SHK-38", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_only_one_left_may_play_any_card_and_wins(game: str) -> None:
    table = sit(game, ["H10 S4", "H2 S3", "H4 S8"], "C2")
    play(table, "w~H10 w~H2")
    hand = table.view(2)["hand"]
    assert table.legal() == sorted([*hand, *(f"w~{card}" for card in hand)])
    play(table, "S8")
    if game == "shock":
        assert (table.to_act, table.legal()) == (2, ["open", "stop"])
        assert shown(table, "on_bag") == [0, 0, 2 + 2 + 1 + 2]
        play(table, "stop")
    assert (table.view()["round"], scores(table)) == (2, [0, 0, 7])


@pytest.mark.clause("SHK-37", "SHK-13")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_only_one_left_who_has_played_wins_when_those_who_are_out_have_played(
    game: str,
) -> None:
    table = sit(game, ["H10 S4", "H2 S3", "H4 S8", "H6 S10"], "C2")
    play_tricks(table, "H10 H2 H4 w~H6")
    play(table, "S4 w~S3 w~S8")
    assert (table.to_act, table.view()["round"]) == (3, 1)
    assert table.legal() == [f"~{card}" for card in table.view(3)["hand"]]
    won = shown(table, "on_bag")[0]
    play_tricks(table, "~S10")
    assert (table.view()["round"], scores(table)) == (2, [won + 1 + 3 + 2, 0, 0, 0])


@pytest.mark.clause("SHK-37", "SHK-36")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_only_one_left_may_still_withdraw(game: str) -> None:
    table = sit(game, ["H10 S4", "H2 S3", "H4 S8"], "C2")
    play_tricks(table, "H10 H2 H4")
    play(table, "w~S4 w~S3 w~S8")
    assert (table.view()["round"], scores(table)) == (2, [5, 0, 0])


@pytest.mark.clause("SHK-37", "SHK-19", "SHK-24")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_only_one_left_resolves_the_trick_as_usual(game: str) -> None:
    """It wins its own H7 with the jellyfish in the middle, and loses all."""
    table = sit(game, ["H10 H7", "H4 S3", "H2 S2"], chest="jellyfish")
    play_tricks(table, "H10 H4 H2", "H7 w~S3 w~S2")
    assert (table.view()["round"], scores(table)) == (2, [0, 0, 0])
