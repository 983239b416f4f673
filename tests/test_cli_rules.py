"""`theriac rules`: every clause is in the rules, in every language."""

from __future__ import annotations

import re

import pytest

from tests.command import call
from theriac.game import Game, all_games, find
from theriac.rulebook import clause_ids, languages, paragraphs, read_own_page, read_page
from theriac.testing.clauses import clauses_in
from theriac.testing.setups import is_built_in

GAMES = list(all_games().values())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_clause_is_there_once_in_every_language(game: Game) -> None:
    """English is enough; a game of Theriac itself that has more has all four."""
    assert "en" in languages(game)
    assert not is_built_in(game) or languages(game) in (["en"], ["en", "fr", "ja", "pt"])
    for language in languages(game):
        page = read_page(game, language)
        blocks = [block for block in paragraphs(page) if f"[{game.letters}-" in block]
        assert clause_ids(page) == sorted(clauses_in(game.folder))
        assert all(len(re.findall(r"\[[A-Z]+-\d+\]", block)) == 1 for block in blocks)
        assert len(blocks) == len(clauses_in(game.folder))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_all_languages_have_the_same_structure(game: Game) -> None:
    def structure(language: str) -> list[str]:
        parts = re.compile(r"(#* |- |).*?(\[[A-Z]+-\d+\]|)$")
        lines = read_page(game, language).splitlines()
        return [f"{found[1]}{found[2]}" for line in lines if (found := parts.match(line))]

    english = structure("en")
    for language in languages(game):
        assert structure(language) == english
        # What is typed or set has one name everywhere.
        code = sorted(re.findall(r"`[^`]+`", read_page(game, language)))
        assert code == sorted(re.findall(r"`[^`]+`", read_page(game)))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_option_is_named_at_its_clause(game: Game) -> None:
    for option in game.options:
        blocks = [block for block in paragraphs(read_page(game)) if f"[{option.clause}]" in block]
        assert f"`{option.name}`" in blocks[0]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_page_of_its_own_has_what_concerns_the_game(game: Game) -> None:
    others = [one for one in GAMES if one.folder == game.folder and one is not game]
    for language in languages(game):
        own, whole = read_own_page(game, language), read_page(game, language)
        assert "<!--" not in own + whole
        assert not re.search(r"## [^\n]*\n+(##|$)", own), "a heading with nothing below it"
        missing = set(clause_ids(whole)) - set(clause_ids(own))
        assert bool(missing) == bool(others)
        if not others:
            assert own == whole


def test_each_of_two_games_leaves_out_the_rules_of_the_other() -> None:
    shock, original = find("shock"), find("anaphylaxis")
    everything = clause_ids(read_page(shock))
    for language in languages(shock):
        chest = clause_ids(read_own_page(shock, language))
        doors = clause_ids(read_own_page(original, language))
        assert [one for one in everything if one not in chest] == [
            "SHK-05", "SHK-32", "SHK-43", "SHK-44", "SHK-46",
        ]  # fmt: skip
        assert [one for one in everything if one not in doors] == [
            "SHK-04", "SHK-27", "SHK-28", "SHK-29", "SHK-30", "SHK-31", "SHK-41", "SHK-42",
        ]  # fmt: skip
    assert "only:" not in read_own_page(shock)


@pytest.mark.parametrize("wanted", ["POI-11", "poi-11", "poi11", "11", "[POI-11]", "POI 11"])
def test_one_clause(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "rules", "poison", wanted).out
    assert "[POI-11]" in said
    assert "Exactly 13 is still safe" in said
    assert said.count("[POI-") == 1
    assert said.startswith("Your turn")


def test_the_whole_page(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "rules", "Poison").out
    assert all(f"[POI-{n:02}]" in said for n in range(1, 22))
    assert "\x1b" not in said


def test_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert "chaudron" in call(capsys, "rules", "poison", "--language", "fr").out
    assert "caldeirão" in call(capsys, "rules", "poison", "-l", "PT").out
    assert "大釜" in call(capsys, "rules", "poison", "11", "-l", "ja").out
