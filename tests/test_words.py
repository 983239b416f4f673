"""Withdrawn words stay withdrawn. `python -m tests.words` lists what this test finds."""

from __future__ import annotations

import pytest

from tests.words import ALLOWED, ROOT, all_found, find, sources

ENGINE = ROOT / "src" / "theriac" / "engine" / "example.py"
PAGE = ROOT / "web" / "src" / "example.svelte"
SERVER_TEST = ROOT / "tests" / "server" / "example.py"


def test_no_withdrawn_word_is_left() -> None:
    assert [str(found) for found in all_found()] == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("# Compiled anew.", "anew"),
        ('"""Whoever asks is told."""', "Whoever told"),
        ("def test_a_client_is_told_so_many_things(): pass", "told so many"),
        ("# There are so\n# many of them.", "so # many"),
        ("URN = wish_of = 1", "URN wish_of"),
        ("doors = {}", "doors"),
        ("# Room for a list.", "Room"),
    ],
)
def test_withdrawn_words_are_found(text: str, word: str) -> None:
    assert " ".join(found.word for found in find(ENGINE, text)) == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("PATIENCE = 1.0", "PATIENCE"),
        ("eyes = []", "eyes"),
        ("room = welcome['table']", "room"),
        ('"""A room of two players."""', "room"),
    ],
)
def test_withdrawn_words_are_found_in_tests(text: str, word: str) -> None:
    assert " ".join(found.word for found in find(SERVER_TEST, text)) == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("// Whoever looks elsewhere is called.", "Whoever"),
        ("<!-- Drawn anew. -->", "anew"),
        ("const eyeOf = (seat) => wishes[seat];", "eyeOf wishes"),
    ],
)
def test_withdrawn_words_are_found_in_the_page(text: str, word: str) -> None:
    assert " ".join(found.word for found in find(PAGE, text)) == word


def test_names_in_comments_and_texts_of_the_page_are_not_found() -> None:
    text = """const dot = "eye"; // an eye's pupil
/* The mouth
   and the eyes */ <p class='eye'>{say(`replay.eyes`)}</p>"""
    assert list(find(PAGE, text)) == []


def test_the_line_of_a_name_in_the_page_is_counted() -> None:
    assert [found.line for found in find(PAGE, '/* a\n\n b */ "\'"\nlet eye;')] == [4]


def test_a_key_of_the_wire_is_not_found() -> None:
    assert list(find(SERVER_TEST, 'table_info = welcome["room"]')) == []


def test_an_exception_allows_only_its_words() -> None:
    path = ROOT / "tests" / "faults" / "store_check.py"
    found = find(path, 'query = "SELECT room FROM rooms"; eye = 0')
    assert [each.word for each in found] == ["eye"]


def test_the_tests_of_the_games_and_of_the_server_are_checked() -> None:
    folders = {path.parent.relative_to(ROOT).as_posix() for path in sources()}
    assert {"tests", "tests/server", "src/theriac/games/poison/tests"} <= folders


def test_the_tools_and_the_page_are_checked() -> None:
    folders = {path.parent.relative_to(ROOT).as_posix() for path in sources()}
    page = {"web/src", "web/src/table", "web/tests", "src/theriac/games/poison/board"}
    assert page | {"tools"} <= folders


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
