"""Shokoba: the texts of refusals, and which clause comes first."""

from __future__ import annotations

import pytest

from theriac.games.shokoba.tests.table_setting import (
    play,
    refusal,
    refusing_clause,
    sit,
)
from theriac.match import Match

FORM = "a move is a card such as S4, or a capture such as E7=S3+R4 (SHO-09)"
CLAIM_FORM = "a claim names cards, such as claim=S3+R4 (SHO-09)"
ORDER = "name the captured cards in ascending order, of equal values S, R, E, D (SHO-12)"
CAPTURED = "the captured cards must lie on the table and add up to the card played (SHO-10)"
NO_CARD = "it names a card that is not in the deck (SHO-01)"

NO_MOVES = [
    "", "S", "7", "S2 ", " S2", "S2\n", "S-2", "S２", "E7=", "=D7", "E7==D7", "E7 = D7", "E7=D7+",
    "E7=+D7", "E7=S3,R4", "E7!!", "E7!=D7", "E7=D7!", "Z1!!", "E7=pass", "claim", "Pass",
]  # fmt: skip
NO_CAPTURES = [
    "E7=S3", "E7=D7+S1", "E7=S3+R4+S1", "E7=E7", "E7=S3+S4", "E7=R4+R3", "E7=S3+R3+S1",
    "S2=S2", "S2=S1+S1", "S9=S9", "E7=" + "S1+" * 10 + "S1",
]  # fmt: skip


def seven_before_seven(**options: bool) -> Match:
    """Seat 1 holds E7, S2 and S9; on the table are 3, 4, 7 and 1."""
    hands = {1: "E7 S2 S9", 0: "S8 S6 S10"}
    return sit(hands, face_up="S3 R4 D7 S1", **options)


def after_an_oversight() -> Match:
    """Seat 0 may claim what E7 could have captured."""
    match = seven_before_seven(oversights=True)
    play(match, "E7!")
    return match


def finished() -> Match:
    """A game that is over."""
    match = sit({1: "S10 S8 S9"}, face_up="S1 S2 S3 S4")
    match._g.gems[1] = 10
    play(match, "S10=S1+S2+S3+S4")
    assert match.over
    return match


@pytest.mark.clause("SHO-21")
@pytest.mark.parametrize("move", ["S8", "pass", "claim=S3", "claim=", "Z9", "nonsense"])
def test_after_the_end_every_move_is_refused(move: str) -> None:
    assert refusal(finished(), move) == f"{move}: the game is over (SHO-21)"


@pytest.mark.clause("SHO-24")
@pytest.mark.parametrize("move", ["S8", "S8=D7+S1", "E7", "claim", "nonsense", "Z9", "claim!"])
def test_while_a_claim_is_open_anything_else_is_refused(move: str) -> None:
    said = refusal(after_an_oversight(), move)
    assert said == f"{move}: first claim what E7 could have captured, or pass (SHO-24)"


@pytest.mark.clause("SHO-24")
@pytest.mark.parametrize("move", ["claim=S3+R4", "claim=", "claim=Z9", "claim=S3+"])
@pytest.mark.parametrize("oversights", [False, True])
def test_with_nothing_open_a_claim_is_refused(move: str, oversights: bool) -> None:
    said = refusal(seven_before_seven(oversights=oversights), move)
    assert said == f"{move}: nothing is open to a claim (SHO-24)"


@pytest.mark.clause("SHO-09")
@pytest.mark.parametrize("move", NO_MOVES)
def test_a_text_that_is_not_a_move_is_refused(move: str) -> None:
    assert refusal(seven_before_seven(oversights=True), move).endswith(f": {FORM}")


@pytest.mark.clause("SHO-09", "SHO-24")
@pytest.mark.parametrize("move", ["claim=", "claim=S3+", "claim=S3+R4!", "claim=E7!", "claim= S3"])
def test_a_claim_that_names_no_cards_is_refused(move: str) -> None:
    assert refusal(after_an_oversight(), move) == f"{move}: {CLAIM_FORM}"


@pytest.mark.clause("SHO-09", "SHO-24")
@pytest.mark.parametrize("oversights", [False, True])
def test_with_nothing_open_there_is_nothing_to_decline(oversights: bool) -> None:
    said = refusal(seven_before_seven(oversights=oversights), "pass")
    assert said == "pass: there is nothing to decline (SHO-09)"


@pytest.mark.clause("SHO-01")
@pytest.mark.parametrize(
    "move", ["S7", "E3", "S11", "S0", "Z1!", "s2", "S02", "E7=S3+E4", "E3=S3", "S8=Z1", "e7=D7"]
)
def test_a_card_that_is_not_in_the_deck_is_refused(move: str) -> None:
    assert refusal(seven_before_seven(), move) == f"{move}: {NO_CARD}"


@pytest.mark.clause("SHO-01", "SHO-24")
def test_a_claim_of_a_card_that_is_not_in_the_deck_is_refused() -> None:
    assert refusal(after_an_oversight(), "claim=S7") == f"claim=S7: {NO_CARD}"


@pytest.mark.clause("SHO-09")
@pytest.mark.parametrize(
    "move", ["S8", "S8!", "R4", "S8=D7+S1", "R2=D7", "R8=R4+S3+S1", "R3=" + "S1+" * 10 + "S1"]
)
def test_a_card_that_is_not_in_hand_is_refused(move: str) -> None:
    card = move.split("=")[0].rstrip("!")
    assert refusal(seven_before_seven(), move) == f"{move}: {card} is not in hand (SHO-09)"


@pytest.mark.clause("SHO-11")
def test_a_plain_lay_of_a_card_that_can_capture_is_refused() -> None:
    for oversights in (False, True):
        said = refusal(seven_before_seven(oversights=oversights), "E7")
        assert said == "E7: E7 can capture, so it must (SHO-11)"


@pytest.mark.clause("SHO-11", "SHO-24")
def test_overlooking_is_refused_where_the_option_is_off() -> None:
    match = seven_before_seven()
    assert refusal(match, "E7!") == "E7!: nothing may be overlooked (SHO-11)"
    assert refusing_clause(match, "S2!") == "SHO-11"  # before asking whether it can capture


@pytest.mark.clause("SHO-11")
def test_what_is_said_of_overlooking_with_the_option_off_is_true() -> None:
    said = refusal(seven_before_seven(), "S2!")
    assert said.endswith("(SHO-11)")
    assert "can capture" not in said


@pytest.mark.clause("SHO-24")
def test_overlooking_is_refused_where_nothing_could_be_captured() -> None:
    said = refusal(seven_before_seven(oversights=True), "S2!")
    assert said == "S2!: S2 could not have captured anything (SHO-24)"


@pytest.mark.clause("SHO-10")
@pytest.mark.parametrize("move", NO_CAPTURES)
def test_captured_cards_that_do_not_lie_there_or_do_not_add_up_are_refused(move: str) -> None:
    assert refusal(seven_before_seven(), move) == f"{move}: {CAPTURED}"


@pytest.mark.clause("SHO-10", "SHO-24")
@pytest.mark.parametrize("move", ["claim=E7", "claim=S3", "claim=S1+S2+R4", "claim=R4+S2+S1"])
def test_a_claim_that_does_not_add_up_is_refused(move: str) -> None:
    assert refusal(after_an_oversight(), move) == f"{move}: {CAPTURED}"


@pytest.mark.clause("SHO-12", "SHO-13")
@pytest.mark.parametrize("exact_first", [False, True])
def test_captured_cards_in_another_order_are_refused(exact_first: bool) -> None:
    said = refusal(seven_before_seven(exact_first=exact_first), "E7=R4+S3")
    assert said == f"E7=R4+S3: {ORDER}"


@pytest.mark.clause("SHO-12", "SHO-24")
def test_a_claim_in_another_order_is_refused() -> None:
    assert refusal(after_an_oversight(), "claim=R4+S3") == f"claim=R4+S3: {ORDER}"


@pytest.mark.clause("SHO-13")
def test_a_sum_despite_an_equal_card_is_refused_with_exact_first() -> None:
    said = refusal(seven_before_seven(exact_first=True), "E7=S3+R4")
    assert said == (
        "E7=S3+R4: a card of equal value lies there, so just that one must be taken (SHO-13)"
    )


@pytest.mark.clause("SHO-09", "SHO-10", "SHO-11", "SHO-12", "SHO-13")
def test_exactly_the_listed_moves_are_taken() -> None:
    for exact_first, moves in (
        (False, ["E7=D7", "E7=S3+R4", "S2", "S9"]),
        (True, ["E7=D7", "S2", "S9"]),
    ):
        assert seven_before_seven(exact_first=exact_first).legal() == moves
        for move in moves:
            seven_before_seven(exact_first=exact_first).play(move)
