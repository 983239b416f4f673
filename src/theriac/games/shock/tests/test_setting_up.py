"""Shock!: setting up, and the order of the shuffles.

SHK-07, SHK-08, SHK-09, SHK-10, SHK-11, SHK-47.
"""

from __future__ import annotations

from typing import Any

import pytest

import theriac
from theriac.faults import BadDeal, BadOption
from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    KINDS,
    NUMBERS,
    SEED,
    all_withdraw,
    chest_deal,
    chest_of,
    hands_held,
    number_deal,
    numbers_for,
    play,
    play_tricks,
    shown,
    sit,
    sit_anyhow,
    size_for,
)

# Players and cards


@pytest.mark.clause("SHK-07")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize(("players", "out"), [
    (3, {"1", "11"}), (4, {"11"}), (5, set()),
])  # fmt: skip
def test_the_ranks_that_are_out_stay_out(game: str, players: int, out: set[str]) -> None:
    there = sorted(card for card in NUMBERS if card[1:] not in out)
    match = sit_anyhow(game, players)
    assert sorted(match.dealt[0]) == there
    for _ in range(4):
        before, asked = match.view()["round"], len(match.dealt)
        held: list[str] = []
        while match.view()["round"] == before:
            held = [card for hand in hands_held(match) for card in hand]
            move = next(move for move in match.legal() if "~" in move)
            held.remove(move.lstrip("w~"))
            match.play(move)
        numbers = next(deal for deal in match.dealt[asked:] if deal[0] in NUMBERS)
        assert sorted(numbers + held) == there


@pytest.mark.clause("SHK-07")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("players", [2, 6, 0, "3", 3.0, True, None])
def test_three_to_five_can_play(game: str, players: object) -> None:
    with pytest.raises(BadOption) as refused:
        theriac.new(game, players=players, first=0)
    assert str(refused.value) == f"option players: {players} is not 3, 4 or 5 (SHK-07)"


@pytest.mark.clause("SHK-07")
def test_the_number_of_players_is_required() -> None:
    with pytest.raises(BadOption, match=r"players is missing: .* \(SHK-07\)"):
        theriac.new("shock", first=0)


# Dealing


@pytest.mark.clause("SHK-08", "SHK-09")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize(("players", "size", "left"), [(3, 9, 8), (4, 9, 3), (5, 8, 3)])
@pytest.mark.parametrize("first", [0, 2])
def test_cards_are_dealt_one_by_one_from_the_leader_and_then_the_trump(
    game: str, players: int, size: int, left: int, first: int
) -> None:
    match = sit_anyhow(game, players, first)
    deal = match.dealt[0]
    for i in range(players):
        hand = match.view((first + i) % players)["hand"]
        assert hand == sorted(deal[i : players * size : players])
    assert shown(match, "hands") == [size] * players
    assert shown(match, "trump") == deal[players * size]
    assert len(deal) - players * size - 1 == left


@pytest.mark.clause("SHK-08", "SHK-40")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_later_deal_begins_with_the_rounds_leader_and_passes_over_full_hands(game: str) -> None:
    """Seats 2, 3 and 4 play one card, seats 0 and 1 two; seat 1 has won the trick."""
    match = sit(game, ["H10 S4", "H11 S2", "H2 S3", "H3 S8", "H4 S10"])
    play_tricks(match, "H10 H11 w~H2 w~H3 w~H4")
    play(match, "w~S2 ~S3 ~S8 ~S10")
    before = hands_held(match)
    play(match, "w~S4")
    before[0].remove("S4")
    assert [len(hand) for hand in before] == [6] * 5
    for seat in range(5):
        deal = match.dealt[2]
        got = [deal[(seat - 1) % 5], deal[5 + (seat - 1) % 5]]
        assert match.view(seat)["hand"] == sorted(before[seat] + got)
    assert shown(match, "trump") == deal[10]


@pytest.mark.clause("SHK-08", "SHK-36", "SHK-40")
@pytest.mark.parametrize("game", EDITIONS)
def test_full_hands_get_no_card(game: str) -> None:
    """Seats 2 to 4 are out and keep their card in the last trick: they lack one, the others two."""
    match = sit(game, ["H10 S4", "H7 S2", "H2 S3", "H3 S8", "H4 S10"])
    play_tricks(match, "H10 H7 w~H2 w~H3 w~H4")
    play(match, "w~S4")
    before = hands_held(match)
    play(match, "w~S2")
    before[1].remove("S2")
    deal = match.dealt[2]
    dealt = [[deal[0], deal[5]], [deal[1], deal[6]], deal[2:3], deal[3:4], deal[4:5]]
    for seat in range(5):
        assert match.view(seat)["hand"] == sorted(before[seat] + dealt[seat])
    assert shown(match, "trump") == deal[7]


@pytest.mark.clause("SHK-08", "SHK-36", "SHK-40")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_leader_with_a_full_hand_is_passed_over(game: str) -> None:
    """Seat 1 was shocked and keeps its card: of eight places it fills one, and the others two."""
    match = sit(game, ["H3 S4", "H10 S10", "H7 S3", "H2 S2"], chest="jellyfish")
    play_tricks(match, "H3 H10 H7 H2")
    play(match, "w~S3 w~S2")
    before = hands_held(match)
    play(match, "w~S4")
    before[0].remove("S4")
    assert (match.view()["round"], shown(match, "leader")) == (2, 1)
    deal = match.dealt[2]
    dealt = [[deal[3], deal[6]], [deal[0]], [deal[1], deal[4]], [deal[2], deal[5]]]
    for seat in range(4):
        assert match.view(seat)["hand"] == sorted(before[seat] + dealt[seat])
    assert shown(match, "trump") == deal[7]


@pytest.mark.clause("SHK-09", "SHK-15")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize(("trump", "winner"), [("D2", 0), ("S2", 1), ("C2", 2)])
def test_the_suit_of_the_card_turned_up_is_trump(game: str, trump: str, winner: int) -> None:
    match = sit(game, ["H9", "S3 | SD", "C3 | CD"], trump)
    play_tricks(match, "H9 S3 C3")
    assert shown(match, "leader") == winner


@pytest.mark.clause("SHK-09", "SHK-47")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_trump_is_out_of_play_until_the_next_shuffle(game: str) -> None:
    match = sit(game, ["", "", ""], "D9")
    assert not any("D9" in hand for hand in hands_held(match))
    all_withdraw(match)
    assert "D9" in match.dealt[2]


@pytest.mark.clause("SHK-11", "SHK-12")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_the_option_first_sets_the_first_leader(game: str, first: int) -> None:
    match = sit_anyhow(game, 4, first)
    assert (match.to_act, shown(match, "leader")) == (first, first)


@pytest.mark.clause("SHK-11")
def test_without_the_option_the_seed_sets_the_first_leader() -> None:
    leaders = {
        theriac.new("shock", players=5, seed=bytes([i] * 32)).view()["table"]["leader"]
        for i in range(40)
    }
    assert leaders == {0, 1, 2, 3, 4}
    deals = [number_deal(["", "", ""], "D2", 0), chest_deal("shock", "")]
    with pytest.raises(BadOption, match="option first is missing"):
        theriac.new("shock", players=3, deals=deals)


@pytest.mark.clause("SHK-11")
@pytest.mark.parametrize("first", [-1, 3, "0", True, 1.0])
def test_first_is_a_seat(first: object) -> None:
    with pytest.raises(BadOption) as refused:
        theriac.new("shock", players=3, first=first)
    assert str(refused.value) == f"option first: {first} is not a seat from 0 to 2"


# Options


@pytest.mark.clause("SHK-10", "SHK-25", "SHK-41", "SHK-46")
@pytest.mark.parametrize(("game", "option", "value", "said"), [
    ("shock", "open_bags", 1, "1 is not false or true (SHK-10)"),
    ("anaphylaxis", "open_bags", "true", "true is not false or true (SHK-10)"),
    ("shock", "simplified", "yes", "yes is not false or true (SHK-41)"),
    ("shock", "potions", "never", 'never is not "must" or "may" (SHK-25)'),
    ("shock", "potions", True, 'True is not "must" or "may" (SHK-25)'),
    ("anaphylaxis", "potions", "may", 'may is not "must" (SHK-25)'),
    ("anaphylaxis", "soba", 0, "0 is not false or true (SHK-46)"),
])  # fmt: skip
def test_a_value_that_an_option_does_not_take(
    game: str, option: str, value: Any, said: str
) -> None:
    with pytest.raises(BadOption) as refused:
        sit_anyhow(game, **{option: value})
    assert str(refused.value) == f"option {option}: {said}"


@pytest.mark.clause("SHK-41", "SHK-46")
@pytest.mark.parametrize(("game", "option"), [
    ("shock", "soba"), ("anaphylaxis", "simplified"), ("shock", "finish"),
])  # fmt: skip
@pytest.mark.parametrize("value", [False, True])
def test_an_option_of_the_other_edition_is_refused(game: str, option: str, value: bool) -> None:
    with pytest.raises(BadOption, match=f"option {option}: {game} has no option of that name"):
        sit_anyhow(game, **{option: value})


@pytest.mark.clause("SHK-25")
@pytest.mark.parametrize("game", EDITIONS)
def test_that_potions_must_be_used_may_be_said_in_both(game: str) -> None:
    assert sit_anyhow(game, potions="must").view() == sit_anyhow(game).view()


# Shuffles


@pytest.mark.clause("SHK-47")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_round_shuffles_the_numbers_in_no_hand_and_then_the_chest(
    game: str, players: int
) -> None:
    match = sit_anyhow(game, players)
    while not match.over:
        all_withdraw(match)
    deals = [sorted(deal) for deal in match.dealt]
    chest = sorted(chest_of(game))
    rest = len(numbers_for(players)) - players * (size_for(players) - 1)
    if game == "anaphylaxis":
        assert deals.pop(4) == sorted(KINDS)
        lost = match.dealt[4][0]
    assert [len(deal) for deal in deals[::2]] == [len(numbers_for(players)), *[rest] * 4]
    assert all(card in NUMBERS for deal in deals[::2] for card in deal)
    assert deals[1] == deals[3] == chest
    if game == "anaphylaxis":
        chest.remove(lost)
    assert deals[5:10:2] == [chest] * 3
    assert len(deals) == 10


@pytest.mark.clause("SHK-47", "SHK-44")
def test_the_lost_door_is_asked_for_before_the_shuffles_of_round_three() -> None:
    match = sit_anyhow("anaphylaxis")
    all_withdraw(match)
    assert len(match.dealt) == 4
    all_withdraw(match)
    assert [len(deal) for deal in match.dealt[4:]] == [3, 12, 11]


@pytest.mark.clause("SHK-47")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_written_deal_must_hold_just_the_cards_of_its_shuffle(game: str) -> None:
    numbers, chest = number_deal(["", "", ""], "D2", 0), chest_deal(game, "")
    cases: list[tuple[list[list[str]], str]] = [
        ([chest, numbers], "deal 1: "),
        ([[c for c in numbers if c != "H5"], chest], "deal 1: H5 is missing (SHK-47)"),
        ([[*numbers, "H5", "H5"], chest], "deal 1: H5 is extra (2 times) (SHK-47)"),
        ([[*numbers, "H1"], chest], "deal 1: H1 is extra (SHK-47)"),
        ([[*numbers[1:], "H12"], chest], "deal 1: H12 is not a card of this deck (SHK-47)"),
        ([numbers, [*chest, "bee"]], "deal 2: bee is extra (SHK-47)"),
        ([numbers, [c for c in chest if c != "bee"]], "deal 2: bee is missing (2 times) (SHK-47)"),
        ([numbers], "shuffle 2 has neither a deal nor a seed: give one of them (SHK-47)"),
    ]
    for deals, said in cases:
        with pytest.raises(BadDeal) as refused:
            theriac.new(game, players=3, first=0, deals=deals)
        assert str(refused.value).startswith(said)
        assert str(refused.value).endswith("(SHK-47)")


@pytest.mark.clause("SHK-47", "SHK-40")
def test_a_deal_of_the_second_round_must_leave_out_the_cards_kept() -> None:
    deals = [number_deal(["H10", "H2", "H4"], "D2", 0), chest_deal("shock", "")]
    deals += deals
    match = theriac.new("shock", players=3, first=0, deals=deals)
    play(match, "w~H10 w~H2")
    before = match.view()
    with pytest.raises(BadDeal, match=r"deal 3: .* is extra.* \(SHK-47\)"):
        match.play("w~H4")
    assert match.view() == before


@pytest.mark.clause("SHK-47", "SHK-44")
@pytest.mark.parametrize(("three", "later", "said"), [
    ("bee bee spider", "bee", "deal 5: jellyfish is missing, bee is extra (SHK-47)"),
    ("bee spider", "bee", "deal 5: jellyfish is missing (SHK-47)"),
    ("bee spider jellyfish", "", "deal 7: bee is extra (SHK-47)"),
    ("bee spider jellyfish", "spider", "deal 7: spider is missing, bee is extra (SHK-47)"),
])  # fmt: skip
def test_the_deals_of_the_lost_door_and_of_the_doors_left(
    three: str, later: str, said: str
) -> None:
    model = sit_anyhow("anaphylaxis")
    all_withdraw(model)
    all_withdraw(model)
    deals = [*model.dealt[:4], three.split(), model.dealt[5], chest_deal("anaphylaxis", "", later)]
    match = theriac.new("anaphylaxis", players=3, first=0, deals=deals)
    all_withdraw(match)
    with pytest.raises(BadDeal) as refused:
        all_withdraw(match)
    assert str(refused.value) == said


@pytest.mark.clause("SHK-47")
def test_a_shuffle_of_the_seed_does_not_depend_on_the_deals_before_it() -> None:
    model = sit_anyhow("shock", simplified=True)
    deals: list[Any] = [number_deal(["", "", ""], "D2", 0), chest_deal("shock", "bee")]
    mixed = theriac.new("shock", players=3, first=0, seed=SEED, deals=deals, simplified=True)
    for match in (model, mixed):
        all_withdraw(match)
    assert mixed.dealt[:2] == deals
    assert mixed.dealt[2:] == model.dealt[2:]
