"""The terminal resumes games that an earlier version saved."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.command import process

SAVES = Path(__file__).parent / "saves"


@pytest.mark.parametrize("save", sorted(SAVES.glob("*.json")), ids=lambda path: path.stem)
def test_a_saved_game_is_resumed(save: Path, tmp_path: Path) -> None:
    """One of them names its bots with parameters of `search` that have other names now."""
    before = json.loads(save.read_text(encoding="utf-8"))
    kept = tmp_path / save.name
    shutil.copy(save, kept)
    outcome = process(tmp_path, "play", "--resume", str(kept), typed="1\nquit\n", THERIAC_JIT="1")
    assert outcome.status == 0, outcome.err
    after = json.loads(kept.read_text(encoding="utf-8"))
    assert after["moves"][: len(before["moves"])] == before["moves"]
    assert after["seed"] == before["seed"]
