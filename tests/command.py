"""Running `theriac` as a user does, and inside this process where that is enough."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.forked import ForkedProcess, can_fork
from theriac.cli import run
from theriac.engine.cache import cache_home
from theriac.match import Match

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest

    from theriac.game import Game

SEED = bytes(range(32))
#: A process, forked or not.
Running = subprocess.Popen[bytes] | ForkedProcess


@dataclass(frozen=True)
class Outcome:
    """The exit status and the output of a command."""

    status: int
    out: str
    err: str


def environment(home: Path, **more: str) -> dict[str, str]:
    """A user's environment with its own home, and interpreted rules.

    If `more` asks for compiled rules, those of `theriac setup` are available.
    """
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "THERIAC_JIT": "0"}
    return {**os.environ, "COLUMNS": "80", "THERIAC_CACHE": str(cache_home()), **own, **more}


def start(home: Path, *arguments: str | bytes, **more: str) -> Running:
    """An interactive process of `theriac`."""
    pipe = subprocess.PIPE
    own = environment(home, **more)
    if can_fork(own):
        return ForkedProcess([os.fsdecode(each) for each in arguments], home, own, stdin=pipe)
    command: Sequence[str | bytes] = [sys.executable, "-m", "theriac", *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=home, env=own)


def process(home: Path, *arguments: str | bytes, typed: str | bytes = b"", **more: str) -> Outcome:
    """Run `theriac` in a process of its own; `typed` is its whole input."""
    given = typed.encode() if isinstance(typed, str) else typed
    with start(home, *arguments, **more) as running:
        out, err = running.communicate(given, timeout=120)
        status = running.wait()
    return Outcome(status, out.decode(), err.decode())


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> Outcome:
    """Run `theriac` inside this process."""
    capsys.readouterr()
    status = run([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return Outcome(status, said.out, said.err)


def new_table(game: Game, moves: int = 0, **options: object) -> Match:
    """A match after this many moves, each the first legal one."""
    match = Match(game, {"players": game.players[0], **options}, seed=SEED, speed="plain")
    while len(match.moves) < moves and not match.over:
        match.play(match.legal()[0])
    return match
