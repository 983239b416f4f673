"""`theriac deck`: decks shown, checked and played with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import call
from theriac.deck import Deck, parse_deck
from theriac.game import all_games, find

#: A deck file with one line for many cards.
PATTERN = 'game = "poison"\n[cards]\n"{}" = 3\n'


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def test_the_shipped_decks_can_be_copied_and_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, game in all_games().items():
        shown = call(capsys, "deck", "show", name).out
        assert parse_deck(shown) == (name, game.shipped)
        (tmp_path / "deck.toml").write_text(shown)
        said = call(capsys, "deck", "check", tmp_path / "deck.toml")
        assert said.status == 0
        assert f"{len(game.shipped)} cards of {name}, for " in said.out
        assert "the same cards as in the rulebook" in said.out


def small_deck(path: Path, cards: str = "R1 = 2\nB5 = 2\nX = 2\n") -> Path:
    path.write_text(f'game = "poison"\n[cards]\n{cards}')
    return path


def test_a_custom_deck_is_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = small_deck(tmp_path / "small.toml")
    said = call(capsys, "deck", "check", file)
    assert "6 cards of poison, for 3, 4, 5 or 6 players" in said.out
    assert "differs from the rulebook: 2 poison cards instead of 8 (POI-01)" in said.out
    report = json.loads(call(capsys, "deck", "check", file, "--json").out)
    assert (report["playable"], report["players"], report["cards"]) == (True, [3, 4, 5, 6], 6)
    assert report["problems"] == []
    assert len(report["remarks"]) == 16


def test_a_deck_may_fit_few_players_only(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = small_deck(tmp_path / "small.toml", "R1 = 2\nX = 2\n")
    assert json.loads(call(capsys, "deck", "check", file, "--json").out)["players"] == [3, 4]


def test_braces_in_a_line_name_many_cards() -> None:
    assert parse_deck(PATTERN.format("{R,B}{1..2,7}") + "X = 4\n")[1] == Deck(
        {"R1": 3, "R2": 3, "R7": 3, "B1": 3, "B2": 3, "B7": 3, "X": 4}
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            'game = "poison"\n[cards]\nR1 = 1\n',
            "no number of players can play with these cards: for 3, 4 hands need",
        ),
        ('game = "poison"\n[cards]\nZ1 = 10\n', "card Z1: not R, B or P and a value, nor X"),
        ('game = "poison"\n[cards]\nR1 = 60\n', "60 cards: at most 50 (POI-01)"),
        (
            'game = "poison"\n[cards]\nR1 = "3"\n',
            'card R1: "3" is not a number of cards (0 to 1000)',
        ),
        ('game = "chess"\n[cards]\nR1 = 1\n', "no game is called chess"),
        ('game = "poison"\n[cards]\nR1 = true\n', "card R1: true is not a number of cards"),
        ('game = "poison"\n[cards.R1]\nx = 1\n', "card R1: a table is not a number of cards"),
        ('game = "poison"\n', "the cards are missing"),
        ('game = "poison"\ncards = 3\n', "cards: 3 is not a table: write [cards]"),
        ("[cards]\nR1 = 1\n", "the game is missing"),
        ("game = 3\n[cards]\nR1 = 1\n", "game: 3 is not a text: write one, such as game ="),
        ("cards = \n", "not TOML: Invalid value (at line 1, column 9); theriac deck show prints"),
        ('game = "poison"\n[marks]\njewel = []\n[cards]\nX = 9\n', "mark jewel: leave it out"),
        (PATTERN.format("{R,B"), "cards {R,B: the braces do not match"),
        (PATTERN.format("{R,{B}}1"), "the braces do not match"),
        (PATTERN.format("{R,R}1"), "cards {R,R}1: braces list R twice"),
        (PATTERN.format("R{7..1}"), "cards R{7..1}: write 7..1 upwards: 1..7"),
        (PATTERN.format("R{1..}"), "cards R{1..}: 1.. is not a range such as 2..10"),
        (PATTERN.format("{R,}1"), "nothing is between two commas or braces: write a text"),
        (PATTERN.format("{R, B}1"), "cards {R, B}1: leave out the spaces in braces"),
        (PATTERN.format("{0..9999}{0..9999}"), "100000000 different cards: at most 1000"),
        (PATTERN.format("{B,R}1") + "R1 = 1\n", "card R1: two lines of [cards] name it"),
    ],
)
def test_a_deck_that_cannot_be_played_is_refused(
    text: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    said = call(capsys, "deck", "check", file)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1
    said = call(capsys, "deck", "check", file, "--json")
    assert said.status == 2
    report = json.loads(said.out)
    assert report["playable"] is False
    assert sentence in report["problems"][0]


def test_the_command_that_is_shown_plays_with_the_deck(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A deck for two players only, in a file whose name has a space."""
    file = tmp_path / "for two.toml"
    file.write_text('game = "shokoba"\n[cards]\nS1 = 4\nR2 = 3\nE3 = 3\n')
    said = call(capsys, "deck", "check", file)
    assert "10 cards of shokoba, for 2 players" in said.out
    assert said.out.endswith(f"theriac play shokoba --players 2 --deck '{file}'\n")


def test_a_game_for_one_number_of_players_names_it() -> None:
    for_three = replace(find("poison"), players=(3,))
    (fault,), _ = for_three.check_deck(Deck({"R1": 1}))
    assert str(fault).startswith("3 players cannot play with these cards: 4 hands need at least 4")


def test_a_game_that_makes_no_remarks_has_its_differences_counted() -> None:
    usual = Deck({f"C{card}": 2 for card in range(1, 9)})
    assert usual.differences(usual) == []
    assert usual.differences(Deck({**usual.counts, "C1": 3, "X": 1})) == [
        "3 C1 instead of 2",
        "1 X instead of 0",
    ]
    assert usual.differences(Deck({"C1": 2}))[4:] == [
        "0 C6 instead of 2",
        "and so for 2 more cards",
    ]
    assert usual.differences(Deck(usual.counts, {"jewel": ["C1"]})) == ["other marks"]


def test_a_deck_that_is_not_text_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    said = call(capsys, "deck", "check", tmp_path / "bad.toml")
    assert said.status == 2
    assert "not UTF-8 text" in said.err


def test_positions_of_a_custom_deck_can_be_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = small_deck(tmp_path / "small.toml")
    shown = call(capsys, "count", "poison", "-p", 3, "--deck", file, "--depth", 2, "--json").out
    assert json.loads(shown)["counts"] == [1, 3, 9]


def test_a_deck_of_another_game_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = small_deck(tmp_path / "small.toml")
    said = call(capsys, "count", "shokoba", "--depth", 1, "--deck", file)
    assert said.status == 2
    assert "this is a deck of poison, not of shokoba" in said.err
    assert find("poison").shipped.cards()
