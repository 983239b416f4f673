"""`theriac play dungeon`: typed input and the moves it means."""

from __future__ import annotations

import re

import pytest

from tests.forts import DUNGEON, GUIDE, alone
from theriac.faults import Fault
from theriac.match import Match

TURNS = ["0122", "0122c1", "1112", "2332t3", "0000s", "0131"]


def hand_of(*cards: str) -> Match:
    deck = [*cards, "0000s", "0000s", "4444t3K"]
    given = {"players": 1, "first": 0, "level": 1, "spells": ["ice", "poison"], "deck": deck}
    return Match(DUNGEON, given, deals=[deck[:-1]], speed="plain")


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("0122@1,1", "0122@1,1"),
        ("0122r@-1,1", "0122r@-1,1"),
        ("0122 a", "0122@-1,-1"),
        ("0122 b", "0122@1,-1"),
        ("0122 (c)", "0122@-1,1"),
        ("0122  D", "0122@1,1"),
        ("0122r d", "0122r@1,1"),
        ("0122 r d", "0122r@1,1"),
        ("0122R D", "0122r@1,1"),
        ("0122 1,1", "0122@1,1"),
        ("0122 1 -1", "0122@1,-1"),
        ("0122@d", "0122@1,1"),
        ("0122C1 d", "0122c1@1,1"),
        ("0122c d", "0122c1@1,1"),
        ("2332 d", "2332t3@1,1"),
        ("2332r d", "2332t3@1,1"),
        ("0000r d", "0000s@1,1"),
        ("1112r d", "1112r@1,1"),
        ("0122 5,5", "0122@5,5"),
        ("4444 d", "4444t3K@1,1"),
        ("0122", "0122"),
        ("nonsense", "nonsense"),
        ("", ""),
        ("0122@", "0122@"),
        ("ice 0,0", "ice@0,0"),
        ("ICE@0,0", "ice@0,0"),
        ("poison 0,0 tl", "poison@0,0:tl"),
        ("poison@0,0:BR", "poison@0,0:br"),
        ("poi 0 0 tl", "poison@0,0:tl"),
    ],
)
def test_typed_input_is_read_as_a_move(typed: str, move: str) -> None:
    match = hand_of(*TURNS)
    assert GUIDE.read_move(typed, match.look(0), match.settings.text) == move


def test_spells_on_creatures_by_their_letters() -> None:
    match = alone("2222t3", spells=["fireball", "ice", "poison"])
    v, text = match.look(0), match.settings.text
    assert GUIDE.read_move("fireball A", v, text) == "fireball@0,0"
    assert GUIDE.read_move("fire a", v, text) == "fireball@0,0"
    assert GUIDE.read_move("poison a br", v, text) == "poison@0,0:br"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("0122 zz", "no place is called zz: they are a to d"),
        ("0122c1 5", "no place is called 5"),
        ("ice A", "no creature is called a: there is none that stands"),
        ("ice", "ice needs a creature"),
        ("poison 0,0", "poison needs a creature and a corner"),
        ("fireball 0,0", "the spell fireball is not held"),
        ("silence now", "the spell silence is not held"),
    ],
)
def test_input_that_means_no_move_is_refused(typed: str, sentence: str) -> None:
    match = hand_of(*TURNS)
    with pytest.raises(Fault, match=re.escape(sentence)):
        GUIDE.read_move(typed, match.look(0), match.settings.text)


def test_ambiguous_input_is_refused_with_the_candidates() -> None:
    match = hand_of("0122c1", "0122c2", "0131", "0131", "0131", "0131")
    with pytest.raises(Fault, match="0122 could be 0122c1 or 0122c2: type more of it"):
        GUIDE.read_move("0122 a", match.look(0), match.settings.text)
    assert GUIDE.read_move("013 a", match.look(0), match.settings.text) == "013 a"
