"""Envelopes, in `envelopes_package`: a game in which all choose in secret.

It passes every test of the contract. A copy that imagines the choices of others wrongly does not.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import process
from tests.packages import install
from theriac.checks import check_target

PACKAGE = Path(__file__).parent / "envelopes_package"
ANY = "    for _ in range(below(random, count_bits(rest))):\n        rest &= rest - 1\n"
#: Wrong ways to choose for another seat.
LOWEST = (ANY, "    below(random, count_bits(rest))\n")
SAME = ("    return lowest(rest)\n", "    return 3\n")
UNEVEN = (ANY, ANY + "    if below(random, 2):\n        rest = int(cards)\n")
#: The tests of the contract that notice them.
LIKELY = "test_all_possible_choices_are_equally_likely"
POSSIBLE = "test_a_seat_imagines_all_that_it_cannot_rule_out"
_numbers = itertools.count()


def copy_package(folder: Path, old: str, new: str) -> None:
    """A copy of the game that chooses for others in another way."""
    shutil.copytree(PACKAGE / "envelopes", folder, ignore=shutil.ignore_patterns("__pycache__"))
    view = (folder / "view.py").read_text("utf-8")
    assert old in view
    (folder / "view.py").write_text(view.replace(old, new), "utf-8")


def path_of(site: Path, package: Path) -> str:
    """Where Python finds a package and its entry point."""
    install(site, "theriac-envelopes", {"envelopes": "envelopes"})
    return os.pathsep.join([str(site), str(package), *sys.path])


def run_tests(path: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run tests of the contract over the game, in a process of its own."""
    return subprocess.run(
        [
            sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
            "--pyargs", *arguments, "--game", "envelopes",
        ],
        env={**os.environ, "PYTHONPATH": path},
        cwd=PACKAGE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip


def test_it_passes_every_test_of_the_contract(tmp_path: Path) -> None:
    path = path_of(tmp_path, PACKAGE)
    done = run_tests(path, str(PACKAGE), "theriac.testing")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize(
    ("wrong", "noticed_by"),
    [(LOWEST, [LIKELY, POSSIBLE]), (UNEVEN, [LIKELY])],
    ids=["always the lowest card", "low cards more often"],
)
def test_the_contract_notices_choices_that_are_imagined_wrongly(
    wrong: tuple[str, str], noticed_by: list[str], tmp_path: Path
) -> None:
    copy_package(tmp_path / "wrong" / "envelopes", *wrong)
    path = path_of(tmp_path, tmp_path / "wrong")
    modules = ("theriac.testing.test_imagine", "theriac.testing.test_unimagined")
    done = run_tests(path, *modules, "-p", "tests.interpreted", "-k", " or ".join(noticed_by))
    assert set(re.findall(r"^FAILED .*::(\w+)", done.stdout, re.M)) == {*noticed_by}, done.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a copy of the game goes, under a name that was never imported."""
    monkeypatch.setenv("THERIAC_JIT", "0")
    name = f"envelopes{next(_numbers)}"
    yield tmp_path / name
    for module in [known for known in sys.modules if known.split(".")[0] == name]:
        del sys.modules[module]
    sys.path.remove(str(tmp_path))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (LOWEST, "imagine never makes choices[0] 6"),
        (SAME, "imagine always makes choices[0] 3"),
    ],
    ids=["always the lowest card", "always the same card"],
)
def test_the_check_says_what_is_never_imagined(
    wrong: tuple[str, str], said: str, folder: Path
) -> None:
    copy_package(folder, *wrong)
    for path in folder.rglob("*.py"):
        source = path.read_text("utf-8").replace("from envelopes", f"from {folder.name}")
        path.write_text(source, "utf-8")
    _, report = check_target(str(folder), compiled=False)
    rest = "seat 2 cannot know that: draw from all states that fit the view"
    assert report.errors == [f"a game of 3, interpreted: {said}, but {rest}"]


def test_the_terminal_tells_what_was_revealed(tmp_path: Path) -> None:
    """Below the move that revealed it; before that, nobody sees what others have chosen."""
    path = path_of(tmp_path, PACKAGE)
    said = process(
        tmp_path, "play", "envelopes", "--seed", "00" * 32,
        typed="1\n1\n", PYTHONPATH=path, THERIAC_JIT="0",
    )  # fmt: skip
    assert said.status == 0, said.err
    assert [line for line in said.out.splitlines() if re.match(r"you  |seat \d  |  +opened", line)][
        :5
    ] == [
        "seat 2  ~",
        "you     C2",
        "seat 1  ~",
        "        opened: you C2, seat 1 C7, seat 2 C3",
        "seat 2  ~",
    ]


def test_a_deck_is_compared_although_the_game_makes_no_remarks(tmp_path: Path) -> None:
    file = tmp_path / "six.toml"
    file.write_text('game = "envelopes"\n[cards]\n"C{1..6}" = 1\n')
    said = process(tmp_path, "deck", "check", str(file), PYTHONPATH=path_of(tmp_path, PACKAGE))
    assert "differs from the rulebook: 0 C7 instead of 1\n" in said.out
