"""Every clause has a mutant that can be applied. `make mutants` runs them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from theriac.testing.clauses import clauses_in
from tools.mutants import BadMutant, Mutant, mutants_of, own_folders, unbroken, write_broken

FOLDERS = own_folders()

each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])


@each_folder
def test_every_clause_has_a_mutant(folder: Path) -> None:
    assert unbroken(folder) == []


@each_folder
def test_every_mutant_can_be_applied(folder: Path) -> None:
    known = clauses_in(folder)
    for mutant in mutants_of(folder):
        assert mutant.clause in known
        source = mutant.path.read_text(encoding="utf-8")
        broken = mutant.apply(source)
        assert broken != source
        if mutant.path.suffix == ".py":
            compile(broken, mutant.path.name, "exec")


def mutant(find: str, within: str = "") -> Mutant:
    return Mutant("AAA-01", "broken", Path("rules.py"), find, "new", within)


SOURCE = "def one(a):\n    return a\n\n\ndef two(a):\n    return a\n"


def test_a_mutant_changes_one_place() -> None:
    assert mutant("return a", "two").apply(SOURCE) == SOURCE[:-9] + "new\n"


@pytest.mark.parametrize(
    ("find", "within", "fault"),
    [
        ("return a", "", "occurs 2 times"),
        ("return b", "one", "occurs 0 times"),
        ("return a", "three", "no function three"),
    ],
)
def test_a_mutant_that_is_not_found_once_is_refused(find: str, within: str, fault: str) -> None:
    with pytest.raises(BadMutant, match=fault):
        mutant(find, within).apply(SOURCE)


def test_mutants_of_the_same_size_are_not_mistaken_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python compiles a module again only if its size or the second of its time has changed."""
    path = tmp_path / "broken_rules.py"
    path.write_text("limit = 0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for number in range(1, 4):
        write_broken(path, f"limit = {number}\n", number)
        monkeypatch.delitem(sys.modules, path.stem, raising=False)
        module = importlib.import_module(path.stem)
        assert module.limit == number
