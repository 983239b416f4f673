"""Shock!: the end of a round and of the game.

SHK-38, SHK-39, SHK-40, SHK-41, SHK-42, SHK-43, SHK-44, SHK-45.
"""

from __future__ import annotations

from random import Random

import pytest

import theriac
from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    KINDS,
    NUMBERS,
    all_withdraw,
    chest_of,
    hands_held,
    into_next_round,
    last_round,
    play,
    play_tricks,
    refusal,
    rest_of,
    scores,
    shown,
    sit,
    sit_anyhow,
)
from theriac.match import Match

#: Everybody has one suit; nobody can follow, so that the leader wins.
ONE_SUIT_EACH = [
    " ".join(f"{suit}{rank}" for rank in (2, 3, 4, 5, 6, 8, 9, 10, 7)) for suit in "HSD"
]
#: The same, but with a trump each instead of the 7.
NO_SEVENS = [
    " ".join([*(f"{suit}{rank}" for rank in (2, 3, 4, 5, 6, 8, 9, 10)), trump])
    for suit, trump in zip("HSD", ("C3", "C4", "C6"), strict=True)
]
#: Nine cards that bring nothing to others, and shock nobody without a 7 in front.
HARMLESS = {
    "shock": "J2/0 J2/0 J2/0 J3/0 J3/0 J3/0 bee spider jellyfish",
    "anaphylaxis": "J2 J2 J3 J3 J1 J1 bee spider jellyfish",
}


def rounds(match: Match) -> int:
    """The round in progress."""
    number: int = match.view()["round"]
    return number


# When a round ends


@pytest.mark.clause("SHK-38", "SHK-27", "SHK-32")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_round_ends_when_all_hands_are_empty_and_the_last_trick_is_resolved(game: str) -> None:
    match = sit(game, NO_SEVENS, "C2", HARMLESS[game])
    for rank in (2, 3, 4, 5, 6, 8, 9, 10):
        play_tricks(match, f"H{rank} S{rank} D{rank}")
    assert (rounds(match), shown(match, "hands")) == (1, [1, 1, 1])
    won = shown(match, "on_bag")[0]
    play(match, "C3 C4 C6")
    if game == "shock":
        assert (match.to_act, match.legal()) == (2, ["open", "stop"])
        assert (rounds(match), shown(match, "hands")) == (1, [0, 0, 0])
        play(match, "stop")
    assert (rounds(match), scores(match)) == (2, [won, 0, 1 + 1 + 1])
    assert (shown(match, "hands"), shown(match, "on_bag")) == ([9, 9, 9], [0, 0, 0])


@pytest.mark.clause("SHK-38", "SHK-20")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_round_ends_when_nobody_is_in(game: str) -> None:
    match = sit(game, ["H10 S4", "H2 S3", "H3 S8"], chest="bee bee")
    play_tricks(match, "H10 H2 H3")
    play(match, "S4 S3 S8")
    assert (rounds(match), scores(match), shown(match, "hands")) == (2, [0, 0, 0], [9, 9, 9])


@pytest.mark.clause("SHK-38")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_round_ends_when_before_a_trick_only_one_is_in_who_stores_the_jewels(game: str) -> None:
    """Seat 2 leaves, seat 0 is shocked: seat 1 is the only one, and has a jewel in one edition."""
    first = "J1/1" if game == "shock" else "J1"
    match = sit(game, ["H10 S4", "H7 S3", "H3 S8"], chest=f"{first} jellyfish")
    play_tricks(match, "H10 H7 H3")
    before = shown(match, "on_bag")
    play_tricks(match, "S4 S3 w~S8")
    assert rounds(match) == 2
    assert scores(match) == [0, before[1], before[2]]


@pytest.mark.clause("SHK-38")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_single_player_left_in_is_not_checked_within_a_trick(game: str) -> None:
    match = sit(game, ["H10 S4", "H2 S3", "H3 S8"])
    play(match, "H10 w~H2")
    assert (rounds(match), match.to_act) == (1, 2)
    play(match, "w~H3")
    if game == "shock":
        assert (rounds(match), match.to_act, match.legal()) == (1, 0, ["open", "stop"])
        play(match, "open open")
    assert rounds(match) == 2
    assert scores(match) == [1 + 2 + 2 + 2 + (2 + 2 if game == "shock" else 0), 0, 0]


@pytest.mark.clause("SHK-38", "SHK-25", "SHK-37")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_potion_is_still_chosen_when_only_one_is_in(game: str) -> None:
    match = sit(game, ["H10 C5", "H7 C3", "S7 C4 | SDC"])
    play_tricks(match, "H10 H7 S7")
    play(match, "C5 w~C3 w~C4")
    assert (rounds(match), match.to_act) == (1, 0)
    assert match.legal() == ["cure:jellyfish", "cure:spider"]
    play_tricks(match, "cure:spider")
    assert rounds(match) == 2


@pytest.mark.clause("SHK-38")
@pytest.mark.parametrize("game", EDITIONS)
def test_all_who_are_still_in_store_their_jewels(game: str) -> None:
    """After nine tricks seats 0 and 2 are in with jewels, and seat 1 left long before."""
    hands = [
        "H2 H3 H4 H5 H6 H8 H9 H10 C3",
        ONE_SUIT_EACH[1],
        "D3 D4 D5 D6 D8 D9 D10 C9 C8",
    ]
    match = sit(game, hands, "C2", HARMLESS[game])
    play_tricks(match, "H2 w~S2 D3", "H3 ~S3 D4", "H4 ~S4 D5", "H5 ~S5 D6", "H6 ~S6 D8")
    play_tricks(match, "H8 ~S7 D9", "H9 ~S8 D10", "C3 ~S9 C9")
    assert [bag > 0 for bag in shown(match, "on_bag")] == [True, False, True]
    bags = shown(match, "on_bag")
    assert (rounds(match), shown(match, "leader")) == (1, 2)
    play_tricks(match, "C8 H10 ~S10")
    assert rounds(match) == 2
    assert scores(match) == [bags[0], 0, bags[2] + 1 + 1 + 2 + 1]


# The next round


@pytest.mark.clause("SHK-39", "SHK-47")
@pytest.mark.parametrize("game", EDITIONS)
def test_all_poisons_potions_and_chest_cards_go_back_and_all_are_in(game: str) -> None:
    """The question of the rulebook: all but the hands goes back into the deck, the trump too."""
    match = sit(game, ["H10 S4", "H7 S3", "C5 S8 | SDC"], chest="jellyfish")
    play_tricks(match, "H10 H7 C5")
    assert (shown(match, "front")[0], shown(match, "middle")) == (["H7", "C5"], ["jellyfish"])
    all_withdraw(match)
    assert rounds(match) == 2
    assert {"H10", "H7", "C5", "D2"} <= set(match.dealt[2])
    assert sorted(match.dealt[3]) == sorted(chest_of(game))
    at = match.view()["table"]
    assert (at["front"], at["covered"], at["middle"]) == ([[], [], []], [[], [], []], [])
    assert (at["in_round"], at["on_bag"]) == ([True] * 3, [0] * 3)
    assert at["chest_left"] == len(chest_of(game))


@pytest.mark.clause("SHK-39", "SHK-19")
@pytest.mark.parametrize("game", EDITIONS)
def test_poisons_do_not_outlast_the_round(game: str) -> None:
    """A bee in each of two rounds shocks nobody."""
    match = sit(game, ["H9 S4", "H3 S3", "H5 S8"], chest="bee")
    play_tricks(match, "H9 H3 H5")
    play(match, "w~S4 w~S3")
    match = into_next_round(match, "w~S8", ["H9", "H3", "H5"], "D2", "bee", leader=0)
    play(match, "H9 H3 H5")
    assert (shown(match, "middle"), shown(match, "in_round")) == (["bee"], [True] * 3)


@pytest.mark.clause("SHK-40", "SHK-08", "SHK-09", "SHK-47")
@pytest.mark.parametrize("game", EDITIONS)
def test_hands_are_kept_and_filled_up_and_a_new_trump_is_turned_up(game: str) -> None:
    match = sit(game, ["H10 S4", "H7 S2", "H2 S3", "H3 S8"], "D2")
    play_tricks(match, "H10 w~H7 H2 H3", "w~S4 ~S2 w~S3")
    kept = hands_held(match)
    kept[3].remove("S8")
    play_tricks(match, "S8")
    assert (rounds(match), shown(match, "leader")) == (2, 3)
    deal = match.dealt[2]
    assert sorted(deal) == sorted(
        rest_of([card for card in NUMBERS if card[1:] != "11"], [c for h in kept for c in h])
    )
    for seat in range(4):
        got = deal[(seat - 3) % 4 : 8 : 4]
        assert match.view(seat)["hand"] == sorted(kept[seat] + got)
    assert shown(match, "trump") == deal[8]


@pytest.mark.clause("SHK-41", "SHK-40", "SHK-47")
@pytest.mark.parametrize("simplified", [False, True])
def test_hands_are_discarded_only_in_the_simplified_game(simplified: bool) -> None:
    match = sit_anyhow("shock", 4, simplified=simplified)
    while not match.over:
        all_withdraw(match)
    assert [len(deal) for deal in match.dealt[2::2]] == [40 if simplified else 8] * 4
    assert shown(match, "hands") == [8] * 4  # nothing follows round 5


# Who leads the next round


@pytest.mark.clause("SHK-42", "SHK-43")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_last_winner_of_a_trick_leads_the_next_round(game: str) -> None:
    match = sit(game, ["H3 S10", "H10 S3", "H4 S4"])
    play_tricks(match, "H3 H10 H4", "S3 S4 S10")
    assert shown(match, "leader") == 0
    all_withdraw(match)
    assert (rounds(match), match.to_act, shown(match, "leader")) == (2, 0, 0)


@pytest.mark.clause("SHK-42", "SHK-43")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_shocked_winner_leads_the_next_round_when_nobody_is_in(game: str) -> None:
    match = sit(game, ["H3 S4", "H2 S3", "H10 S8"], chest="bee bee")
    play_tricks(match, "H3 H2 H10")
    play(match, "S8 S4 S3")
    assert (rounds(match), match.to_act, shown(match, "leader")) == (2, 2, 2)


@pytest.mark.clause("SHK-42", "SHK-43")
@pytest.mark.parametrize(("game", "leader"), [("shock", 0), ("anaphylaxis", 1)])
def test_the_only_one_in_leads_the_next_round_in_the_original_edition(
    game: str, leader: int
) -> None:
    """Seat 0 wins and is shocked, seat 2 has left: seat 1 is the only one in."""
    match = sit(game, ["H10 S4", "H7 S3", "H2 S2"], chest="jellyfish")
    play(match, "H10 H7 w~S2")
    assert (rounds(match), match.to_act, shown(match, "leader")) == (2, leader, leader)


@pytest.mark.clause("SHK-43")
def test_the_only_one_in_leads_even_when_hands_are_empty() -> None:
    """Seat 0 wins the last trick and its own 7, and so is shocked; seat 1 left, seat 2 is in."""
    hands = ["H2 H3 H4 H5 H6 H8 H9 H10 H7", ONE_SUIT_EACH[1], ONE_SUIT_EACH[2]]
    match = sit("anaphylaxis", hands, "C2", "J2 J2 J3 J3 J1 J1 bee jellyfish spider")
    play_tricks(match, "H2 w~S2 D2")
    for rank in (3, 4, 5, 6, 8, 9, 10):
        play_tricks(match, f"H{rank} ~S{rank} D{rank}")
    assert shown(match, "in_round") == [True, False, True]
    play(match, "H7 ~S7 D7")
    assert (rounds(match), scores(match)) == (2, [0, 0, 0])
    assert (match.to_act, shown(match, "leader")) == (2, 2)


@pytest.mark.clause("SHK-43")
def test_several_in_at_the_end_leave_the_lead_to_the_winner_of_the_last_trick() -> None:
    """Seat 0 is shocked in the eighth trick; seat 2 wins the ninth, seat 1 is in too."""
    hands = [" ".join(f"{suit}{rank}" for rank in range(2, 11)) for suit in "HSC"]
    hands[2] = hands[2].replace("C5", "D3")  # a trump for the last trick
    match = sit("anaphylaxis", hands, chest="J1 J1 J2 J2 J3 J3 jellyfish spider bee")
    for rank in (2, 3, 4, 6, 8, 9, 10, 7):
        play(match, f"H{rank} S{rank} C{rank}")
    play(match, "cure:jellyfish")
    assert (shown(match, "in_round"), match.to_act) == ([False, True, True], 1)
    play(match, "S5 D3 ~H5")
    assert (rounds(match), shown(match, "leader")) == (2, 2)
    assert scores(match) == [0, 0, 2 + 1]


@pytest.mark.clause("SHK-42", "SHK-43")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("first", [0, 2])
def test_if_no_trick_was_won_the_rounds_first_leader_leads_again(game: str, first: int) -> None:
    match = sit_anyhow(game, 4, first)
    for number in range(1, 6):
        assert (rounds(match), match.to_act, shown(match, "leader")) == (number, first, first)
        all_withdraw(match)


@pytest.mark.clause("SHK-42", "SHK-43")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_trick_won_in_an_earlier_round_does_not_count(game: str) -> None:
    """Seat 1 wins in round 1 and leads round 2, in which nobody wins: it leads round 3."""
    match = sit(game, ["H3 S10", "H10 S3", "H4 S4"])
    play_tricks(match, "H3 H10 H4")
    for _ in range(2):
        all_withdraw(match)
        assert shown(match, "leader") == 1


@pytest.mark.clause("SHK-43")
def test_a_leader_who_was_the_only_one_in_leads_again_if_no_trick_was_won() -> None:
    """Seat 0 won the only trick of round 1 and was shocked; seat 1 leads rounds 2 and 3."""
    match = sit("anaphylaxis", ["H10 S4", "H7 S3", "H2 S2"], chest="jellyfish")
    play(match, "H10 H7 w~S2")
    assert (rounds(match), shown(match, "leader")) == (2, 1)
    all_withdraw(match)
    assert (rounds(match), shown(match, "leader")) == (3, 1)


# The lost door


@pytest.mark.clause("SHK-44", "SHK-47")
@pytest.mark.parametrize("lost", KINDS)
def test_one_poison_door_of_three_leaves_the_game_after_round_two(lost: str) -> None:
    match = last_round("anaphylaxis", lost=lost)
    doors = [deal for deal in match.dealt if "J1" in deal]
    assert [len(deal) for deal in doors] == [12, 12, 11, 11, 11]
    assert [deal.count(lost) for deal in doors] == [2, 2, 1, 1, 1]
    assert sorted(doors[4]) == sorted(rest_of(chest_of("anaphylaxis"), [lost]))
    assert shown(match, "chest_left") == 11


@pytest.mark.clause("SHK-44")
def test_the_lost_door_is_shown_to_nobody() -> None:
    views = [
        [last_round("anaphylaxis", lost=lost).view(seat) for seat in (None, 0, 1, 2)]
        for lost in KINDS
    ]
    assert views[0] == views[1] == views[2]


@pytest.mark.clause("SHK-44")
def test_in_shock_no_chest_card_leaves_the_game() -> None:
    match = last_round("shock")
    assert [len(deal) for deal in match.dealt[1::2]] == [24] * 5


# The end of the game


@pytest.mark.clause("SHK-10", "SHK-45")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_after_round_five_the_game_is_over_and_the_table_stays(game: str, players: int) -> None:
    match = last_round(game, [""] * players)
    assert not match.over
    trump = shown(match, "trump")
    all_withdraw(match)
    view = match.view()
    assert (view["over"], view["to_act"], view["round"], view["legal"]) == (True, None, 5, [])
    assert view["table"] == {
        "trump": trump,
        "leader": None,
        "trick": [],
        "in_round": [False] * players,
        "on_bag": [0] * players,
        "front": [[]] * players,
        "covered": [[]] * players,
        "middle": [],
        "hands": [8 if players < 5 else 7] * players,
        "chest_left": 24 if game == "shock" else 11,
    }
    for move in ("H7", "~H7", "w~H7", "open", "keep", "cure:bee", "nonsense", ""):
        assert refusal(match, move).endswith(": the game is over (SHK-45)")


@pytest.mark.clause("SHK-45", "SHK-38")
@pytest.mark.parametrize("game", EDITIONS)
def test_at_the_end_what_lies_in_front_and_in_the_middle_stays(game: str) -> None:
    match = last_round(game, ["H10 S4", "H7 S3", "C5 S8 | SDC"], chest="jellyfish")
    play_tricks(match, "H10 H7 C5", "S4 w~S3 w~S8")
    assert (match.over, shown(match, "on_bag"), shown(match, "trick")) == (True, [0, 0, 0], [])
    assert (shown(match, "in_round"), shown(match, "leader")) == ([True, False, False], None)
    assert (shown(match, "front")[0], shown(match, "covered")[0]) == (["H7", "C5"], ["H7"])
    assert shown(match, "middle") == ["jellyfish"]


@pytest.mark.clause("SHK-45")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_highest_value_in_the_bag_wins(game: str) -> None:
    match = last_round(game, ["H3 S4", "H2 S3", "H10 S8"])
    play_tricks(match, "H3 H2 H10")
    assert (match.winners(), match.results()) == ([], [0, 0, 0])
    all_withdraw(match)
    assert (match.winners(), match.results(), scores(match)) == ([2], [0, 0, 1], [0, 0, 4])


@pytest.mark.clause("SHK-45")
@pytest.mark.parametrize("game", EDITIONS)
def test_ties_share_the_win(game: str) -> None:
    """Three jewels on the cards of each trick, and a calm two."""
    match = last_round(game, ["H3 S8", "H2 S3", "H10 S4", "H4 S9"])
    play_tricks(match, "H3 H2 H10 H4", "S4 w~S9 S8 S3")
    assert shown(match, "on_bag") == [1 + 1 + 1 + 2, 0, 3 + 2, 0]
    all_withdraw(match)
    assert (match.winners(), match.results()) == ([0, 2], [0.5, 0, 0.5, 0])


@pytest.mark.clause("SHK-45")
@pytest.mark.parametrize("game", EDITIONS)
def test_all_may_share_the_win_with_nothing(game: str) -> None:
    match = last_round(game)
    all_withdraw(match)
    assert (match.winners(), scores(match)) == ([0, 1, 2], [0, 0, 0])
    assert match.results() == pytest.approx([1 / 3] * 3)


@pytest.mark.clause("SHK-44", "SHK-47")
def test_the_shuffles_of_anaphylaxis_are_numbered_as_the_notation_page_says() -> None:
    match = theriac.new("anaphylaxis", players=3, seed=bytes(range(32)))
    random = Random(3)
    while not match.over:
        match.play(random.choice(match.legal()))
    doors = {number: len(deal) for number, deal in enumerate(match.dealt, 1) if "J1" in deal}
    assert doors == {2: 12, 4: 12, 7: 11, 9: 11, 11: 11}
    assert sorted(match.dealt[4]) == ["bee", "jellyfish", "spider"]
    assert len(match.dealt) == 11
