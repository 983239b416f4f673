"""The documents are right: their examples run, their commands and files exist."""

from __future__ import annotations

import contextlib
import doctest
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

import theriac
from tests.command import process
from theriac.cli import app, run
from theriac.game import all_games
from theriac.verification import Unfinished, verify

ROOT = Path(__file__).parent.parent
#: What each game says of itself is in its own folder.
OWN = [
    path
    for folder in sorted({game.folder for game in all_games().values()})
    for path in (folder / "notation.md", folder / "rulings.md")
    if path.exists()
]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]) + OWN
README_SEED = "9817bc43db44e1c70278cf47897ea7ac98b1477a7e29038ee402781f6ec8bc9f"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

each_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: f"{path.parent.name}/{path.name}"
)


def blocks(document: Path, language: str) -> Iterator[str]:
    """The code blocks of a document in one language."""
    yield from re.findall(rf"^```{language}\n(.*?)^```", _text(document), re.M | re.S)


def sessions(document: Path) -> Iterator[tuple[str, str]]:
    """The commands typed in a document, each with the output shown below it."""
    for block in blocks(document, "console"):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


@each_document
def test_python_examples_give_what_they_show(document: Path) -> None:
    source = "\n".join(blocks(document, "python"))
    test = doctest.DocTestParser().get_doctest(source, {}, document.name, document.name, 0)
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert result.failed == 0


@each_document
def test_other_python_is_an_example(document: Path) -> None:
    """A block without prompts is a whole script of `examples/`, or part of the game that shows how
    to choose in secret (`tests/test_envelopes.py` plays it), perhaps with lines left out (`...`).
    """
    scripts = [_text(path) for path in (ROOT / "examples").glob("*.py")]
    game = [_text(path) for path in (ROOT / "tests/envelopes_package/envelopes").glob("*.py")]
    for block in blocks(document, "python"):
        parts = block.split("    ...\n")
        in_game = any(all(part in source for part in parts) for source in game)
        assert ">>>" in block or block in scripts or in_game


def test_gpu_examples_run_on_the_cpu_too() -> None:
    """A ```py block is written for a GPU; on the CPU, with fewer games, it runs the same way."""
    found = [block for document in DOCUMENTS for block in blocks(document, "py")]
    assert found
    for block in found:
        assert 'device="cuda"' in block
        smaller = block.replace('device="cuda"', 'device="cpu"').replace("131_072", "64")
        exec(smaller, {})


@each_document
def test_records_can_be_replayed(document: Path) -> None:
    for block in blocks(document, "json"):
        record = json.loads(block)
        assert theriac.replay(record).moves == record["moves"]
        if "seal" in record:
            with contextlib.suppress(Unfinished):  # an example may be shorter than a game
                verify(record)


def printed_by(command: str, folder: Path) -> str:
    """What a command prints; one that is more than arguments is run by a shell."""
    if set("<>|&;$") & set(command):
        done = subprocess.run(
            command, shell=True, cwd=folder, capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr
    ended = process(folder, *command.split()[1:], THERIAC_JIT="1", COLUMNS="120")
    return ended.out + ended.err


@each_document
def test_commands_print_what_is_shown(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "120")
    for record in blocks(document, "json"):
        (tmp_path / "game.json").write_text(record)
    for command, shown in sessions(document):
        if not command.startswith("theriac "):
            continue
        printed = printed_by(command, tmp_path)
        same = doctest.OutputChecker().check_output(shown, printed, FLAGS)
        assert same, f"$ {command}\n{printed}"


def test_the_readme_shows_a_real_game(tmp_path: Path) -> None:
    block = next(block for block in blocks(ROOT / "README.md", "text") if "Your move" in block)
    command, shown = block.split("\n", 1)
    typed = re.findall(r"^Your move .*?: (.+)", shown, re.M)
    game = process(tmp_path, *command.split()[2:], "--seed", README_SEED, typed="\n".join(typed))
    assert doctest.OutputChecker().check_output(shown, game.out, FLAGS), game.out


@each_document
def test_commands_exist(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = re.findall(r"(?:`|\$ |&& )theriac ([a-z-]+(?: (?:show|check))?)", _text(document))
    for name in set(named):
        assert run([*name.split(), "--help"]) == 0, name
    capsys.readouterr()
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert set(re.findall(r"(?:`|\$ )make ([a-z-]+)", _text(document))) <= set(targets)


@each_document
def test_options_exist(document: Path) -> None:
    commands: Any = typer.main.get_command(app)
    shells = [block for name in ("console", "sh", "text") for block in blocks(document, name)]
    lines = [line for block in shells for line in re.findall(r"^(?:\$ )?theriac (.*)", block, re.M)]
    for line in [*lines, *re.findall(r"`theriac ([^`]*)`", _text(document))]:
        command = commands
        for word in line.split():
            command = getattr(command, "commands", {}).get(word, command)
        known = {
            name
            for parameter in command.params
            for name in (*parameter.opts, *parameter.secondary_opts)
        } | {"--help"}
        assert set(re.findall(r"(?<=\s)--[a-z-]+", line)) <= known, line


@each_document
def test_files_exist(document: Path) -> None:
    for name in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", _text(document)):
        assert (document.parent / name).exists(), name
    homes = [ROOT, *(game.folder for game in all_games().values())]
    for name in re.findall(r"`((?:src|docs|tests|bench)/[\w./-]*)`", _text(document)):
        assert any((home / name).exists() for home in homes), name


@each_document
def test_clauses_exist(document: Path) -> None:
    pages = [game.folder / "rules" / "en.md" for game in all_games().values()]
    known = {c for page in pages for c in re.findall(r"[A-Z]+-[0-9]{2}", _text(page))}
    letters = "|".join(sorted({clause.split("-")[0] for clause in known}))
    assert set(re.findall(rf"\b(?:{letters})-[0-9]{{2}}\b", _text(document))) <= known


def _text(document: Path) -> str:
    return document.read_text("utf-8")
