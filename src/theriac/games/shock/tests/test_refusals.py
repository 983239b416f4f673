"""Shock!: the texts of refusals, and which clause comes first."""

from __future__ import annotations

import pytest

from theriac.games.shock.tests.table_setting import (
    EDITIONS,
    all_withdraw,
    last_round,
    play,
    play_tricks,
    refusal,
    refusing_clause,
    sit,
)
from theriac.match import Match

NO_MOVES = [
    "", "H", "10", "H10 ", " H10", "H10\n", "H-10", "H１0", "W~H10", "wH10", "w~", "~", "~w~H10",
    "w~~H10", "w ~H10", "pass", "cure", "Keep", "OPEN", "H10H7", "H10,", "♥10", "Cure:bee",
]  # fmt: skip
NOT_IN_HAND = ["H7", "~H7", "w~H7", "D2", "h10", "H010", "H11", "H1", "H0", "X3", "w~h10", "~C8"]


def before_a_trick(game: str) -> Match:
    """Seat 0 leads and holds H10 and S4."""
    return sit(game, ["H10 S4", "H7 C8", "H2 C3"])


def choosing(game: str) -> Match:
    """Seat 0 has a potion, and two kinds of poison in front."""
    match = sit(game, ["H10 S10", "H7", "S7 | SDC", "C5 | SDC"])
    play(match, "H10 H7 S7 C5")
    return match


@pytest.mark.clause("SHK-12")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("move", NO_MOVES)
def test_a_text_that_is_not_a_move_is_refused(game: str, move: str) -> None:
    said = refusal(before_a_trick(game), move)
    assert said.endswith(": a move is a card, such as H7 (SHK-12)")


@pytest.mark.clause("SHK-12")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("move", NOT_IN_HAND)
def test_a_card_that_is_not_in_hand_is_refused(game: str, move: str) -> None:
    card = move.lstrip("w~")
    assert refusal(before_a_trick(game), move) == f"{move}: {card} is not in hand (SHK-12)"


@pytest.mark.clause("SHK-12", "SHK-13", "SHK-33", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_the_first_check_is_that_a_card_is_in_hand(game: str) -> None:
    """Before whether it follows, and before how it is played."""
    match = before_a_trick(game)
    play(match, "w~H10")
    for move in ("C3", "~C3", "w~C3", "H10", "~H10"):
        assert refusing_clause(match, move) == "SHK-12"
    play_tricks(match, "H7 H2")
    while match.to_act != 0:
        play(match, next(move for move in match.legal() if "~" not in move))
    for move in ("H10", "~H10", "w~H10"):
        assert refusing_clause(match, move) == "SHK-12"
    assert refusal(match, "S4") == "S4: a player who is out plays face down (SHK-34)"
    assert refusal(match, "w~S4") == "w~S4: only a player who is in can withdraw (SHK-33)"


@pytest.mark.clause("SHK-33")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_card_face_down_while_in_is_refused_before_the_suit_is_checked(game: str) -> None:
    match = before_a_trick(game)
    play(match, "H10")
    assert refusal(match, "~C8") == "~C8: a player who is in plays face up, or withdraws (SHK-33)"
    assert refusal(match, "~H7") == "~H7: a player who is in plays face up, or withdraws (SHK-33)"


@pytest.mark.clause("SHK-27", "SHK-32")
@pytest.mark.parametrize(("game", "clause"), [("shock", "SHK-27"), ("anaphylaxis", "SHK-32")])
@pytest.mark.parametrize("move", ["open", "stop"])
def test_open_and_stop_out_of_place_are_refused(game: str, clause: str, move: str) -> None:
    for match in (before_a_trick(game), choosing(game)):
        assert refusal(match, move).endswith(f" ({clause})")
    match = before_a_trick(game)
    play(match, "w~H10")
    assert refusing_clause(match, move) == clause


@pytest.mark.clause("SHK-25")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("move", ["keep", "cure:bee", "cure:jellyfish", "cure:soba", "cure:mint",
                                  "cure:", "cure: bee"])  # fmt: skip
def test_with_nothing_to_cure_a_cure_is_refused(game: str, move: str) -> None:
    match = before_a_trick(game)
    assert refusal(match, move) == f"{move}: nothing is to be cured now (SHK-25)"


@pytest.mark.clause("SHK-23")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("move", ["cure:bee", "cure:soba", "cure:mint", "cure:", "cure:Spider"])
def test_a_cure_of_a_poison_that_is_not_there_is_refused(game: str, move: str) -> None:
    said = refusal(choosing(game), move)
    assert said == f"{move}: no such poison lies uncovered in front (SHK-23)"


@pytest.mark.clause("SHK-23")
@pytest.mark.parametrize("game", EDITIONS)
def test_a_cure_of_a_poison_in_the_middle_is_refused(game: str) -> None:
    match = sit(game, ["H10 C10", "H7 C5", "S7 C2 | SDC"], chest="bee")
    play_tricks(match, "H10 H7 S7")
    play(match, "C10 C5 C2")
    assert refusing_clause(match, "cure:bee") == "SHK-23"


@pytest.mark.clause("SHK-25")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("move", ["keep", "S10", "w~S10", "~S10", "H2", "nonsense", "cure", ""])
def test_in_a_potion_choice_anything_else_is_refused(game: str, move: str) -> None:
    said = refusal(choosing(game), move)
    assert said.endswith(": say which poison is to be covered (SHK-25)")


@pytest.mark.clause("SHK-27")
@pytest.mark.parametrize("move", ["S4", "w~S4", "~S4", "H7", "keep", "cure:bee", "cure:x", "x", ""])
def test_in_a_challenge_anything_else_is_refused(move: str) -> None:
    match = before_a_trick("shock")
    play(match, "H10 H7 H2")
    assert refusal(match, move).endswith(": open another chest card, or stop (SHK-27)")


@pytest.mark.clause("SHK-45")
@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("move", ["H10", "~H10", "w~H10", "open", "stop", "keep", "cure:bee", "x"])
def test_after_the_end_every_move_is_refused(game: str, move: str) -> None:
    match = last_round(game)
    all_withdraw(match)
    assert refusal(match, move) == f"{move}: the game is over (SHK-45)"


@pytest.mark.clause("SHK-12", "SHK-13", "SHK-27", "SHK-33", "SHK-34")
@pytest.mark.parametrize("game", EDITIONS)
def test_exactly_the_listed_moves_are_taken(game: str) -> None:
    """In every way a card can be played, by one who leads, follows, and is out."""
    cards = [f"{suit}{rank}" for suit in "HSDC" for rank in range(1, 12)]
    moves = [way + card for way in ("", "~", "w~") for card in cards]
    moves += ["open", "stop", "keep", "cure:jellyfish", "cure:spider", "cure:bee", "cure:soba"]
    script = "H10 w~C8 H2" + (" stop" if game == "shock" else "") + " S4"
    match = before_a_trick(game)
    for step in (*script.split(), ""):
        legal = match.legal()
        for move in moves:
            if move not in legal:
                refusing_clause(match, move)
            else:
                again = before_a_trick(game)
                play(again, " ".join([*match.moves, move]))
        play(match, step)
