"""Shock!: what each seat may know (SHK-10, SHK-22, SHK-34)."""

from __future__ import annotations

from typing import Any

import pytest

from theriac.faults import Fault
from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    KINDS,
    all_withdraw,
    hands_held,
    last_round,
    play,
    play_tricks,
    scores,
    shown,
    sit,
    sit_anyhow,
)
from theriac.match import Match

COMMON = {"game", "over", "to_act", "round", "scores", "winners", "legal", "table"}


def after_a_withdrawal(game: str, **options: Any) -> Match:
    """Seat 0 has four jewels inside its bag, seat 1 five on it, and seat 2 leads."""
    match = sit(game, ["H10 S2", "H4 S10", "H3 S4"], **options)
    play_tricks(match, "H10 H4 H3", "w~S2 S10 S4")
    return match


@pytest.mark.parametrize("game", EDITIONS)
def test_the_referees_view_of_a_table(game: str) -> None:
    match = after_a_withdrawal(game)
    assert match.view() == {
        "game": game,
        "over": False,
        "to_act": 1,
        "round": 1,
        "scores": [4, 0, 0],
        "winners": [],
        "legal": match.legal(),
        "table": {
            "trump": "D2",
            "leader": 1,
            "trick": [],
            "in_round": [False, True, True],
            "on_bag": [0, 2 + 1 + 1 + 2, 0],
            "front": [[], [], []],
            "covered": [[], [], []],
            "middle": [],
            "hands": [7, 7, 7],
            "chest_left": 22 if game == "shock" else 10,
        },
    }


@pytest.mark.clause("SHK-10")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("open_bags", [False, True])
def test_the_contents_of_a_bag_are_known_to_its_owner_only(game: str, open_bags: bool) -> None:
    match = after_a_withdrawal(game, open_bags=open_bags)
    hidden = [[4, None, None], [None, 0, None], [None, None, 0]]
    for seat in range(3):
        shown = match.view(seat)["scores"]
        assert shown == ([4, 0, 0] if open_bags else hidden[seat])
    assert scores(match) == [4, 0, 0]


@pytest.mark.clause("SHK-10")
@pytest.mark.parametrize("game", EDITIONS)
def test_bags_are_closed_without_the_option(game: str) -> None:
    assert after_a_withdrawal(game).view(1)["scores"] == [None, 0, None]


@pytest.mark.clause("SHK-10")
@pytest.mark.parametrize("game", EDITIONS)
def test_jewels_on_a_bag_are_in_sight_and_not_inside(game: str) -> None:
    match = after_a_withdrawal(game)
    for seat in range(3):
        assert match.view(seat)["table"]["on_bag"] == [0, 6, 0]
    assert scores(match)[1] == 0


@pytest.mark.clause("SHK-10", "SHK-45")
@pytest.mark.parametrize("game", EDITIONS)
def test_at_the_end_all_bags_are_opened(game: str) -> None:
    match = last_round(game, ["H10 S2", "H4 S10", "H3 S4"])
    play_tricks(match, "H10 H4 H3", "w~S2 S10 S4")
    all_withdraw(match)
    for seat in range(3):
        view = match.view(seat)
        assert (view["scores"], view["winners"]) == ([4, 6, 0], [1])
        assert (view["to_act"], view["legal"]) == (None, [])
        del view["hand"]
        assert view == match.view()


@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_seat_sees_its_own_hand_sorted_and_no_other(game: str, players: int) -> None:
    match = sit_anyhow(game, players)
    hands = hands_held(match)
    for seat in range(players):
        view = match.view(seat)
        assert set(view) == COMMON | {"hand"}
        assert view["hand"] == sorted(hands[seat])
        others = [card for other in range(players) if other != seat for card in hands[other]]
        words = str({**view, "legal": []})
        assert not any(f"'{card}'" in words for card in others)
        assert view["table"] == match.view()["table"]


@pytest.mark.parametrize("game", EDITIONS)
def test_legal_moves_are_listed_only_to_the_seat_that_acts(game: str) -> None:
    match = sit_anyhow(game, 4, 2)
    assert match.view(2)["legal"] == match.legal() == sorted(match.legal())
    assert len(match.legal()) == 18
    for seat in (0, 1, 3):
        assert match.view(seat)["legal"] == []


@pytest.mark.clause("SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_cards_face_down_are_null_in_every_view(game: str) -> None:
    match = sit(game, ["H10 S2", "H4 S10", "H3 S4", "H2 S3"])
    play(match, "H10 w~S10 H3")
    for seat in (None, 0, 1, 2, 3):
        trick = match.view(seat)["table"]["trick"]
        assert [card["card"] for card in trick] == ["H10", None, "H3"]
        assert "S10" not in str(match.view(seat))


@pytest.mark.parametrize("game", EDITIONS)
def test_the_cards_still_to_come_are_seen_by_nobody(game: str) -> None:
    """Neither the rest of the number cards nor the chest or doors."""
    match = sit_anyhow(game)
    rest = match.dealt[0][28:]
    for seat in (None, 0, 1, 2):
        words = str({**match.view(seat), "legal": []})
        assert not any(f"'{card}'" in words for card in rest)
        assert not any(card in words for card in (*KINDS, "'J"))


@pytest.mark.clause("SHK-22", "SHK-17")
@pytest.mark.parametrize("game", EDITIONS)
def test_cards_in_front_and_in_the_middle_are_seen_by_all(game: str) -> None:
    match = sit(game, ["H10", "H7", "C5 | SDC"], chest="bee")
    play_tricks(match, "H10 H7 C5")
    for seat in (None, 0, 1, 2):
        at = match.view(seat)["table"]
        assert (at["front"][0], at["covered"][0], at["middle"]) == (["H7", "C5"], ["H7"], ["bee"])


@pytest.mark.parametrize("game", EDITIONS)
def test_a_potion_choice_is_listed_only_to_the_winner(game: str) -> None:
    match = sit(game, ["H3", "H10", "H7", "S7 | SDC", "C5 | SDC"])
    play(match, "H3 H10 H7 S7 C5")
    legal = [match.view(seat)["legal"] for seat in range(5)]
    assert legal == [[], ["cure:jellyfish", "cure:spider"], [], [], []]
    assert (shown(match, "leader"), shown(match, "trick")) == (0, [])


@pytest.mark.parametrize("seat", [-1, 3])
def test_there_is_no_view_from_an_unknown_seat(seat: int) -> None:
    with pytest.raises(Fault, match=f"seat {seat}: there are seats 0 to 2"):
        sit_anyhow("shock").view(seat)
