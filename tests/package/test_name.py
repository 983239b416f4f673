"""The name on package indexes is theriac-games: `theriac` there is a stranger's package."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.package.building import ROOT, sources
from theriac.other_package import find_other_package

#: A command that installs or runs a package from an index, and then the name alone or with extras.
STRANGER = re.compile(
    r"(?:pip3? install|pipx (?:run|install)|uvx|uv (?:pip install|add|tool (?:run|install)))"
    r"(?:\s+-{1,2}[\w-]+)*\s+['\"]?theriac(?:[\['\"=<>~!\s`]|$)"
)


@pytest.mark.parametrize(
    "line",
    [
        "pip install theriac",
        "pip install 'theriac[server]'",
        "bin/pip install --upgrade theriac==1",
        "uvx theriac",
        "`uvx --from theriac theriac`",
        "pipx run --spec theriac theriac",
    ],
)
def test_the_pattern_finds_a_line_that_installs_the_stranger(line: str) -> None:
    assert STRANGER.search(line)


@pytest.mark.parametrize(
    "line",
    ["pip install 'theriac-games[server]'", "uvx --from theriac-games theriac", "pip install -e ."],
)
def test_the_pattern_lets_our_own_lines_pass(line: str) -> None:
    assert not STRANGER.search(line)


def test_no_line_installs_the_stranger() -> None:
    found = []
    for name in sources():
        if name == Path(__file__).relative_to(ROOT).as_posix():
            continue
        text = (ROOT / name).read_bytes().decode("utf-8", "replace")
        found += [f"{name}: {line}" for line in text.splitlines() if STRANGER.search(line)]
    assert found == []


def installed(folder: Path, name: str, *files: str) -> Path:
    """A folder with a package `theriac` and the list of files of a distribution."""
    (folder / "theriac").mkdir(parents=True, exist_ok=True)
    info = folder / f"{name}.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    return folder / "theriac"


def test_a_stranger_in_the_same_folder_is_in_the_way(tmp_path: Path) -> None:
    ours = installed(tmp_path, "theriac_games-0.1.0", "theriac/__init__.py")
    assert find_other_package(ours) is None
    installed(tmp_path, "theriac-2.3", "theriac/__init__.py", "theriac/scan.py")
    said = find_other_package(ours)
    assert said is not None and "theriac (version 2.3)" in said
    assert "pip uninstall theriac theriac-games" in said


def test_a_stranger_without_files_in_our_folder_is_not(tmp_path: Path) -> None:
    ours = installed(tmp_path, "theriac-2.3", "bin/theriac", "theriac_scanner/__init__.py")
    assert find_other_package(ours) is None


def test_the_command_says_it_first_and_even_if_it_cannot_start(tmp_path: Path) -> None:
    ours = installed(tmp_path, "theriac-2.3", "theriac/__init__.py", "theriac/cli.py")
    for name in ("__main__.py", "other_package.py"):
        (ours / name).write_bytes((ROOT / "src" / "theriac" / name).read_bytes())
    (ours / "__init__.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "theriac", "--version"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    first = done.stderr.splitlines()[0]
    assert first.startswith("Another package, called theriac (version 2.3), is installed")
