"""Every clause that can refuse has its sentence in every language, and no sentence has notation."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from theriac.game import all_games

GAMES = Path(__file__).parents[1] / "src" / "theriac" / "games"
FOLDERS = sorted(path.parent.parent.name for path in GAMES.glob("*/board/words"))
LANGUAGES = ("en", "fr", "ja", "pt")


def refusing_numbers(folder: Path) -> set[int]:
    """The numbers of the clauses that the functions `refuse…` and `silence` return."""
    found = set()
    for path in folder.glob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and function.name.startswith(
                ("refuse", "silence")
            ):
                found |= returned(function)
    return found - {0}


def returned(function: ast.FunctionDef) -> set[int]:
    """The numbers that a function returns, also those of `a if b else c`."""
    found = set()
    values = [each.value for each in ast.walk(function) if isinstance(each, ast.Return)]
    while values:
        value = values.pop()
        if isinstance(value, ast.IfExp):
            values += [value.body, value.orelse]
        elif isinstance(value, ast.Constant) and type(value.value) is int:
            found.add(value.value)
    return found


def sentences(folder: Path, language: str) -> dict[str, str]:
    """The sentences about refusals, by clause."""
    words = json.loads((folder / "board" / "words" / f"{language}.json").read_text("utf-8"))
    return {key[8:]: value for key, value in words.items() if key.startswith("refused.")}


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_that_refuses_has_a_sentence(folder: str, language: str) -> None:
    game = next(g for g in all_games().values() if g.module == f"theriac.games.{folder}")
    numbers = refusing_numbers(GAMES / folder)
    assert len(numbers) >= 6
    assert {game.clause(number) for number in numbers} <= set(sentences(GAMES / folder, language))


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_sentence_has_the_notation_of_moves(folder: str) -> None:
    for language in LANGUAGES:
        for clause, sentence in sentences(GAMES / folder, language).items():
            assert not set("~@=") & set(sentence), (language, clause, sentence)
