"""Compiled rules: loaded after the start, never compiled by the server, and not needed to play."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from tests.server.club import PATIENCE, Club
from tests.server.line import seated
from tests.server.test_whole_games import play_on
from theriac.game import all_games
from theriac.server.tables import rule_loader
from theriac.server.tables.rule_loader import RuleLoader, load_rules

FOLDERS = {game.folder.name for game in all_games().values()}

LOAD_RULES = """
import sys
from theriac.game import find
from theriac.server.tables.rule_loader import load_rules
print(load_rules(find(sys.argv[1])), "numba" in sys.modules)
"""


def test_rules_that_are_compiled_are_loaded_and_played_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rule_loader, "RULES_TIMEOUT_S", PATIENCE)

    async def load() -> Mapping[str, str]:
        known = RuleLoader()
        assert {known.speed_of(name) for name in all_games()} == {"plain"}
        known.start()
        found = {name: await known.wait_for(name) for name in all_games()}
        assert {name: known.speed_of(name) for name in all_games()} == found
        await known.stop()
        return found

    assert asyncio.run(load()) == dict.fromkeys(all_games(), "cpu")


def test_a_table_does_not_wait_forever_for_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> str:
        known = RuleLoader()
        known.start()
        speed = await known.wait_for("poison")
        await known.stop()
        return speed

    monkeypatch.setattr(rule_loader, "RULES_TIMEOUT_S", 0.0)
    assert asyncio.run(ask()) == "plain"


@pytest.mark.usefixtures("_plain")
def test_where_nothing_is_to_be_compiled_nothing_is_loaded() -> None:
    assert {load_rules(game) for game in all_games().values()} == {"plain"}


@pytest.fixture
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def rehearsed(game: str, cache: Path) -> str:
    """What a fresh process says of a game whose compiled rules lie in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", LOAD_RULES, game],
        env={"THERIAC_CACHE": str(cache), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_without_compiled_rules_numba_is_not_even_loaded(tmp_path: Path) -> None:
    assert rehearsed("poison", tmp_path) == "plain False"


def test_a_rule_that_is_missing_is_not_compiled(tmp_path: Path) -> None:
    # The whole cache except the loops that write the scores.
    from theriac.engine.cache import cache_folder

    whole = cache_folder("poison")
    for path in whole.rglob("*"):
        if path.is_file() and "write_scores" not in path.name:
            copy = tmp_path / whole.name / path.relative_to(whole)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    before = set(tmp_path.rglob("*.nbc"))
    assert before
    assert rehearsed("poison", tmp_path) == "plain True"
    assert set(tmp_path.rglob("*.nbc")) == before


def test_a_server_without_compiled_rules_says_so_and_plays_on(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    club = Club(tmp_path / "club", THERIAC_CACHE=str(cache))
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("anaphylaxis", [None, None, "easy"])
    lines = seated(table, ana, bo)
    play_on(lines, Random(1), 10_000)
    lines[0].until(lambda: lines[0].room["stage"] == "over")
    told = ana.get(f"/api/tables/{table}/games/1/replay")
    assert len(told["steps"]) > 10
    assert ana.get(f"/api/tables/{table}/games/1/verify")["fault"] is None
    warnings = [line for line in club.log_text().splitlines() if "theriac setup" in line]
    assert len(warnings) == len(FOLDERS)
    assert club.stop() == 0
    assert club.complaints() == warnings
    assert not list(cache.rglob("*.nbc"))
