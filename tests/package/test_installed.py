"""A wheel and an sdist, built from a fresh copy and installed into empty environments, play."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect, sync_playwright

import theriac
from tests.package.building import build, built, export
from tests.package.locked import link_locked_packages, locked
from tests.page.browser import Visitor, launch
from tests.server.server_process import ServerProcess, open_clients, started_servers

#: Nothing of this environment reaches the installed package, nor does Node.
CLEAN = {"PATH": "", "PYTHONPATH": "", "THERIAC_JIT": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

#: Three cards for each of three players: nine moves of ours make a whole game.
SMALL_DECK = ["R1", "R2", "R4", "B1", "B2", "B4", "P1", "P2", "X"]


@pytest.fixture(autouse=True)
def _no_server_is_left() -> Iterator[None]:
    yield
    open_clients.close()
    started_servers.close()


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and what is done in it."""

    folder: Path

    @property
    def python(self) -> str:
        """Its Python."""
        return str(self.folder / "bin" / "python")

    @property
    def command(self) -> str:
        """The command `theriac`."""
        return str(self.folder / "bin" / "theriac")

    @property
    def packages(self) -> Path:
        """Where its packages are."""
        return Path(sysconfig.get_path("purelib", "venv", {"base": str(self.folder)}))

    def run(self, *command: str, typed: str = "", **more: str) -> str:
        """The output of a command, which must end well; `typed` is its input."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            input=typed,
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, **CLEAN, **more},
        )
        assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def pip(self, *arguments: str) -> str:
        """Run this test's pip for the environment."""
        return self.run(sys.executable, "-m", "pip", "--python", self.python, *arguments)

    def record(self) -> list[str]:
        """The installed files of the package with their hashes."""
        (record,) = self.packages.glob("theriac_games-*.dist-info/RECORD")
        return [line for line in record.read_text().splitlines() if line.startswith("theriac/")]


def make_environment(folder: Path, dependencies: Path) -> Environment:
    """An environment with the packages of a folder and no others."""
    venv.create(folder, symlinks=True)
    made = Environment(folder)
    (made.packages / "dependencies.pth").write_text(f"{dependencies}\n")
    return made


def play_in_the_terminal(environment: Environment) -> None:
    """Play a whole game with the installed command; the first move of the list each time."""
    home = str(environment.folder / "home")
    command = [environment.command, "play", "poison", "--bots", "easy"]
    played = environment.run(*command, typed="1\n" * 200, HOME=home, XDG_DATA_HOME=home)
    assert "The whole game is saved in" in played


def play_in_the_page(environment: Environment) -> None:
    """Serve the installed page, and play a whole game in a real browser."""
    folder = environment.folder / "server"
    server = ServerProcess(folder, python=environment.python, PATH="", PYTHONPATH="")
    table = server.new_player("Bo").open(
        "poison", [None, "easy", "easy"], options={"deck": SMALL_DECK}
    )
    with sync_playwright() as playwright:
        browser = launch(playwright)
        ana = Visitor(browser, f"http://{server.host}")
        ana.page.goto(f"/table/{table}")
        ana.page.get_by_label("Nickname").fill("Ana")
        ana.button("Sit here").click()
        chance = Random(1)
        while ana.wait_for_turn():
            ana.play_a_card(chance)
        expect(ana.page.get_by_role("dialog", name="Game over")).to_be_visible()
        browser.close()
    assert ana.console_errors == []
    assert server.stop() == 0
    assert server.unexpected_log_lines() == []
    assert '"level":"warning"' not in server.log_text()


def test_what_is_installed_to_play_is_what_is_tested() -> None:
    """Every version of the lock, with its hashes, is in the lock that `make test` installs."""
    tested = locked("requirements-dev.lock")
    for name, (requirement, hashes) in locked("requirements.lock").items():
        assert tested[name][0].specifier == requirement.specifier
        assert hashes and tested[name][1] == hashes, name


def test_a_wheel_and_an_sdist_install_and_play(tmp_path: Path) -> None:
    done = build("sdist", export(tmp_path / "tree"), tmp_path / "sdist")
    assert done.returncode == 0, done.stderr
    sdist = built(tmp_path / "sdist")

    packages = link_locked_packages(tmp_path / "locked")

    # Neither of these needs Node: the sdist has the page inside.
    from_sdist = make_environment(tmp_path / "from_sdist", packages)
    quietly = ("--quiet", "--no-deps", "--no-build-isolation")
    from_sdist.pip("install", *quietly, str(sdist))
    from_wheel = make_environment(tmp_path / "from_wheel", packages)
    from_wheel.pip("wheel", *quietly, "--wheel-dir", str(tmp_path / "wheel"), str(sdist))
    from_wheel.pip("install", *quietly, str(built(tmp_path / "wheel")))

    assert from_wheel.record() == from_sdist.record() != []
    for environment in (from_wheel, from_sdist):
        environment.pip("check")
        for command in ([environment.command], [environment.python, "-m", "theriac"]):
            assert environment.run(*command, "--version") == f"theriac {theriac.__version__}\n"
    where = "import theriac; print(theriac.__file__)"
    assert str(from_wheel.packages) in from_wheel.run(from_wheel.python, "-c", where)
    play_in_the_terminal(from_wheel)
    play_in_the_page(from_sdist)
