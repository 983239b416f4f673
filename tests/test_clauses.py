"""The clauses of all games on the pages of the documentation, and how tests name them.

`theriac.testing.test_clauses` checks the clauses of each game.
"""

from __future__ import annotations

from pathlib import Path

from docs.site.clauses import pages
from docs.site.games import own_games
from theriac.testing.clauses import clauses_in, folders, marked_in, marks_in

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = folders()


def test_no_test_names_an_unknown_clause() -> None:
    packages = [path.parent for path in (ROOT / "tests").rglob("clauses.toml")]
    known = {id for folder in (*FOLDERS, *packages) for id in clauses_in(folder)}
    unknown = {
        f"{test.path.name}: {test.name}: {id}"
        for test in marked_in(ROOT / "tests")
        for id in test.clauses
        if id not in known
    }
    assert unknown == set()


def test_the_table_lists_every_clause_with_its_code_and_tests() -> None:
    table = pages()["clauses.md"].splitlines()
    rows = [line.split(" | ") for line in table if line.startswith("| [")]
    listed = [row[0].removeprefix("| [").partition("]")[0] for row in rows]
    own = sorted({game.folder for game in own_games().values()})
    assert listed == [id for folder in own for id in clauses_in(folder)]
    assert all(".py:" in row[3] and "test_" in row[4] for row in rows)


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


def test_the_mark_of_a_file_is_one_of_each_of_its_tests(tmp_path: Path) -> None:
    path = tmp_path / "test_marks.py"
    path.write_text(
        """
pytestmark = pytest.mark.clause("AAA-01")

def test_one(): ...

@pytest.mark.clause("AAA-02")
def test_two(): ...
"""
    )
    found = {test.name: set(test.clauses) for test in marks_in(path)}
    assert found == {"test_one": {"AAA-01"}, "test_two": {"AAA-01", "AAA-02"}}
