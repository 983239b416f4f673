"""A package that was built without the page: its server says so, and programs can play."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.package.building import build, built, export
from tests.server.server_process import ServerProcess, open_clients, started_servers


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of such a package."""
    done = build("wheel", export(tmp_path / "tree"), tmp_path / "out", THERIAC_WITHOUT_PAGE="1")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(built(tmp_path / "out")) as wheel:
        wheel.extractall(tmp_path / "installed")
    yield ServerProcess(tmp_path / "server", PYTHONPATH=str(tmp_path / "installed"))
    open_clients.close()
    started_servers.close()


def test_the_address_explains_itself_the_log_warns_and_the_api_works(server: ServerProcess) -> None:
    for path in ("/", "/table/abc", "/learn/poison"):
        answer = server.http.get(path)
        assert answer.status_code == 503, path
        assert "<h1>This server has no page</h1>" in answer.text
        assert "make page" in answer.text and "pip install" in answer.text
        assert answer.headers["content-type"].startswith("text/html")
    assert server.http.get("/assets/none.js").status_code == 404
    warnings = [line for line in server.log_text().splitlines() if '"level":"warning"' in line]
    assert len(warnings) == 1 and "there is no page to play on" in warnings[0]
    ana = server.new_player()
    table = ana.open("poison", [None, "easy", "easy"])
    assert ana.get_table(table)["version"] >= 1
