"""`theriac check`: one list of plain sentences says what is missing or wrong in a game."""

from __future__ import annotations

import itertools
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import call
from theriac.checks import check_target, imagined, leaks, play
from theriac.faults import Fault
from theriac.game import all_games, find
from theriac.new_game import plan_game, write_game

POISON = find("poison")
FOR_THREE = """
REDUCED = [case for case in REDUCED if case["options"]["players"] == 3]
COUNTS = [case for case in COUNTS if case["options"]["players"] == 3]
"""
_numbers = itertools.count()


@pytest.fixture(autouse=True)
def _short_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """These mistakes show in few positions; to look at all that a user's check does takes long."""
    monkeypatch.setattr(leaks, "_GAMES", 1)
    monkeypatch.setattr(leaks, "_IMAGINED", 2)
    monkeypatch.setattr(imagined, "_POSITIONS", 2)
    monkeypatch.setattr(play, "_CLOSE", 8)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of Poison, for three players, in a package that is not installed."""
    monkeypatch.setenv("THERIAC_JIT", "0")
    name = f"brew{next(_numbers)}"
    ignored = shutil.ignore_patterns("__pycache__", "playthroughs", "board", "networks")
    folder = tmp_path / name
    shutil.copytree(POISON.folder, folder, ignore=ignored)
    for path in folder.rglob("*.py"):
        path.write_text(path.read_text("utf-8").replace("theriac.games.poison", name), "utf-8")
    replace(folder / "__init__.py", "players=(3, 4, 5, 6)", "players=(3,)")
    with (folder / "tests" / "cases.py").open("a", encoding="utf-8") as file:
        file.write(FOR_THREE)
    yield folder
    for module in [known for known in sys.modules if known.split(".")[0] == name]:
        del sys.modules[module]
    sys.path.remove(str(tmp_path))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def errors(folder: Path) -> list[str]:
    _, report = check_target(str(folder), compiled=False)
    return [error for error in report.errors if "playthroughs" not in error]


def test_a_game_without_a_mistake_has_no_errors(package: Path) -> None:
    assert errors(package) == []


def test_a_hand_may_hold_what_the_deck_does_not_have(package: Path) -> None:
    replace(package / "text.py", "        return hand\n", '        return ["coin", *hand]\n')
    assert errors(package) == []


#: For each mistake the file, what is replaced in it by what, and what is said.
MISTAKES = {
    "a field that the engine reads": (
        ("state.py", '("rounds", np.int16)', '("turns", np.int16)'),
        "state.py: STATE has no field rounds (the number of the round)",
    ),
    "a narrow field": (
        ("state.py", '("undealt", np.int16)', '("undealt", np.int8)'),
        "state.py: STATE.undealt is narrow (int8) and overflows when it is summed: use np.int16",
    ),
    "a field with the name of a method": (
        ("state.py", '("undealt", np.int16)', '("take", np.int16)'),
        "state.py: STATE.take has the name of a method of NumPy's records: rename it",
    ),
    "a field that is not there": (
        ("rules.py", "g.undealt -= 1", "g.undelt -= 1"),
        "in the rule deal, STATE has no field undelt: did you mean undealt?",
    ),
    "a misspelled function": (
        ("bots.py", "def advise(", "def advice("),
        "bots.py:17: there is a rule advice, which nothing uses: did you mean advise?",
    ),
    "a function that is not marked": (
        ("bots.py", "@rule\ndef advise(", "def advise("),
        "bots.py:17: advise is not marked with @rule",
    ),
    "two functions of one name": (
        (
            "bots.py",
            "@rule\ndef advise(",
            "@rule\ndef score() -> int:\n    return 0\n\n\n@rule\ndef advise(",
        ),
        "bots.py and rules.py both have a rule score: rename one",
    ),
    "a field that nothing fills": (
        ("state.py", '("seat", np.int16), ', '("seat", np.int16), ("mood", np.int16), '),
        "it is not derived, since STATE does not have what VIEW calls mood",
    ),
    "an open field of two types": (
        ("state.py", '*_OPEN, ("seat"', '*_OPEN[1:], ("to_act", np.int32), ("seat"'),
        "to_act is int16 in STATE and int32 in VIEW: make them equal",
    ),
    "a hand that cannot be imagined": (
        ("view.py", "def imagine(", "def deal_again("),
        "it is not derived, since",
    ),
    "a misspelled entry": (
        ("__init__.py", "gpu=gpu.HINTS", "gpu=gpu.HINTS, rules={'advize': gpu.HINTS}"),
        "rules: the contract has no function advize: did you mean advise?",
    ),
    "a parameter too many": (
        ("rules.py", "def score(g: Any, seat: int)", "def score(g: Any, seat: int, turn: int)"),
        "score takes (g, seat, turn): it is given (g, seat)",
    ),
    "a list": (
        ("rules.py", "    return g.scores[seat]\n", "    return [g.scores[seat]][0]\n"),
        "in the rule score, a list does not compile: use a field of the record",
    ),
    "a name that is not defined": (
        ("rules.py", "g.to_act = NOBODY", "g.to_act = NOONE"),
        "in the rule end_round, the name NOONE is not defined: did you mean NONE?",
    ),
    "a legal move that is refused": (
        (
            "rules.py",
            "        return 20\n",
            "        return 20\n    if move == 3:\n        return 9\n",
        ),
        "which refuse forbids (POI-09)",
    ),
    "a result that is not shared": (
        ("rules.py", "return 1.0 / equal", "return 2.0 / equal"),
        "the results add up to 2: the winners share 1",
    ),
    "a key that is not described": (
        ("text.py", '"dealer": int(v.dealer),', '"dealer": int(v.dealer), "rest": 0,'),
        "notation.md does not describe `rest`, which is in the table",
    ),
    "a number of NumPy's": (
        ("text.py", '"dealer": int(v.dealer),', '"dealer": v.dealer,'),
        "text.py: table['dealer'] is of the type int16, which JSON does not have: write int(...)",
    ),
    "a clause that is not there": (
        ("rules.py", "            return 8\n", "            return 38\n"),
        "refuse returns 38, but clauses.toml has no POI-38",
    ),
    "a range that is not checked": (
        ("rules.py", "move <= MALFORMED or move >= MOVES", "move <= MALFORMED"),
        "refuse raises IndexError for the number 48, which is not a move: check the range first",
    ),
    "numbers below zero": (
        (
            "rules.py",
            "move <= MALFORMED or move >= MOVES:\n        return 7",
            "move < 0:\n        return 0",
        ),
        "refuse allows the number -1, which is not a move: check the range first",
    ),
    "a text that cannot be read": (
        ("text.py", "        if not parts:\n            return MALFORMED\n", ""),
        "read raises TypeError for '': return a negative number for a text that names no move",
    ),
    "a move with two texts": (
        (
            "text.py",
            "_MOVE.fullmatch(text)\n        if not",
            "_MOVE.fullmatch(text.strip())\n        if not",
        ),
        "' R1@1' reads as R1@1: a move has one text",
    ),
    "a move of digits only": (
        ("text.py", "return self._moves[move]", "return str(move)"),
        "the move 0 is digits only: in the terminal a number is a place in the list of moves",
    ),
    "cards that imagine loses": (
        ("view.py", "g.hands[seat, card] += 1", "g.hands[seat, card] = 1"),
        "cards, it has 12: does play keep sizes and seen, and has every place its capacity?",
    ),
    "a number that encode leaves out": (
        ("view.py", "    out[n + 1] = v.left / MOST_CARDS\n", ""),
        "encode leaves out number",
    ),
    "a hand that imagine forgets": (
        ("view.py", "g.hands[v.seat, card] = v.hand[card]", "g.hands[v.seat, card] = 0"),
        "imagine gives a state that the seat would see differently, in hand",
    ),
    "an exception": (
        (
            "rules.py",
            "g.cauldrons[cauldron, g.filled[cauldron]] = card",
            "g.cauldrons[9, 0] = card",
        ),
        "IndexError: index 9 is out of bounds for axis 0 with size 3 (rules.py:",
    ),
    "a deck that is not a deck": (
        ("deck.toml", "[cards]", "[crads]"),
        "deck.toml: unknown key crads",
    ),
    "a deck without sources": (
        ("deck.toml", '[provenance]\ncounts = "rulebook"\nvalues = "rulebook"\n', ""),
        "deck.toml: [provenance] is missing",
    ),
    "a clause without a test": (
        ("clauses.toml", "POI-21 = {", 'POI-22 = { from = "R", title = "New" }\nPOI-21 = {'),
        'POI-22 has no test: mark one with @pytest.mark.clause("POI-22")',
    ),
    "a long title": (
        (
            "clauses.toml",
            "POI-21 = {",
            f'POI-22 = {{ from = "R", title = "{"x" * 81}" }}\nPOI-21 = {{',
        ),
        "clauses.toml: the title of POI-22 is 81 characters: use up to 80, without |",
    ),
    "a ruling without a paragraph": (
        ("clauses.toml", "POI-21 = {", 'POI-22 = { from = "J", title = "New" }\nPOI-21 = {'),
        "rulings.md has no paragraph that begins with **POI-22**",
    ),
    "an unknown parameter of search": (
        ("__init__.py", '"exploration": 0.3', '"curiosity": 0.3'),
        "search has no parameter curiosity: use exploration, playout_width, width, rounds or reuse",
    ),
    "an option without a field": (
        ("state.py", '("open_piles", np.int16)', '("open_heaps", np.int16)'),
        "there is an option open_piles, but OPTIONS in state.py has no field open_piles: add it",
    ),
    "a mistake of Python": (
        ("rules.py", "from typing import Any", "from typing import Any,"),
        "SyntaxError: trailing comma not allowed without surrounding parentheses (rules.py:",
    ),
    "a clause that no rule names": (
        ("clauses.toml", "POI-21 = {", 'POI-22 = { from = "R", title = "New" }\nPOI-21 = {'),
        "POI-22 is named nowhere in the rules",
    ),
    "a clause that players cannot read": (
        ("rules/en.md", "[POI-21]", ""),
        "rules/en.md does not name [POI-21]",
    ),
    "a small deck": (
        ("tests/cases.py", '"players": 3, "first": 1', '"players": 4, "first": 1'),
        "tests/cases.py: REDUCED has no small deck for 3 players",
    ),
    "a sentence of the tutorial": (
        ("tutorial/words/fr.json", '"goal":', '"gaol":'),
        "tutorial/words/fr.json lacks goal, which en.json has",
    ),
    "a move of the tutorial": (
        ("tutorial/poison.toml", 'play = "R5@1"', 'play = "R9@1"'),
        "tutorial/poison.toml: step 1 (turn): R9@1: no card R9 is in the deck (POI-01)",
    ),
    "an attempt of the tutorial": (
        ("tutorial/poison.toml", 'clause = "POI-08"', 'clause = "POI-09"'),
        "step 2 (colour): R1@3 is refused by POI-08",
    ),
    "a number that is not described": (
        ("encoding.toml", "count = 16", "count = 17"),
        "encoding.toml describes",
    ),
    "no games": (
        ("__init__.py", "GAMES = (", "GAME = ("),
        "has no tuple GAMES of games: write GAMES = (Game(...),)",
    ),
    "a module that is not there": (
        ("__init__.py", "import PoisonText", "import PoisonTexts"),
        "ImportError: cannot import name 'PoisonTexts'",
    ),
}


def test_a_missing_function_is_found(package: Path) -> None:
    """It would play on as 0."""
    replace(package / "bots.py", "def prospect(", "def outlook(")
    said = 'can expect in a state between two rounds; or write wins="highest" or wins="lowest"'
    assert any(
        error.startswith("the function prospect is missing: ") and said in error
        for error in errors(package)
    )


def test_a_misspelled_function_is_found(package: Path) -> None:
    replace(package / "bots.py", "def prospect(", "def prospects(")
    said = "bots.py:57: there is a rule prospects, which nothing uses: did you mean prospect?"
    assert errors(package) == [said]


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_found(name: str, package: Path) -> None:
    (file, old, new), said = MISTAKES[name]
    replace(package / file, old, new)
    found = errors(package)
    assert any(said in error for error in found), found
    assert all("\n" not in error for error in found)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("deck.toml", "deck.toml is missing: how many copies there are of each card"),
        ("clauses.toml", "clauses.toml is missing: the rules, one fact per clause"),
        ("rules/en.md", "rules/en.md is missing: the rules for players"),
        ("tests/cases.py", "tests/cases.py is missing: small decks (REDUCED) and exact counts"),
        ("tutorial/words/en.json", "tutorial/words/en.json is missing"),
    ],
)
def test_missing_files_are_found(file: str, said: str, package: Path) -> None:
    (package / file).unlink()
    assert any(said in error for error in errors(package)), errors(package)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("encoding.toml", "encoding.toml is missing: what the numbers of an observation mean"),
        ("tutorial/poison.toml", "tutorial/poison.toml is missing: the game has no tutorial"),
        ("tests/referee.py", "tests/referee.py is missing: the same rules again, for the tests"),
        ("screen.py", "screen.py is missing: the terminal shows the game in plain words"),
        ("rules/ja.md", "there is no translation into ja in rules: English is shown"),
        ("tutorial/words/ja.json", "there is no translation into ja in tutorial/words: English"),
    ],
)
def test_what_can_be_done_without_is_a_warning(file: str, said: str, package: Path) -> None:
    (package / file).unlink()
    _, report = check_target(str(package), compiled=False)
    assert any(said in warning for warning in report.warnings), report.warnings
    assert not any("playthroughs" not in error for error in report.errors)


def test_all_violations_of_the_dialect_are_listed(package: Path) -> None:
    """Importing stops at the first."""
    replace(package / "rules.py", "    return g.scores[seat]\n", "    return [g.scores[seat]][0]\n")
    replace(
        package / "view.py", "    copy_open(v, g)\n", "    assert v.seat < 9\n    copy_open(v, g)\n"
    )
    found = errors(package)
    assert len(found) == 2
    assert "in the rule score, a list does not compile" in found[0]
    assert "in the rule imagine, assert does not compile" in found[1]


def test_a_project_names_its_games_by_entry_points(package: Path) -> None:
    project = package.parent
    assert check_target(str(package), compiled=False)[0][0].name == "poison"
    with pytest.raises(Fault, match=r"neither an __init__.py nor a pyproject.toml"):
        check_target(str(project))
    (project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    with pytest.raises(Fault, match=r"it names no game: write \[project.entry-points"):
        check_target(str(project))
    entry = f"[project.entry-points.'theriac.games']\nbrew = '{package.name}'\n"
    (project / "pyproject.toml").write_text(entry)
    games, _ = check_target(str(project), compiled=False)
    assert [game.module for game in games] == [package.name]


@pytest.fixture
def tricks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The template that deals hidden cards, as a new game in a package that is not installed."""
    monkeypatch.setenv("THERIAC_JIT", "0")
    plan = plan_game(f"fresh{next(_numbers)}", "tricks", None, tmp_path / "out")
    write_game(plan)
    yield plan.folder
    for module in [known for known in sys.modules if known.split(".")[0] == plan.module]:
        del sys.modules[module]
    sys.path.remove(str(plan.folder.parent))


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "view.py",
            "else v.sizes[seat]",
            "else v.sizes[seat] - 1",
            "imagine gives seat 0 0 cards, it has ",
        ),
        (
            "view.py",
            "    copy_open(v, g)\n",
            "",
            "imagine gives a state that the seat would see differently",
        ),
        ("state.py", "moves=CARDS", "moves=CARDS - 1", "is never tried: make it 24"),
    ],
)
def test_each_mistake_is_said_once_for_a_number_of_players(
    file: str, old: str, new: str, said: str, tricks: Path
) -> None:
    replace(tricks / file, old, new)
    found = [error for error in errors(tricks) if said in error]
    assert len(found) in (1, len(find_players(tricks))), errors(tricks)


def test_places_for_fewer_cards_than_are_unseen_are_counted(tricks: Path) -> None:
    replace(tricks / "view.py", "else v.sizes[seat]", "else v.sizes[seat] - 1")
    replace(tricks / "view.py", "g.hands[g.hidden_places[i]]", "g.hands[SEATS]")
    said = "imagine: 16 unseen cards, places for 13: does play keep sizes and seen, and has every"
    assert any(said in error for error in errors(tricks)), errors(tricks)


def test_a_deck_without_cards_is_refused(tricks: Path) -> None:
    """The template deals equal hands, and none is equal to none: it would deal for ever."""
    game = check_target(str(tricks), compiled=False)[0][0]
    with pytest.raises(Fault, match="option deck: there are no cards in it"):
        game.settings({"players": 3, "first": 0, "deck": []})


def find_players(folder: Path) -> tuple[int, ...]:
    return check_target(str(folder), compiled=False)[0][0].players


# The command


def test_errors_and_warnings_are_listed_apart(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / "encoding.toml").unlink()
    replace(package / "rules.py", "return 1.0 / equal", "return 2.0 / equal")
    said = call(capsys, "check", str(package), "--no-compiled")
    assert said.status == 1
    errors, _, warnings = said.out.partition(" warning")
    assert "error" in errors.splitlines()[0]
    assert "  a game of 3, interpreted: the results add up to 2: the winners share 1\n" in errors
    assert "  encoding.toml is missing" in warnings


def test_a_program_gets_json(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace(package / "rules.py", "return 1.0 / equal", "return 2.0 / equal")
    said = call(capsys, "check", str(package), "--no-compiled", "--json")
    content = json.loads(said.out)
    assert content["games"] == ["poison"]
    assert any("the results add up to 2" in error for error in content["errors"])
    assert "board/ is missing: the page shows the game on its text board" in content["warnings"]
    assert said.status == 1


def test_an_unknown_name_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "check", "chess")
    assert said.status == 2
    assert said.err.startswith("chess is neither a folder nor a game: there are ")


#: The check of a game checks those of its folder.
ONE_OF_EACH_FOLDER = {game.module: name for name, game in all_games().items()}.values()


@pytest.mark.parametrize("name", ONE_OF_EACH_FOLDER)
def test_the_games_that_come_with_theriac_are_clean(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("THERIAC_JIT", raising=False)
    said = call(capsys, "check", name)
    assert said.status == 0, said.out
    assert "nothing is wrong" in said.out


def test_playthroughs_are_written_for_one_game_only(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = "tests/playthroughs: 2 are missing, such as poison-3-players.json: theriac check "
    _, report = check_target(str(package), compiled=False)
    assert any(error.startswith(missing) for error in report.errors)
    said = call(capsys, "check", str(package), "--no-compiled", "--write-playthroughs")
    assert said.status == 0, said.out
    names = sorted(path.name for path in (package / "tests" / "playthroughs").iterdir())
    assert names == ["poison-3-players-open_piles-true.json", "poison-3-players.json"]


def test_playthroughs_of_options_that_are_gone_are_reported_and_removed(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = package / "tests" / "playthroughs" / "poison-3-players-goal-2.json"
    old.parent.mkdir()
    old.touch()
    said = "tests/playthroughs: 1 are of options that the game does not have, such as poison-3-"
    _, report = check_target(str(package), compiled=False)
    assert any(error.startswith(said) for error in report.errors), report.errors
    assert call(capsys, "check", str(package), "--no-compiled", "--write-playthroughs").status == 0
    assert not old.exists()


def test_where_python_stops_is_said_once(package: Path) -> None:
    replace(package / "rules.py", "from typing import Any", "from typing import Any,")
    (said,) = errors(package)
    assert "(rules.py:" in said and "bots.py" not in said
