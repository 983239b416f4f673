"""The files of a game beside its rules: deck, clauses, rule page, words, tutorial, test cases."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import itertools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from theriac.checks.report import Report
from theriac.deck import PROVENANCES
from theriac.encoding import actions, observation, usual_observation
from theriac.faults import Refused, listed
from theriac.game import Game
from theriac.rulebook import NOTATION, clause_ids, languages, read_notation, read_page
from theriac.testing.clauses import LONGEST_TITLE, without_ruling
from theriac.tutorial import match_at, read_tutorial

#: Where a clause comes from: rulebook, deduced, ruling, reconstructed.
_SOURCES: Final = frozenset("RDJX")
#: What the terminal needs of a screen.
SCREEN_PARTS: Final = ("INPUT_HELP", "paint", "draw", "describe_move", "summarize_round")


def check_deck(game: Game, report: Report) -> None:
    """Check that the shipped deck can be played with, and says where its facts come from."""
    file = game.deck_file
    if not (game.folder / file).exists():
        report.error(f"{file} is missing: how many copies there are of each card")
        return
    with report.guard(file, game.folder):
        content = tomllib.loads((game.folder / file).read_text(encoding="utf-8"))
        if not content.get("provenance"):
            report.error(f"{file}: [provenance] is missing: use {listed(list(PROVENANCES))}")
        problems, remarks = game.check_deck(game.shipped)
        for text in (*map(str, problems), *remarks):
            report.error(f"{file}: {text}")


# Clauses


def check_clauses(game: Game, report: Report) -> None:
    """Check that each clause is in the rules and on the rule page, and has a test."""
    clauses = _clauses(game, report)
    if not clauses:
        return
    sources = "".join(path.read_text("utf-8") for path in sorted(game.folder.glob("*.py")))
    tested = {clause for path in _tests(game) for clause in marked_clauses(path)}
    numbers = sorted(int(clause.rpartition("-")[2]) for clause in clauses)
    if numbers != list(range(1, len(numbers) + 1)):
        report.error("clauses.toml: the clauses are not numbered from 1 without gaps")
    for clause in clauses:
        if clause not in sources:
            report.error(f"{clause} is named nowhere in the rules: name it where it is carried out")
        if clause not in tested:
            report.error(f'{clause} has no test: mark one with @pytest.mark.clause("{clause}")')
    for clause in sorted(tested - set(clauses)):
        report.error(f"tests: {clause} is marked, but clauses.toml has no such clause")
    for clause in without_ruling(game.folder):
        report.error(f"rulings.md has no paragraph that begins with **{clause}**")
    _check_clauses_of_game(game, clauses, report)


def _clauses(game: Game, report: Report) -> list[str]:
    """The ids of the clauses, those that are well-formed."""
    file = game.folder / "clauses.toml"
    if not file.exists():
        report.error("clauses.toml is missing: the rules, one fact per clause")
        return []
    found = []
    with report.guard("clauses.toml", game.folder):
        for clause, row in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if not re.fullmatch(rf"{re.escape(game.letters)}-\d\d+", clause):
                report.error(f"clauses.toml: {clause} is not {game.letters} and a number")
            elif not isinstance(row, dict) or not row.get("title") or not row.get("from"):
                report.error(f'clauses.toml: {clause} needs from = "R" and a title')
            elif not set(row["from"]) <= _SOURCES:
                report.error(f"clauses.toml: {clause} comes from {row['from']}: use R, D, J or X")
            elif len(row["title"]) > LONGEST_TITLE or "|" in row["title"]:
                report.error(
                    f"clauses.toml: the title of {clause} is {len(row['title'])} characters: use "
                    f"up to {LONGEST_TITLE}, without |"
                )
                found.append(clause)  # the clause itself is there
            else:
                found.append(clause)
    return found


def _check_clauses_of_game(game: Game, clauses: list[str], report: Report) -> None:
    """Check the clauses that the game's description and its rule page name."""
    named = {
        "players_clause": game.clause(game.players_clause),
        "shuffle_clause": game.clause(game.shuffle_clause),
        "deck_clause": game.clause(game.deck_clause),
        **{f"the option {option.name}": option.clause for option in game.options},
    }
    for what, clause in named.items():
        if clause and clause not in clauses:
            report.error(f"__init__.py: {what} is {clause}, which clauses.toml does not have")
    if "en" not in languages(game):
        report.error("rules/en.md is missing: the rules for players, with the ids of the clauses")
        return
    explained = set(clause_ids(read_page(game)))
    for clause in clauses:
        if clause not in explained:
            report.error(f"rules/en.md does not name [{clause}]")
    for clause in sorted(explained - set(clauses)):
        report.error(f"rules/en.md names [{clause}], which clauses.toml does not have")


def _tests(game: Game) -> list[Path]:
    return sorted((game.folder / "tests").rglob("test_*.py"))


def marked_clauses(path: Path) -> Iterator[str]:
    """The ids in `pytest.mark.clause(...)` in a file of tests."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
            yield from (str(ast.literal_eval(argument)) for argument in node.args)


# Test cases


def check_cases(game: Game, report: Report) -> None:
    """Check that the tests over all games find small decks and exact counts."""
    name = f"{game.module}.tests.cases"
    if not (game.folder / "tests" / "cases.py").exists():
        report.error("tests/cases.py is missing: small decks (REDUCED) and exact counts (COUNTS)")
        return
    with report.guard("tests/cases.py", game.folder):
        module = importlib.import_module(name)
        reduced, counts = (_own(module, kind, game, report) for kind in ("REDUCED", "COUNTS"))
        if len(game.shape.piles) == 1:
            small = {case["options"].get("players") for case in reduced}
            for players in game.players:
                if players not in small:
                    report.error(f"tests/cases.py: REDUCED has no small deck for {players} players")
        elif not (game.folder / "tests" / "test_imagine.py").exists():
            report.error("tests/test_imagine.py is missing: with several piles, imagine needs one")
        for case in (*reduced, *counts):
            game.settings(case["options"], 0)
        if not any(case["deals"] for case in counts):
            report.error("tests/cases.py: COUNTS has no case with deals")


def _own(module: Any, kind: str, game: Game, report: Report) -> list[dict[str, Any]]:
    cases = getattr(module, kind, None)
    if cases is None:
        report.error(f"tests/cases.py: {kind} is missing")
    return [case for case in cases or () if case["game"] == game.name]


def check_playthroughs(game: Game, report: Report) -> None:
    """Check that there is a recorded game for every set of options, and for no other."""
    playthroughs = find_playthroughs()
    if playthroughs is None:
        report.warn("playthroughs: not checked; pip install 'theriac-games[testing]'")
        return
    with report.guard("tests/playthroughs", game.folder):
        missing = playthroughs.missing_playthroughs(game)
        if missing:
            report.error(
                f"tests/playthroughs: {len(missing)} are missing, such as {missing[0].name}: "
                f"theriac check {game.name} --write-playthroughs"
            )
        stale = playthroughs.stale_playthroughs(game)
        if stale:
            report.error(
                f"tests/playthroughs: {len(stale)} are of options that the game does not have, "
                f"such as {stale[0].name}: theriac check {game.name} --write-playthroughs"
            )


def find_playthroughs() -> Any:
    """The module that plays and writes playthroughs; None without the packages that it needs."""
    try:
        return importlib.import_module("theriac.testing.playthroughs")
    except ModuleNotFoundError:
        return None


# The rest


def check_encoding(game: Game, report: Report) -> None:
    """Check that `encoding.toml` describes each number of an observation and each action."""
    if not (game.folder / "encoding.toml").exists():
        report.warn("encoding.toml is missing: what the numbers of an observation mean")
        return
    with report.guard("encoding.toml", game.folder):
        described = sum(feature.indices.size for feature in observation(game))
        if described != game.shape.features:
            report.error(
                f"encoding.toml describes {described} numbers, encode writes "
                f"{game.shape.features}{_where_it_differs(game)}"
            )
        for feature in observation(game):
            for field in sorted(feature.reads - set(game.shape.view.names or ())):
                report.error(f"encoding.toml: {feature.name} reads {field}, which VIEW lacks")
        text = game.settings({"players": game.players[0], "first": 0}).text
        counted = sum(kind.count for kind in actions(game))
        if counted != text.actions:
            report.error(f"encoding.toml describes {counted} actions, there are {text.actions}")


def _where_it_differs(game: Game) -> str:
    """From which group on the description differs from the usual `encode`; for an `encode` of the
    game's own, where each group begins.
    """
    groups = observation(game)
    if "encode" not in game.derived:
        begins = [f"{feature.name} at {feature.first}" for feature in groups]
        return f": as described, {listed(begins, 'and')} begin"
    for feature, field in itertools.zip_longest(groups, usual_observation(game)):
        if feature is None:
            return f": {field.name}, {field.indices.size} numbers from {field.first} on, is missing"
        if field is None:
            return f": there is nothing from {feature.name} on"
        if feature.indices.tolist() != field.indices.tolist():
            return (
                f": they differ from {feature.name} on, where encode writes the "
                f"{field.indices.size} numbers of {field.name}"
            )
    return ""


def check_tutorial(game: Game, report: Report) -> None:
    """Check that every step of the tutorial can be played."""
    file = f"tutorial/{game.name}.toml"
    if not (game.folder / file).exists():
        report.warn(f"{file} is missing: the game has no tutorial")
        return
    with report.guard(file, game.folder):
        match = match_at(game, 0, "plain")
        for number, step in enumerate(read_tutorial(game).steps):
            where = f"{file}: step {number} ({step.say})"
            if step.attempt is not None:
                _check_attempt(match, step, where, report)
            before = len(report.errors)
            with report.guard(where, game.folder):
                for move in step.moves:
                    match.play(move)
            if len(report.errors) > before:
                return  # the moves of the next steps belong to another position


def _check_attempt(match: Any, step: Any, where: str, report: Report) -> None:
    """Check that a move which the learner is to try is refused, by the clause that is given."""
    if step.attempt in match.legal():
        report.error(f"{where}: {step.attempt} is to be refused, but it is legal")
        return
    try:
        match.play(step.attempt)
    except Refused as refused:
        if refused.clause != step.clause:
            report.error(f"{where}: {step.attempt} is refused by {refused.clause}")


def check_notation(game: Game, report: Report) -> None:
    """Check that `notation.md` says how the game is written."""
    if not (game.folder / "notation.md").exists():
        report.warn("notation.md is missing: how cards, moves and the table are written in records")
        return
    found = read_notation(game.folder)
    for heading in NOTATION:
        if not found.get(heading):
            report.error(f"notation.md has nothing under the heading ## {heading}")


def check_optional_files(game: Game, report: Report) -> None:
    """Check for the files that a game can be played without."""
    if not (game.folder / "tests" / "referee.py").exists():
        report.warn("tests/referee.py is missing: the same rules again, for the tests to compare")
    if importlib.util.find_spec(f"{game.module}.screen") is None:
        report.warn("screen.py is missing: the terminal shows the game in plain words")
    else:
        _check_screen(game, report)
    if not (game.folder / "board").is_dir():
        report.warn("board/ is missing: the page shows the game on its text board")


def _check_screen(game: Game, report: Report) -> None:
    """Check that a screen has all that the terminal needs."""
    with report.guard("screen.py", game.folder):
        for name in SCREEN_PARTS:
            if not hasattr(game.screen, name):
                report.error(
                    f"screen.py has no {name}: write it, or take the plain one with "
                    f"from theriac.game.plain_screen import {name}"
                )
