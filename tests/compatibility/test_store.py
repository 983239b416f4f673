"""A server opens a store of an earlier version and shows every table as it was shown then."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.server_process import ServerProcess

DATA = Path(__file__).parent / "server"
SEEN = json.loads((DATA / "seen.json").read_text(encoding="utf-8"))
#: Keys whose values depend on when the server is asked.
_TIMES = ("now", "clock", "present")
#: Keys of a table that messages did not have when the store was dumped. Only a new key is added
#: here: any other difference from what was shown then is a fault.
_ADDED_TO_TABLE = ("opener", "stand_in")
#: The same for a view.
_ADDED_TO_VIEW = ("undo", "rounds")
#: The same for `recalled` of a view, which some games did not have at all.
_ADDED_TO_RECALLED = (
    *("best", "blood", "poison_jewels"),
    *("alarm", "minutes", "knight_is_due", "places", "poisoned", "alarmed"),
    *("limit", "poison", "points", "so_far", "sides", "target"),
)
#: The same for a seat of a score sheet.
_ADDED_TO_SHEET = ("fate", "tricks", "chest", "lost", "bagged")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("before")
    with sqlite3.connect(folder / "tables.sqlite") as store:
        store.executescript((DATA / "store.sql").read_text(encoding="utf-8"))
    store.close()
    server = ServerProcess(folder, compiled=True)
    yield server
    assert server.stop() == 0
    assert server.unexpected_log_lines() == []


def timeless(value: Any) -> Any:
    """A message without the times in it."""
    if isinstance(value, dict):
        return {key: timeless(part) for key, part in value.items() if key not in _TIMES}
    return [timeless(part) for part in value] if isinstance(value, list) else value


def as_then(welcome: Any) -> Any:
    """A welcome of today without the keys that were added since."""
    then = {**welcome, "room": _without(welcome["room"], _ADDED_TO_TABLE)}
    if "view" not in then:
        return then
    view = _without(then["view"], _ADDED_TO_VIEW)
    recalled = _without(view.pop("recalled", {}), _ADDED_TO_RECALLED)
    if recalled:
        view["recalled"] = recalled
    if "sheet" in view:
        seats = [_without(seat, _ADDED_TO_SHEET) for seat in view["sheet"]["seats"]]
        view["sheet"] = view["sheet"] | {"seats": seats}
    return then | {"view": view}


def _without(part: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key not in keys}


def upto(welcome: Any, version: int) -> Any:
    """The events of a welcome up to a version: bots may have moved since the store was dumped."""
    return [event for event in welcome["events"] if event["version"] <= version]


@pytest.mark.parametrize("table", SEEN["tables"])
@pytest.mark.parametrize("name", ["", *SEEN["keys"]])
def test_tables_are_shown_as_before(server: ServerProcess, table: str, name: str) -> None:
    key = SEEN["keys"].get(name)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    answer = server.http.get(f"/api/tables/{table}", headers=headers)
    assert answer.status_code == 200, answer.text
    now, then = answer.json()["welcome"], SEEN["tables"][table][name]
    assert timeless(upto(now, then["version"])) == timeless(upto(then, then["version"]))
    if now["version"] == then["version"]:
        assert timeless(as_then(now)) == timeless(then)


def test_some_tables_have_not_changed(server: ServerProcess) -> None:
    """Else the comparison of whole views above would compare nothing."""
    versions = {
        table: server.http.get(f"/api/tables/{table}").json()["welcome"]["version"]
        for table in SEEN["tables"]
    }
    same = [t for t in versions if versions[t] == SEEN["tables"][t][""]["version"]]
    assert len(same) >= 5


def test_no_key_is_called_new_that_was_there_or_is_not_there_now(server: ServerProcess) -> None:
    seen = [each for table in SEEN["tables"].values() for each in table.values()]
    assert _keys_of(seen, "room").isdisjoint(_ADDED_TO_TABLE)
    assert _keys_of(seen, "view").isdisjoint(_ADDED_TO_VIEW)
    now = []
    for table, seen_by in SEEN["tables"].items():
        for name in seen_by:
            headers = {"Authorization": f"Bearer {SEEN['keys'][name]}"} if name else {}
            answer = server.http.get(f"/api/tables/{table}", headers=headers)
            now.append(answer.json()["welcome"])
    assert _keys_of(now, "room") >= set(_ADDED_TO_TABLE)
    assert _keys_of(now, "view") >= set(_ADDED_TO_VIEW)


def _keys_of(welcomes: list[dict[str, Any]], part: str) -> set[str]:
    return {key for welcome in welcomes for key in welcome.get(part, ())}


def test_a_game_continues_where_it_stopped(server: ServerProcess) -> None:
    """A player whose turn it was when the store was dumped makes a move now."""
    for table, seen in SEEN["tables"].items():
        for name, welcome in seen.items():
            view = welcome.get("view")
            if not name or not view or not view["legal"] or welcome["room"]["stage"] != "playing":
                continue
            move, version = view["legal"][0], welcome["version"]
            request = {"do": "move", "id": "on", "move": move, "version": version}
            headers = {"Authorization": f"Bearer {SEEN['keys'][name]}"}
            answer = server.http.post(f"/api/tables/{table}", json=request, headers=headers).json()
            assert answer.get("version") == version + 1, answer
            return
    raise AssertionError("in no table of the store is it a person's turn")
