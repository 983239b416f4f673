"""Every clause is carried out by the rules of its game and held by a test, each under its id."""

from __future__ import annotations

from theriac.game import Game
from theriac.testing.clauses import (
    LONGEST_TITLE,
    SOURCES,
    clauses_in,
    marked_in,
    ranges_in,
    unnamed,
    untested,
    without_ruling,
)


def test_every_clause_has_a_test(game: Game) -> None:
    assert untested(game.folder) == []


def test_no_test_names_an_unknown_clause(game: Game) -> None:
    known = clauses_in(game.folder)
    named = {(test.name, id) for test in marked_in(game.folder / "tests") for id in test.clauses}
    assert {(name, id) for name, id in named if id not in known} == set()


def test_clauses_are_numbered_without_gaps(game: Game) -> None:
    clauses = clauses_in(game.folder)
    assert list(clauses) == [game.clause(number) for number in range(1, len(clauses) + 1)]


def test_every_clause_says_where_it_comes_from(game: Game) -> None:
    for clause in clauses_in(game.folder).values():
        assert clause.source
        assert set(clause.source) <= set(SOURCES)
        assert 0 < len(clause.title) <= LONGEST_TITLE
        assert "|" not in clause.title


def test_every_clause_is_named_where_the_rules_carry_it_out(game: Game) -> None:
    assert unnamed(game.folder) == []


def test_every_ruling_and_reconstruction_has_its_paragraph(game: Game) -> None:
    assert without_ruling(game.folder) == []


def test_no_source_names_a_range_of_clauses(game: Game) -> None:
    """A search for SHK-28 would not find "SHK-27 to SHK-30"."""
    paths = [path for path in game.folder.rglob("*") if path.suffix in (".py", ".toml")]
    found = {path.name: ranges_in(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: ranges for name, ranges in found.items() if ranges} == {}
