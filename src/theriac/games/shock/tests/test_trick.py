"""Shock!: a trick (SHK-12, SHK-13, SHK-14, SHK-15, SHK-16, SHK-17, SHK-18)."""

from __future__ import annotations

import pytest

from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    all_withdraw,
    hands_held,
    into_next_round,
    play,
    play_tricks,
    refusal,
    refusing_clause,
    shown,
    sit,
)

# Playing cards


@pytest.mark.clause("SHK-12", "SHK-33")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("hands", [3 * [""], 4 * [""], 5 * [""]])
def test_the_leader_may_play_any_card_or_withdraw_with_it(game: str, hands: list[str]) -> None:
    match = sit(game, hands, first=1)
    hand = match.view(1)["hand"]
    assert match.legal() == sorted([*hand, *(f"w~{card}" for card in hand)])


@pytest.mark.clause("SHK-12")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("first", [0, 2])
def test_each_plays_one_card_clockwise_from_the_leader(game: str, first: int) -> None:
    cards = ["H3", "H4", "H6", "H8"]
    match = sit(game, cards, first=first)
    for i in range(4):
        seat = (first + i) % 4
        assert (match.to_act, shown(match, "leader")) == (seat, first)
        assert len(shown(match, "trick")) == i
        play(match, cards[seat])
    assert shown(match, "hands") == [8, 8, 8, 8]
    assert shown(match, "trick") == []


@pytest.mark.clause("SHK-12", "SHK-14")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_trick_lies_open_in_the_order_played(game: str) -> None:
    match = sit(game, ["H3", "H4", "H6"], first=1)
    play(match, "H4 H6")
    assert shown(match, "trick") == [
        {"seat": 1, "card": "H4", "jewels": 1},
        {"seat": 2, "card": "H6", "jewels": 1},
    ]


@pytest.mark.clause("SHK-13")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_suit_led_must_be_followed(game: str) -> None:
    match = sit(game, ["H3", "H4 H8 D3 S5 | SD", "H6"], trump="D2")
    play(match, "H3")
    hand = match.view(1)["hand"]
    assert match.legal() == sorted(["H4", "H8", *(f"w~{card}" for card in hand)])
    for card in hand:
        if card[0] != "H":  # a trump is no better than another suit
            said = f"{card}: hearts was led and is in hand: it must be followed (SHK-13)"
            assert refusal(match, card) == said


@pytest.mark.clause("SHK-13")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_player_who_cannot_follow_plays_any_card(game: str) -> None:
    match = sit(game, ["H3", "| SDC", "H6"], trump="D2")
    play(match, "H3")
    hand = match.view(1)["hand"]
    assert match.legal() == sorted([*hand, *(f"w~{card}" for card in hand)])


@pytest.mark.clause("SHK-13")
@pytest.mark.parametrize(("led", "name"), [
    ("H3", "hearts"), ("S3", "spades"), ("D3", "diamonds"), ("C3", "clubs"),
])  # fmt: skip
def test_each_suit_can_be_led(led: str, name: str) -> None:
    suit = led[0]
    other = "H10" if suit != "H" else "S10"
    match = sit("shock", [led, f"{suit}4 {other}", f"{suit}6"], trump="D2")
    play(match, led)
    assert refusal(match, other) == (
        f"{other}: {name} was led and is in hand: it must be followed (SHK-13)"
    )


@pytest.mark.clause("SHK-12", "SHK-13")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_lead_suit_is_that_of_the_first_card_not_of_the_second(game: str) -> None:
    match = sit(game, ["H3", "S5 | SDC", "H6 S6"])
    play(match, "H3 S5")
    assert refusing_clause(match, "S6") == "SHK-13"
    play(match, "H6")


# Jewels on cards


@pytest.mark.clause("SHK-14", "SHK-03")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_card_face_up_that_shows_a_jewel_gets_one(game: str) -> None:
    match = sit(game, ["H3", "H4", "H9", "H10", "H2"], trump="D2")
    play(match, "H3 H4 H9 H10")
    assert [card["jewels"] for card in shown(match, "trick")] == [0, 1, 0, 1]
    play(match, "H2")
    assert shown(match, "on_bag") == [0, 0, 0, 3 + 2, 0]


@pytest.mark.clause("SHK-14", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_card_face_down_gets_the_same_whatever_it_shows(game: str) -> None:
    match = sit(game, ["H3", "H4 | SH", "H9", "H8", "H6"])
    play(match, "H3 w~H4 w~H9")
    assert [card["jewels"] for card in shown(match, "trick")] == [0, 1, 1]


@pytest.mark.clause("SHK-16", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_winner_puts_all_jewels_of_the_trick_on_the_bag(game: str) -> None:
    """H4 and H10 have one each, the card face down two; a calm chest or door card brings two."""
    match = sit(game, ["H4", "S3 | SC", "H10"])
    play(match, "H4 w~S3 H10")
    assert shown(match, "on_bag") == [0, 0, 1 + 2 + 1 + 2]
    assert match.view()["scores"] == [0, 0, 0]


# Who wins


@pytest.mark.clause("SHK-15")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        ("D2", "H3 H10 H9", 1),  # the highest of the suit led
        ("D2", "H3 H9 H10", 2),  # ten is above nine
        ("D2", "H10 H9 H3", 0),
        ("D2", "H3 S10 H2", 0),  # another suit wins nothing
        ("D2", "H2 S10 C9", 0),
        ("S8", "H10 S2 H9", 1),  # a trump beats the suit led
        ("S8", "H10 S2 S4", 2),  # the highest trump
        ("S8", "H10 S4 S2", 1),
        ("S8", "S4 S9 H10", 1),  # trumps are led
        ("S8", "S4 H9 H10", 0),
        ("H8", "S10 H2 S9", 1),  # the suit with the smallest number
        ("C8", "S10 H2 C3", 2),  # and with the greatest
    ],
)
def test_the_winner_of_a_trick(game: str, trump: str, cards: str, winner: int) -> None:
    led, *others = cards.split()
    suits = ["HSDC" if card[0] == led[0] else "HSDC".replace(led[0], "") for card in (led, *others)]
    hands = [f"{card} | {suit}" for card, suit in zip(cards.split(), suits, strict=True)]
    match = sit(game, hands, trump)
    play_tricks(match, cards)
    assert (match.to_act, shown(match, "leader")) == (winner, winner)
    assert [bag > 0 for bag in shown(match, "on_bag")] == [seat == winner for seat in range(3)]


@pytest.mark.clause("SHK-15")
@pytest.mark.parametrize("first", range(5))
def test_the_winner_does_not_depend_on_the_place_in_the_trick(first: int) -> None:
    cards = ["H3", "H10", "H9", "H2", "H6"]
    match = sit("shock", cards, first=first)
    play_tricks(match, " ".join([*cards[first:], *cards[:first]]))
    assert shown(match, "leader") == 1


@pytest.mark.clause("SHK-34", "SHK-15")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_card_face_down_wins_nothing(game: str) -> None:
    """Not by rank, and not as a trump."""
    match = sit(game, ["H3", "H10", "D9", "H2"])
    play_tricks(match, "H3 w~H10 w~D9 H2")
    assert shown(match, "leader") == 0


# What the winner takes


@pytest.mark.clause("SHK-17")
@pytest.mark.parametrize("game", EDITIONS)
def test_poisons_and_potions_go_in_front_of_the_winner_in_the_order_played(game: str) -> None:
    match = sit(game, ["H6", "H10", "C5 | SDC", "H7", "C3 | SDC"])
    play_tricks(match, "H6 H10 C5 H7 C3")
    assert shown(match, "front") == [[], ["C5", "H7"], [], [], []]


@pytest.mark.clause("SHK-17")
@pytest.mark.parametrize("game", EDITIONS)
def test_later_cards_lie_behind_earlier_ones(game: str) -> None:
    match = sit(game, ["H10 S10 D10", "H7 S3 D7", "H3 S7 D3"], trump="C2")
    play_tricks(match, "H10 H7 H3", "S10 S3 S7", "D10 D7 D3")
    assert shown(match, "front") == [["H7", "S7", "D7"], [], []]


@pytest.mark.clause("SHK-17")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_winner_may_win_its_own_poison(game: str) -> None:
    match = sit(game, ["H7", "H3", "H4"])
    play_tricks(match, "H7 H3 H4")
    assert shown(match, "front") == [["H7"], [], []]


@pytest.mark.clause("SHK-17", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_poisons_and_potions_face_down_go_in_front_of_nobody(game: str) -> None:
    match = sit(game, ["H10", "H7", "C5", "H3"])
    play_tricks(match, "H10 w~H7 w~C5 H3")
    assert shown(match, "front") == [[], [], [], []]
    assert shown(match, "covered") == [[], [], [], []]


@pytest.mark.clause("SHK-17", "SHK-39")
@pytest.mark.parametrize("game", EDITIONS)
def test_all_other_cards_are_discarded(game: str) -> None:
    """They are in nobody's hand, and in the next round's shuffle like the ones in front."""
    match = sit(game, ["H10 S4", "H7 S3", "H3 S2"])
    play_tricks(match, "H10 H7 H3")
    held = [card for hand in hands_held(match) for card in hand]
    assert not {"H10", "H7", "H3"} & set(held)
    all_withdraw(match)
    assert {"H10", "H7", "H3", "D2"} <= set(match.dealt[2])


# Who leads next


@pytest.mark.clause("SHK-18")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_winner_leads_the_next_trick(game: str) -> None:
    """The question of the rulebook: is it the winner of the trick before? Yes."""
    match = sit(game, ["H3 S3", "H4 S8", "H10 S4"])
    play_tricks(match, "H3 H4 H10")
    assert (match.to_act, shown(match, "leader")) == (2, 2)
    play_tricks(match, "S4 S3 S8")
    assert (match.to_act, shown(match, "leader")) == (1, 1)


@pytest.mark.clause("SHK-18", "SHK-22")
@pytest.mark.parametrize("game", EDITIONS)
def test_if_the_winner_is_out_the_next_one_still_in_leads_and_plays_first(game: str) -> None:
    """Seat 2 is shocked by the jellyfish, seat 3 has left: seat 0 leads."""
    match = sit(game, ["H3 S3", "H7 S8", "H10 S4", "H2 S2"], chest="jellyfish")
    play(match, "H3 H7 H10 w~H2")
    assert shown(match, "in_round") == [True, True, False, False]
    assert (match.to_act, shown(match, "leader")) == (0, 0)
    play(match, "S3 S8")
    assert match.to_act == 2  # the shocked winner plays in turn, face down
    assert all(move.startswith("~") for move in match.legal())


@pytest.mark.clause("SHK-18")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_winner_shocked_by_the_trick_itself_does_not_lead(game: str) -> None:
    match = sit(game, ["H3 H2", "H10 H4", "H9 H7"], chest="jellyfish")
    play_tricks(match, "H3 H10 H9", "H4 H7 H2")
    assert shown(match, "front") == [[], [], ["H7"]]
    assert shown(match, "in_round") == [True, True, False]
    assert (match.to_act, shown(match, "leader")) == (0, 0)


@pytest.mark.clause("SHK-12", "SHK-18")
@pytest.mark.parametrize("game", EDITIONS)
def test_in_later_rounds_too_the_leader_plays_first(game: str) -> None:
    match = sit(game, ["H3 S3", "H10 S8", "H4 S4"])
    play_tricks(match, "H3 H10 H4")
    play(match, "w~S8 w~S4")
    match = into_next_round(match, "w~S3", ["", "H10", ""], "D2", leader=1)
    assert match.to_act == 1
    play(match, "H10")
    assert match.to_act == 2
