"""What people read in the terminal: moves in natural order, no rounds where there are none."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from theriac.cli.deck import count_cards
from theriac.cli.move_input import in_natural_order, match_typed
from theriac.cli.screen import number_moves
from theriac.engine.contract import NOBODY
from theriac.faults import BadRecord, Fault
from theriac.game import find, plain_screen
from theriac.match import Match
from theriac.verification import read_seal

BIDS = ["B1", "B10", "B2", "pass"]


def printed(shown: Any) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        console.print(shown)
    return capture.get()


def test_a_number_in_the_list_is_the_move_beside_it() -> None:
    shown = printed(number_moves(plain_screen, BIDS))
    pairs = re.findall(r"(\d) (\w+)", shown)
    assert pairs == [("1", "B1"), ("2", "B2"), ("3", "B10"), ("4", "pass")]
    for number, move in pairs:
        assert match_typed(number, in_natural_order(BIDS)) == move


def test_moves_that_differ_before_and_after_a_number_can_be_compared() -> None:
    mixed = ["10", "B", "B2@10", "B2@9", "2", "B2", ""]
    assert in_natural_order(mixed) == ["", "2", "10", "B", "B2", "B2@9", "B2@10"]


def seen(rounds: int, to_act: int) -> Any:
    return SimpleNamespace(rounds=rounds, to_act=to_act, scores=np.array([3, 5]), seat=0)


@pytest.mark.parametrize(
    ("rounds", "after", "title"),
    [
        (1, seen(1, NOBODY), "The game is over"),
        (1, seen(2, 0), "Round 1 is over"),
        (2, seen(2, NOBODY), "Round 2 is over"),
    ],
)
def test_a_game_without_rounds_has_no_round_that_is_over(
    rounds: int, after: Any, title: str
) -> None:
    shown = plain_screen.summarize_round(seen(rounds, 0), after, 0, None, ["you", "seat 1"])  # type: ignore[arg-type]
    assert title in printed(shown)


@pytest.mark.parametrize(("rounds", "is_shown"), [(1, False), (2, True)])
def test_the_first_round_may_be_the_only_one(rounds: int, is_shown: bool) -> None:
    match = Match(find("poison"), {"players": 3, "first": 0}, seed=bytes(32), speed="plain")
    v = match.look(0).copy()
    v.rounds = rounds
    shown = printed(plain_screen.draw(v, match.text, ["you", "seat 1", "seat 2"]))
    assert (f"Round {rounds}" in shown) == is_shown


def test_the_plain_screen_shows_a_player_what_they_have_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`recall` has it, and nothing for those who have chosen nothing."""
    match = Match(find("poison"), {"players": 3, "first": 0}, seed=bytes(32), speed="plain")
    recall = {0: {"own_choice": "R7"}, 1: {"own_choice": None}}
    monkeypatch.setattr(type(match.text), "recall", lambda _, v: recall[int(v.seat)])
    names = ["you", "seat 1", "seat 2"]
    shown = [printed(plain_screen.draw(match.look(seat), match.text, names)) for seat in recall]
    assert "own choice  R7" in shown[0]
    assert "own choice" not in shown[1]


def test_one_card_is_no_cards() -> None:
    assert [count_cards(n) for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]


def test_the_games_that_there_are_are_all_there() -> None:
    with pytest.raises(Fault, match=r"there are .* and \w+$"):
        find("no_such_game")


def test_a_record_of_the_terminal_has_nothing_to_verify() -> None:
    match = Match(find("poison"), {"players": 3}, seed=bytes(32), speed="plain")
    with pytest.raises(BadRecord, match=r'no "seal".* Only games at a table of a server have one'):
        read_seal(match.record())
