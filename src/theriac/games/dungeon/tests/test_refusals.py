"""Knock, Knock! Dungeon!: the texts of refusals, and which clause comes first."""

from __future__ import annotations

import pytest

from theriac.games.dungeon.tests.table_setting import (
    CALM,
    KNIGHT,
    lay_out,
    play,
    refused,
    refusing_clause,
    sit,
    with_spells,
)

NO_MOVES = [
    "", " ", "0123", "0123@", "0123@1", "0123@1,", "0123@,1", "0123@1,1,1", "0123@1.0,1", "@1,1",
    "0123@1;1", "0123@1, 1", " 0123@1,1", "0123@1,1 ", "0123@1,1\n", "0123@+1,1",
    "0123@01,1", "0123@1,01", "0123@-0,0", "0123@--1,1", "0123@1,1r", "r0123@1,1",
    "0123rr@1,1", "0123@１,1", "0123@1,٣", "pass", "fireball", "ice", "poison",
    "fireball@", "ice@1", "Fireball@0,0", "fireball@0,0:tl", "ice@0,0:tl", "poison@0,0",
    "poison@0,0:", "poison:tl", "poison@0,0:tl:tr", "fireball@00,0", "ice@-0,0", "silence@0,0",
    "timeouts", "0123@0,0@1,1",
]  # fmt: skip
NOT_IN_HAND = ["0122", "9999", "012", "01234", "0123c1", "0123t1", KNIGHT, "1x", "0", "0123R"]
NO_MOVE = "a move is a card and a place, such as 0122@1,1 or turned 0122r@1,1 (KKD-09)"


@pytest.mark.clause("KKD-09")
@pytest.mark.parametrize("move", NO_MOVES)
@pytest.mark.parametrize("spells", [False, True])
def test_a_text_that_is_not_a_move_is_refused(move: str, spells: bool) -> None:
    match = with_spells("9999t9", "0123") if spells else sit(CALM, "0123")
    assert refused(match, move) == NO_MOVE


@pytest.mark.clause("KKD-09")
@pytest.mark.parametrize("card", NOT_IN_HAND)
@pytest.mark.parametrize("place", ["1,1", "0,0", "5,5"])
def test_a_card_that_is_not_in_hand_is_refused(card: str, place: str) -> None:
    """Whatever the place."""
    match = sit(CALM, "0123 4567")
    assert refused(match, f"{card}@{place}") == f"{card} is not in hand (KKD-09)"


@pytest.mark.clause("KKD-09", "KKD-08")
def test_a_card_in_anothers_hand_is_refused_like_one_that_nobody_holds() -> None:
    match = sit(CALM, "0123 4567")
    assert match.view(1)["hand"] == ["0000", "0000", "0000", "4567"]
    assert refused(match, "4567@1,1") == "4567 is not in hand (KKD-09)"


@pytest.mark.clause("KKD-09", "KKD-11", "KKD-20")
def test_which_clause_comes_first() -> None:
    """The card held, then how it is turned, then the Black Knight, then the place."""
    match = lay_out(CALM, "0000@1,1", "0000 0123")
    assert KNIGHT in match.view(0)["hand"]
    assert "0123" in match.view(0)["hand"]
    assert refusing_clause(match, "7777@0,0") == "KKD-09"
    assert refusing_clause(match, "0000r@0,0") == "KKD-09"
    assert refusing_clause(match, "0123@0,0") == "KKD-20"
    assert refusing_clause(match, "0123@7,7") == "KKD-20"
    assert refusing_clause(match, f"{KNIGHT}@0,0") == "KKD-11"
    assert refusing_clause(match, f"{KNIGHT}@7,7") == "KKD-09"


@pytest.mark.clause("KKD-07", "KKD-09")
def test_a_refusal_tells_the_move_and_why_and_the_clause() -> None:
    match = sit(CALM, "0123", minutes=0)
    for move, said in (
        ("0123@0,0", "0123@0,0: a card lies there already (KKD-11)"),
        ("timeout", "timeout: this game has no clock (KKD-07)"),
        ("0123@1,1\n", r"'0123@1,1\n': " + NO_MOVE),
    ):
        with pytest.raises(ValueError) as caught:
            match.play(move)
        assert str(caught.value) == said


@pytest.mark.clause("KKD-22", "KKD-23")
@pytest.mark.parametrize("move", ["0000@2,2", "0000@3,3", "silence", "timeout", "", "fireball@1,1"])
def test_after_the_end_everything_is_refused_by_the_clause_that_ended_it(move: str) -> None:
    won = lay_out(CALM, "0000@-1,-1", CALM, knight="0006t3K", more="0006t3K@1,1 0000@2,2")
    assert refused(won, move) == "the game is over (KKD-22)"
    assert refused(play(sit(), "timeout"), move) == "the game is over (KKD-23)"
    assert refused(play(sit(minutes=0, start="9999t1"), "0000@1,1"), move).endswith("(KKD-17)")


@pytest.mark.clause("KKD-09")
@pytest.mark.parametrize("number", [-1, -(2**40), 2**40, 10**12, 136 << 14, 137 << 14])
def test_any_number_may_be_asked_about(number: int) -> None:
    match = sit(CALM, "0123")
    engine = match.game.engine("plain")
    assert engine.refuse(match._g, number) in (9, 26)


@pytest.mark.clause("KKD-09")
def test_moves_that_can_be_written_can_be_read_again() -> None:
    text = sit(CALM, "0123 0110").settings.text
    for move in text.catalogue().tolist()[::17]:
        assert text.read(text.write(move)) == move
    for name in ("silence", "timeout", "0123r@1,-1", "poison@-3,5:bl", "ice@2,0", "fireball@0,0"):
        assert text.write(text.read(name)) == name
