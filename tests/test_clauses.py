"""Every clause of the rules is held by a test, and the table that says so is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clauses import PAGE, SOURCES, all_tests, clauses_in, folders, marks_in, page

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


def test_no_test_names_an_unknown_clause() -> None:
    known = {id for folder in FOLDERS for id in clauses_in(folder)}
    unknown = {
        f"{test.path.name}: {test.name}: {id}"
        for test in all_tests()
        for id in test.clauses
        if id not in known
    }
    assert unknown == set()


def test_the_table_is_up_to_date() -> None:
    """If not: python -m tests.clauses"""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_marks_are_found_wherever_they_can_stand(tmp_path: Path) -> None:
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
