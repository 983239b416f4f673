"""Shock!: withdrawing, and playing face down (SHK-33, SHK-34, SHK-35, SHK-36, SHK-37)."""

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
def test_a_player_who_withdraws_stores_the_jewels_is_out_and_plays_face_down(game: str) -> None:
    match = sit(game, ["H10 S10", "H4 S3", "H3 S4"])
    play_tricks(match, "H10 H4 H3")
    assert shown(match, "on_bag") == [4, 0, 0]
    play(match, "w~S10")
    assert (scores(match), shown(match, "on_bag")) == ([4, 0, 0], [0, 0, 0])
    assert shown(match, "in_round") == [False, True, True]
    assert shown(match, "trick") == [{"seat": 0, "card": None, "jewels": 2}]
    assert shown(match, "hands") == [7, 8, 8]


@pytest.mark.clause("SHK-33")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_player_may_withdraw_with_any_card_following_suit_or_not(game: str) -> None:
    match = sit(game, ["H10", "H4 S3 D3", "H3"])
    play(match, "H10")
    hand = match.view(1)["hand"]
    assert [move for move in match.legal() if "~" in move] == [f"w~{card}" for card in hand]
    play(match, "w~D3")
    assert "D3" not in match.view(1)["hand"]


@pytest.mark.clause("SHK-33")
@pytest.mark.parametrize("game", EDITIONS)
def test_no_player_who_is_in_plays_face_down_without_withdrawing(game: str) -> None:
    match = sit(game, ["H10", "H4 S3", "H3"])
    assert refusal(match, "~H10") == "~H10: a player who is in plays face up, or withdraws (SHK-33)"
    play(match, "H10")
    assert refusal(match, "~S3") == "~S3: a player who is in plays face up, or withdraws (SHK-33)"


@pytest.mark.clause("SHK-33", "SHK-20")
@pytest.mark.parametrize("game", EDITIONS)
def test_stored_jewels_are_safe_from_a_later_shock(game: str) -> None:
    """Seat 1 leaves with H7 in front; two jellyfish come."""
    calm = "J2/0" if game == "shock" else "J2"
    hands = ["H3 S3 C3", "H10 S10 C4", "H7 S4 C10"]
    match = sit(game, hands, chest=f"{calm} jellyfish jellyfish")
    play_tricks(match, "H3 H10 H7", "w~S10 S4 S3", "C10 C3 ~C4")
    assert (match.view()["round"], scores(match)) == (2, [0, 3, 0])


# Who is out


@pytest.mark.clause("SHK-34", "SHK-12")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_player_who_is_out_plays_any_card_face_down_each_turn(game: str) -> None:
    """The suit led is in hand, but need not be followed."""
    match = sit(game, ["H10 S10", "H4 S3 D4", "H3 S4"])
    play_tricks(match, "H10 w~H4 H3")
    play(match, "S10")
    assert match.to_act == 1
    hand = match.view(1)["hand"]
    assert "S3" in hand
    assert match.legal() == [f"~{card}" for card in hand]
    assert refusal(match, "S3") == "S3: a player who is out plays face down (SHK-34)"
    assert refusal(match, "w~S3") == "w~S3: only a player who is in can withdraw (SHK-33)"
    play(match, "~D4")
    assert shown(match, "trick")[1] == {"seat": 1, "card": None, "jewels": 2}


@pytest.mark.clause("SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_shocked_player_plays_face_down_too(game: str) -> None:
    match = sit(game, ["H10 S10", "H7 S3", "H3 S4"], chest="jellyfish")
    play(match, "H10 H7 H3 S3 S4")
    assert (match.to_act, shown(match, "in_round")[0]) == (0, False)
    assert match.legal() == [f"~{card}" for card in match.view(0)["hand"]]
    play(match, "~S10")  # the highest, but face down
    assert shown(match, "on_bag")[2] == 2 + 1 + 2
    if game == "shock":
        play(match, "stop")
    assert (match.to_act, shown(match, "leader")) == (2, 2)


@pytest.mark.clause("SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize(("hands", "jewels"), [
    (["H9", "H4", "H3"], 2), (["H9", "H4", "H3", "H5"], 1), (["H9", "H4", "H3", "H5", "H1"], 1),
])  # fmt: skip
def test_a_card_face_down_gets_one_jewel_with_three_players_two(
    game: str, hands: list[str], jewels: int
) -> None:
    match = sit(game, hands)
    play(match, "H9 w~H4")
    assert shown(match, "trick")[1] == {"seat": 1, "card": None, "jewels": jewels}
    play(match, " ".join(hands[2:]))
    assert shown(match, "on_bag") == [jewels + 2, *[0] * (len(hands) - 1)]


@pytest.mark.clause("SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_card_face_down_is_never_shown(game: str) -> None:
    """Not even to the one who played it, nor when the trick is taken."""
    match = sit(game, ["H10", "C5", "H3", "H2"])
    play(match, "H10 w~C5 H3")
    for seat in (None, 0, 1, 2, 3):
        view = match.view(seat)
        assert view["table"]["trick"][1] == {"seat": 1, "card": None, "jewels": 1}
        assert "C5" not in str(view)
    play(match, "H2")
    for seat in (None, 0, 1, 2, 3):
        assert "C5" not in str(match.view(seat))


# A leader who withdraws


@pytest.mark.clause("SHK-35", "SHK-12")
@pytest.mark.parametrize("game", EDITIONS)
def test_when_the_leader_withdraws_the_next_one_in_leads_and_sets_the_suit(game: str) -> None:
    hands = ["H10 H3", "H2 D10 D3", "H4 S2 D5", "H6 S3 C4"]
    match = sit(game, hands, "C2")
    play_tricks(match, "H10 w~D10 H4 H6")
    play(match, "w~H3")
    # Seat 1 is out: seat 2 leads, and seat 1 still plays before it.
    assert (match.to_act, shown(match, "leader")) == (1, 2)
    play(match, "~D3")
    assert (match.to_act, shown(match, "leader")) == (2, 2)
    hand = match.view(2)["hand"]
    assert match.legal() == sorted([*hand, *(f"w~{card}" for card in hand)])
    play(match, "S2")
    assert refusing_clause(match, "C4") == "SHK-13"
    play(match, "S3")
    if game == "shock":
        play(match, "stop")
    assert shown(match, "leader") == 3


@pytest.mark.clause("SHK-35")
@pytest.mark.parametrize("game", EDITIONS)
def test_leaders_may_withdraw_one_after_another(game: str) -> None:
    match = sit(game, ["H10", "S2", "D4", "C3", "H4"], "C2")
    for seat, card in enumerate(["H10", "S2", "D4"]):
        play(match, f"w~{card}")
        assert (match.to_act, shown(match, "leader")) == (seat + 1, seat + 1)
    play(match, "C3")
    assert shown(match, "leader") == 3
    assert refusing_clause(match, "H4") == "SHK-13"


@pytest.mark.clause("SHK-35")
@pytest.mark.parametrize("game", EDITIONS)
def test_when_another_withdraws_the_leader_and_the_suit_stay(game: str) -> None:
    match = sit(game, ["H10", "H2 S5", "H4 S4"], "C2")
    play(match, "H10 w~S5")
    assert (match.to_act, shown(match, "leader")) == (2, 0)
    assert refusing_clause(match, "S4") == "SHK-13"


@pytest.mark.clause("SHK-35", "SHK-15")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_suit_of_the_new_leader_wins_not_that_of_the_card_face_down(game: str) -> None:
    match = sit(game, ["H10", "S3", "H9 | HDC", "S5"], "C2")
    play_tricks(match, "w~H10 S3 H9 S5")
    assert shown(match, "leader") == 3


# All, or all but one


@pytest.mark.clause("SHK-36")
@pytest.mark.parametrize("game", EDITIONS)
def test_if_everybody_withdraws_the_round_ends_at_once_without_a_winner(game: str) -> None:
    hands = ["H10 S10 H3", "H2 D10 D3", "H4 S2 D5", "H6 S3 C4"]
    match = sit(game, hands, "C2")
    play_tricks(match, "H10 H2 H4 H6")
    bags = shown(match, "on_bag")
    assert bags == [4 + 2, 0, 0, 0]
    play(match, "w~H3 w~D3 w~D5")
    assert (match.view()["round"], match.to_act) == (1, 3)
    kept = hands_held(match)
    kept[3].remove("C4")
    play(match, "w~C4")
    assert match.view()["round"] == 2
    assert scores(match) == bags  # the four jewels of the trick are nobody's
    for seat in range(4):
        assert set(kept[seat]) <= set(match.view(seat)["hand"])


@pytest.mark.clause("SHK-36")
@pytest.mark.parametrize("game", EDITIONS)
def test_those_who_have_not_yet_played_keep_their_card(game: str) -> None:
    """Seats 2 and 3 are out already; the round ends with the card of seat 1."""
    match = sit(game, ["H10 S10", "H2 S2", "H4 S3", "H6 S4"], "C2")
    play_tricks(match, "H10 H2 w~H4 w~H6")
    held = hands_held(match)
    play(match, "w~S10 w~S2")
    assert match.view()["round"] == 2
    for seat in (2, 3):
        assert len(held[seat]) == 8
        assert set(held[seat]) <= set(match.view(seat)["hand"])
    assert "S10" in match.dealt[2]
    assert "S2" in match.dealt[2]


@pytest.mark.clause("SHK-36")
@pytest.mark.parametrize("game", EDITIONS)
def test_no_chest_or_door_card_is_revealed_for_a_trick_without_a_winner(game: str) -> None:
    match = last_round(game, ["H10 S10", "H2 S2", "H4 S3"])
    left = shown(match, "chest_left")
    all_withdraw(match)
    assert (match.over, shown(match, "chest_left")) == (True, left)
    assert (shown(match, "trick"), scores(match)) == ([], [0, 0, 0])


@pytest.mark.clause("SHK-36", "SHK-17")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_last_one_may_withdraw_after_cards_lie_face_up(game: str) -> None:
    """All cards of the trick but the last lie face down; nothing goes in front of anybody."""
    match = last_round(game, ["H7 S10", "H2 S2", "H4 S3"])
    play(match, "w~H7 w~H2 w~H4")
    assert match.over
    assert shown(match, "front") == [[], [], []]
    assert shown(match, "in_round") == [False, False, False]


@pytest.mark.clause("SHK-37", "SHK-38", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_only_one_left_may_play_any_card_and_wins(game: str) -> None:
    match = sit(game, ["H10 S4", "H2 S3", "H4 S8"], "C2")
    play(match, "w~H10 w~H2")
    hand = match.view(2)["hand"]
    assert match.legal() == sorted([*hand, *(f"w~{card}" for card in hand)])
    play(match, "S8")
    if game == "shock":
        assert (match.to_act, match.legal()) == (2, ["open", "stop"])
        assert shown(match, "on_bag") == [0, 0, 2 + 2 + 1 + 2]
        play(match, "stop")
    assert (match.view()["round"], scores(match)) == (2, [0, 0, 7])


@pytest.mark.clause("SHK-37", "SHK-13")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_only_one_left_who_has_played_wins_when_those_who_are_out_have_played(
    game: str,
) -> None:
    match = sit(game, ["H10 S4", "H2 S3", "H4 S8", "H6 S10"], "C2")
    play_tricks(match, "H10 H2 H4 w~H6")
    play(match, "S4 w~S3 w~S8")
    assert (match.to_act, match.view()["round"]) == (3, 1)
    assert match.legal() == [f"~{card}" for card in match.view(3)["hand"]]
    won = shown(match, "on_bag")[0]
    play_tricks(match, "~S10")
    assert (match.view()["round"], scores(match)) == (2, [won + 1 + 3 + 2, 0, 0, 0])


@pytest.mark.clause("SHK-37", "SHK-36")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_only_one_left_may_still_withdraw(game: str) -> None:
    match = sit(game, ["H10 S4", "H2 S3", "H4 S8"], "C2")
    play_tricks(match, "H10 H2 H4")
    play(match, "w~S4 w~S3 w~S8")
    assert (match.view()["round"], scores(match)) == (2, [5, 0, 0])


@pytest.mark.clause("SHK-37", "SHK-19", "SHK-24")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_only_one_left_resolves_the_trick_as_usual(game: str) -> None:
    """It wins its own H7 with the jellyfish in the middle, and loses all."""
    match = sit(game, ["H10 H7", "H4 S3", "H2 S2"], chest="jellyfish")
    play_tricks(match, "H10 H4 H2", "H7 w~S3 w~S2")
    assert (match.view()["round"], scores(match)) == (2, [0, 0, 0])
