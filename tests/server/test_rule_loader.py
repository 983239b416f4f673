"""Compiled rules: the server loads them after its start, never compiles, and plays without them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from tests.server.server_process import RESPONSE_TIMEOUT_S, ServerProcess
from tests.server.socket_client import seat_players
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


def test_compiled_rules_are_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rule_loader, "RULES_TIMEOUT_S", RESPONSE_TIMEOUT_S)

    async def load() -> Mapping[str, str]:
        loader = RuleLoader()
        assert {loader.speed_of(name) for name in all_games()} == {"plain"}
        loader.start()
        speeds = {name: await loader.wait_for(name) for name in all_games()}
        assert {name: loader.speed_of(name) for name in all_games()} == speeds
        await loader.stop()
        return speeds

    assert asyncio.run(load()) == dict.fromkeys(all_games(), "cpu")


def test_a_table_does_not_wait_forever_for_its_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> str:
        loader = RuleLoader()
        loader.start()
        speed = await loader.wait_for("poison")
        await loader.stop()
        return speed

    monkeypatch.setattr(rule_loader, "RULES_TIMEOUT_S", 0.0)
    assert asyncio.run(ask()) == "plain"


@pytest.mark.usefixtures("_plain")
def test_without_jit_nothing_is_loaded() -> None:
    assert {load_rules(game) for game in all_games().values()} == {"plain"}


@pytest.fixture
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERIAC_JIT", "0")


def load_in_new_process(game: str, cache: Path) -> str:
    """The speed of a game in a new process with this cache, and whether it imported Numba."""
    done = subprocess.run(
        [sys.executable, "-c", LOAD_RULES, game],
        env={"THERIAC_CACHE": str(cache), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_without_compiled_rules_numba_is_not_imported(tmp_path: Path) -> None:
    assert load_in_new_process("poison", tmp_path) == "plain False"


def test_a_rule_that_is_missing_is_not_compiled(tmp_path: Path) -> None:
    # The whole cache except the loops that write the scores.
    from theriac.engine.cache import cache_folder

    whole = cache_folder("theriac.games.poison")
    for path in whole.rglob("*"):
        if path.is_file() and "write_scores" not in path.name:
            copy = tmp_path / whole.name / path.relative_to(whole)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    before = set(tmp_path.rglob("*.nbc"))
    assert before
    assert load_in_new_process("poison", tmp_path) == "plain True"
    assert set(tmp_path.rglob("*.nbc")) == before


def test_a_server_without_compiled_rules_logs_it_and_plays(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    server = ServerProcess(tmp_path / "server", THERIAC_CACHE=str(cache), compiled=True)
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("anaphylaxis", [None, None, "easy"])
    clients = seat_players(table, ana, bo)
    play_on(clients, Random(1), 10_000)
    clients[0].until(lambda: clients[0].table_info["stage"] == "over")
    replay = ana.get(f"/api/tables/{table}/games/1/replay")
    assert len(replay["steps"]) > 10
    assert ana.get(f"/api/tables/{table}/games/1/verify")["fault"] is None
    warnings = [line for line in server.log_text().splitlines() if "theriac setup" in line]
    assert len(warnings) == len(FOLDERS)
    assert server.stop() == 0
    assert server.unexpected_log_lines() == warnings
    assert not list(cache.rglob("*.nbc"))
