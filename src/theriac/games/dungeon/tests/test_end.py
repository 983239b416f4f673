"""Knock, Knock! Dungeon!: winning, losing, and the treasure (KKD-22, KKD-23, KKD-24)."""

from __future__ import annotations

from typing import Any

import pytest

from theriac.games.dungeon.tests.table_setting import (
    CALM,
    GOES_ON,
    WON,
    at,
    ended,
    facing_the_knight,
    lay_out,
    lost,
    options_refused,
    play,
    refused,
    refusing_clause,
    shown,
    sit,
    tokens,
    with_spells,
)
from theriac.match import Match

PILE = f"{CALM} " * 20
#: A Black Knight who falls when the corner at his bottom right is covered by 0.
WEAK = "0006t9K"


# KKD-22


@pytest.mark.clause("KKD-22")
@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_all_win_when_the_black_knight_is_defeated(players: int) -> None:
    match = facing_the_knight("0000", knight=WEAK, players=players)
    assert match.view()["winners"] == []
    play(match, "0000@2,2")
    view = match.view()
    assert ended(match) == WON
    assert (view["over"], view["to_act"], view["legal"]) == (True, None, [])
    assert view["winners"] == list(range(players))
    assert match.results() == pytest.approx([1 / players] * players)
    assert at(match, 1, 1)["defeated"] is True
    assert shown(match, "supply") == 12
    assert refused(match, "0000@3,3") == "the game is over (KKD-22)"


@pytest.mark.clause("KKD-22", "KKD-16")
@pytest.mark.parametrize(("corner", "end"), [(0, WON), (2, WON), (3, GOES_ON)])
def test_the_black_knight_falls_at_five_or_less(corner: int, end: object) -> None:
    match = facing_the_knight(f"{corner}000", knight="0124t9K")
    play(match, f"{corner}000@2,2")
    assert ended(match) == end


@pytest.mark.clause("KKD-22")
def test_other_creatures_need_not_be_defeated() -> None:
    match = facing_the_knight("0000", first="9990t3@-1,-1", knight="0006t4K")
    play(match, "0000@2,2")
    assert ended(match) == WON
    assert (at(match, -1, -1)["defeated"], tokens(match, -1, -1)) == (False, 3)


@pytest.mark.clause("KKD-22")
def test_defeating_another_creature_does_not_win() -> None:
    match = lay_out("0006t3", "0000@1,1", PILE)
    assert (at(match, 0, 0)["defeated"], ended(match)) == (True, GOES_ON)


@pytest.mark.clause("KKD-22")
def test_a_strong_knight_needs_more_than_one_card() -> None:
    match = facing_the_knight("0000 0000 0000", knight="0555t9K")
    play(match, "0000@2,2")
    assert ended(match) == GOES_ON
    play(match, "0000@2,0")
    assert ended(match) == WON


# KKD-23


def lost_games() -> dict[int, Match]:
    """A game lost by each of the clauses."""
    empty = sit(CALM, "0000s " * 6 + CALM, players=1)
    return {
        12: sit("3333t13"),
        15: lay_out("0222", "0009@-1,-1"),
        17: lay_out("9999t1", "0000@1,1"),
        21: play(empty, " ".join(f"0000s@{n},{n}" for n in range(1, 7))),
        23: play(sit(), "timeout"),
    }


@pytest.mark.clause("KKD-23", "KKD-12", "KKD-15", "KKD-17", "KKD-21")
@pytest.mark.parametrize("clause", [12, 15, 17, 21, 23])
def test_all_lose_by_the_clause_that_is_reported(clause: int) -> None:
    match = lost_games()[clause]
    view = match.view()
    assert ended(match) == lost(clause)
    assert (view["over"], view["winners"], view["to_act"], view["legal"]) == (True, [], None, [])
    assert view["scores"] == [0] * match.players
    assert match.results() == [0.0] * match.players
    for move in ("0000@1,1", "0000@9,9", "nonsense", "", "timeout", "silence", "ice@0,0"):
        assert refused(match, move) == f"the game is over (KKD-{clause})"


@pytest.mark.clause("KKD-23")
def test_the_clock_can_run_out_whenever_somebody_is_to_act() -> None:
    waiting = lay_out(CALM, "0000@1,1")  # with the Black Knight in hand
    middle = lay_out(CALM, "0000@1,1 0000@2,2", PILE)
    for match in (sit(), waiting, middle, with_spells("3333t3")):
        before = match.view()["table"]
        assert "timeout" not in match.legal()
        play(match, "timeout")
        after = match.view()["table"]
        assert {**after, "outcome": None, "why": None} == before
        assert ended(match) == lost(23)
        assert match.moves[-1] == "timeout"


@pytest.mark.clause("KKD-23")
@pytest.mark.parametrize("text", ["Timeout", "timeout ", "time", "TIMEOUT", "timeout@0,0"])
def test_the_clocks_move_has_one_text(text: str) -> None:
    assert refusing_clause(sit(), text) == "KKD-09"


# KKD-24


def won_with(start: str, moves: str, **options: Any) -> int:
    """The points of a game with these cards laid one after another, then won at once.

    The first card after `start` is followed by the Black Knight at 1,-1, who falls to the last.
    """
    cards = [move.split("@")[0] for move in moves.split()]
    knight = "0600t6K"
    match = sit(
        start, " ".join([*cards, CALM]), players=1, knight=knight,
        **{"treasure": True, **options},
    )  # fmt: skip
    first, *others = moves.split()
    play(match, f"{first} {knight}@1,-1 {' '.join(others)}")
    assert ended(match) == GOES_ON
    play(match, "0000@2,-2")
    assert ended(match) == WON
    scores = match.view()["scores"]
    assert len(scores) == 1
    points: int = scores[0]
    return points


@pytest.mark.clause("KKD-24")
def test_chests_count_one_point_each_on_the_longest_chain() -> None:
    assert won_with("0000c2", "0000c1@1,1 0000c3@2,2") == 6


@pytest.mark.clause("KKD-24")
def test_without_the_option_chests_are_worth_nothing() -> None:
    assert won_with("0000c2", "0000c1@1,1", treasure=False) == 0
    match = facing_the_knight("0000", knight="0006t9c5K")
    play(match, "0000@2,2")
    assert (ended(match), match.view()["scores"]) == (WON, [0, 0])


@pytest.mark.clause("KKD-24")
def test_the_longest_chain_has_the_most_cards_and_not_the_most_chests() -> None:
    assert won_with("0000c9", "0000@1,1 0000c1@2,2 0000c1@3,3") == 2
    assert won_with("0000c1", "0000c1@1,1 0000@2,2 0000c9@3,3") == 2


@pytest.mark.clause("KKD-24")
def test_of_equally_long_chains_the_one_with_more_chests_counts() -> None:
    assert won_with("0000c2", "0000@1,1 0000c3@2,2") == 3
    assert won_with("0000c3", "0000@1,1 0000c2@2,2") == 3


@pytest.mark.clause("KKD-24")
def test_a_card_without_chests_breaks_the_chain() -> None:
    assert won_with("0000c1", "0000@1,1 0000c1@2,2") == 1


@pytest.mark.clause("KKD-24")
def test_without_chests_there_are_no_points() -> None:
    assert won_with(CALM, "0000@1,1") == 0


@pytest.mark.clause("KKD-24")
def test_a_chain_may_branch_and_close() -> None:
    """A star: all four neighbours of the card in the middle, in the order laid."""
    assert won_with("0000c1", "0000c1@1,1 0000c1@2,0 0000c1@3,1 0000c1@2,2") == 5
    assert won_with("0000c1", "0000c1@1,1 0000c1@0,2 0000c1@-1,1") == 4


@pytest.mark.clause("KKD-24")
def test_a_chain_is_found_whatever_order_its_cards_were_laid_in() -> None:
    """The ends first, the card that links them last."""
    assert won_with("0000c1", "0000@-1,1 0000c1@0,2 0000@-2,2 0000c4@1,1") == 6


@pytest.mark.clause("KKD-24")
def test_cards_side_by_side_are_not_linked() -> None:
    """0,0 and 2,0 share no corner; nor 0,0 and 0,2."""
    assert won_with("0000c1", "0000@1,1 0000c1@2,0 0000c1@0,2") == 1


@pytest.mark.clause("KKD-24", "KKD-16")
def test_creatures_with_chests_count_too_standing_or_not() -> None:
    assert won_with("0000c1", "9990t6c2@-1,-1") == 3
    assert won_with("0006t3c1", "0000c2@1,1") == 3
    match = facing_the_knight("0000", first="9990t3c2@-1,-1", knight="0006t9c4K", treasure=True)
    play(match, "0000@2,2")
    assert match.view()["scores"] == [4, 4]  # the card at 0,0 has no chest


@pytest.mark.clause("KKD-24")
def test_the_points_are_the_same_for_every_seat_and_come_after_a_win_only() -> None:
    match = facing_the_knight("0000", knight="0006t9c4K", treasure=True, players=3)
    assert match.view()["scores"] == [0, 0, 0]
    won = play(facing_the_knight("0000", knight="0006t9c4K", treasure=True, players=3), "0000@2,2")
    assert won.view()["scores"] == [4, 4, 4]
    assert [won.view(seat)["scores"] for seat in range(3)] == [[4, 4, 4]] * 3
    play(match, "timeout")
    assert match.view()["scores"] == [0, 0, 0]


@pytest.mark.clause("KKD-24", "KKD-27")
def test_burnt_cards_do_not_count() -> None:
    for burn, points in (("", 6), ("fireball@-1,-1", 2)):
        match = lay_out(
            "0000c2", "9990t3c4@-1,-1", "0000", knight="0006t9K", more=f"0006t9K@1,1 {burn}",
            treasure=True, level=1, spells=["fireball", "ice", "poison", "silence"],
            won="fireball",
        )  # fmt: skip
        play(match, "0000@2,2")
        assert match.view()["scores"] == [points, points]


@pytest.mark.clause("KKD-24", "KKD-27")
def test_a_fireball_breaks_a_chain() -> None:
    """The burnt card in the middle linked two others."""
    match = lay_out(
        "0000c2", "9990t9c4@-1,-1", "0000c3 0000", knight="0006t3K", more="0006t3K@1,1",
        treasure=True, level=2, spells=["fireball"], won="fireball ice poison silence",
    )  # fmt: skip
    play(match, "0000c3@-2,-2 fireball@-1,-1 0000@2,2")
    assert match.view()["scores"] == [3, 3]


@pytest.mark.clause("KKD-24")
@pytest.mark.parametrize("treasure", [0, 1, "true", None, []])
def test_treasure_is_yes_or_no(treasure: object) -> None:
    said = options_refused(treasure=treasure)
    assert said == f"option treasure: {treasure} is not false or true (KKD-24)"


@pytest.mark.clause("KKD-24")
def test_by_default_there_is_no_treasure() -> None:
    option = next(option for option in sit().game.options if option.name == "treasure")
    assert option.default is False
