"""Every clause is carried out by the rules of its game and held by a test, each under its id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.site.clauses import pages
from tests.clauses import (
    ROOT,
    SOURCES,
    all_tests,
    clauses_in,
    folders,
    marks_in,
    ranges_in,
    rule_files,
)

FOLDERS = folders()

each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])


@each_folder
def test_every_clause_has_a_test(folder: Path) -> None:
    held = {id for test in all_tests() for id in test.clauses}
    assert sorted(set(clauses_in(folder)) - held) == []


@each_folder
def test_clauses_are_numbered_without_gaps(folder: Path) -> None:
    clauses = clauses_in(folder)
    letters = {id.split("-")[0] for id in clauses}
    assert len(letters) == 1
    numbers = sorted(int(id.split("-")[1]) for id in clauses)
    assert numbers == list(range(1, len(clauses) + 1))


@each_folder
def test_every_clause_says_where_it_comes_from(folder: Path) -> None:
    for clause in clauses_in(folder).values():
        assert clause.source
        assert set(clause.source) <= set(SOURCES)
        assert 0 < len(clause.title) <= 80
        assert "|" not in clause.title


@each_folder
def test_every_ruling_and_reconstruction_has_its_paragraph_among_the_rulings(folder: Path) -> None:
    page = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    heads = " ".join(re.findall(r"^\*\*(.*?)[.*]", page, re.MULTILINE))
    settled = [id for id, clause in clauses_in(folder).items() if set(clause.source) & set("JX")]
    assert [id for id in settled if id not in heads] == []


def test_no_test_names_an_unknown_clause() -> None:
    known = {id for folder in FOLDERS for id in clauses_in(folder)}
    unknown = {
        f"{test.path.name}: {test.name}: {id}"
        for test in all_tests()
        for id in test.clauses
        if id not in known
    }
    assert unknown == set()


def test_the_table_lists_every_clause_with_its_code_and_tests() -> None:
    table = pages()["clauses.md"].splitlines()
    rows = [line.split(" | ") for line in table if line.startswith("| [")]
    assert [row[0][3:9] for row in rows] == [id for folder in FOLDERS for id in clauses_in(folder)]
    assert all(".py:" in row[3] and "test_" in row[4] for row in rows)


@each_folder
def test_every_clause_is_named_where_the_rules_carry_it_out(folder: Path) -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in rule_files(folder))
    assert [id for id in clauses_in(folder) if id not in source] == []


def test_no_source_names_a_range_of_clauses() -> None:
    """A search for SHK-28 would not find "SHK-27 to SHK-30"."""
    homes = [*FOLDERS, ROOT / "tests" / "referee"]
    paths = [path for home in homes for path in home.rglob("*") if path.suffix in (".py", ".toml")]
    found = {path.name: ranges_in(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: ranges for name, ranges in found.items() if ranges} == {}


def test_marks_are_found_in_every_position(tmp_path: Path) -> None:
    path = tmp_path / "test_marks.py"
    path.write_text(
        """
@pytest.mark.clause("AAA-01", "AAA-02")
@pytest.mark.clause("AAA-03")
@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.clause("AAA-04")), 2])
def test_one(x): ...

class TestTwo:
    @pytest.mark.clause("AAA-05")
    def test_two(self): ...

def test_three(): ...

@pytest.mark.clause("AAA-06")
def helper(): ...
"""
    )
    found = {test.name: set(test.clauses) for test in marks_in(path)}
    assert found == {"test_one": {"AAA-01", "AAA-02", "AAA-03", "AAA-04"}, "test_two": {"AAA-05"}}
