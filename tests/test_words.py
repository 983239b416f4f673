"""Withdrawn words stay withdrawn. `python -m tests.words` lists what this test finds."""

from __future__ import annotations

import pytest

from tests.words import ALLOWED, ROOT, all_found, find

ENGINE = ROOT / "src" / "theriac" / "engine" / "example.py"


def test_no_withdrawn_word_is_left() -> None:
    assert [str(found) for found in all_found()] == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("# Compiled anew.", "anew"),
        ('"""Whoever asks is told."""', "Whoever is told"),
        ("# There are so\n# many of them.", "so # many"),
        ("URN = told_in = 1", "URN told_in"),
        ("doors = {}", "doors"),
        ("# Room for a list.", "Room"),
    ],
)
def test_withdrawn_words_are_found(text: str, word: str) -> None:
    assert " ".join(found.word for found in find(ENGINE, text)) == word


@pytest.mark.parametrize(
    "text",
    [
        "# The living room shows as many cards as there are.",
        "# so many that they do not fit",
        "untold = 1",
        "turn = return_value",
    ],
)
def test_other_words_are_not_found(text: str) -> None:
    assert list(find(ENGINE, text)) == []


def test_exceptions_name_files_that_exist() -> None:
    assert [name for name in ALLOWED if not (ROOT / name).exists()] == []
