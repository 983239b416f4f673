"""What the server sends of a game's package: its board, cover and words, and no other file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.datastructures import State
from litestar.testing import TestClient, create_test_client

from tests.packages import INIT, install_game, searched
from tests.server.server_process import ServerProcess
from theriac.game import find
from theriac.server.http.fair_thread import FairThread
from theriac.server.http.game_files import send_file
from theriac.server.http.games import list_games
from theriac.server.http.page import page_routers

pytestmark = pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")

FILES = {
    "board/board.js": "export const mount = 1;",
    "board/parts/card.js": "export const card = 1;",
    "board/board.css": "a {}",
    "board/cover.svg": "<svg/>",
    "board/notes.md": "for us only",
    "board/words/en.json": '{"title": "Venom"}',
    "board/words/fr.json": '{"title": "Venin"}',
    "tutorial/venom.toml": "",
    "tutorial/words/en.json": "{}",
    "rules/en.md": "# Venom",
}
SECRETS = (
    "__init__.py",
    "deck.toml",
    "rules/en.md",
    "tutorial/venom.toml",
    "board/notes.md",
    "board/none.js",
    "board",
    "board/../__init__.py",
    "board/../deck.toml",
    "%2e%2e/secret.json",
    "board/%2e%2e/%2e%2e/secret.json",
    "board%2f..%2f..%2fsecret.json",
    "/etc/hosts",
)


def client_of(routes: list[Any]) -> TestClient[Any]:
    """A client of an application that has these routes, and what they need."""
    return create_test_client(routes, state=State({"fair_thread": FairThread()}))


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient[Any]]:
    (tmp_path / "secret.json").write_text("for us only")
    install_game(tmp_path, "venom", FILES)
    install_game(tmp_path, "bane")
    with (
        searched(tmp_path, monkeypatch),
        client_of([list_games, send_file, *page_routers(tmp_path)]) as client,
    ):
        yield client


def game_info(client: TestClient[Any], name: str) -> dict[str, Any]:
    """What the server says about a game."""
    return next(game for game in client.get("/api/games").json() if game["name"] == name)


def test_the_list_of_games_says_where_the_files_of_a_package_are(client: TestClient[Any]) -> None:
    venom = game_info(client, "venom")
    assert (venom["title"], venom["summary"]) == ("Venom", "Venom in brief.")
    assert (venom["tutorial"], venom["languages"]) == (True, ["en"])
    files = venom["files"]
    assert sorted(files["words"]) == ["en", "fr"]
    assert client.get(files["words"]["fr"]).json() == {"title": "Venin"}
    assert client.get(files["tutorial_words"]["en"]).json() == {}
    for kind, (name, media) in {
        "module": ("board/board.js", "text/javascript"),
        "style": ("board/board.css", "text/css"),
        "cover": ("board/cover.svg", "image/svg+xml"),
    }.items():
        answer = client.get(files[kind])
        assert answer.text == FILES[name]
        assert answer.headers["content-type"].partition(";")[0] == media
        assert "immutable" in answer.headers["cache-control"]


def test_a_game_that_brings_nothing_has_no_addresses(client: TestClient[Any]) -> None:
    bane = game_info(client, "bane")
    nothing: dict[str, Any] = {"module": None, "style": None, "cover": None}
    nothing |= {"words": {}, "tutorial_words": {}}
    assert (bane["files"], bane["tutorial"], bane["languages"]) == (nothing, False, [])


def test_what_a_module_imports_is_beside_it(client: TestClient[Any]) -> None:
    module = game_info(client, "venom")["files"]["module"]
    answer = client.get(module.replace("board.js", "parts/card.js"))
    assert answer.text == FILES["board/parts/card.js"]


@pytest.mark.parametrize("path", SECRETS)
def test_no_other_file_is_sent(client: TestClient[Any], path: str) -> None:
    version = game_info(client, "venom")["files"]["module"].split("/")[3]
    answer = client.get(f"/games/venom/{version}/{path}")
    assert (answer.status_code, "for us only" in answer.text) == (404, False)


def test_files_of_a_game_that_is_not_there(client: TestClient[Any]) -> None:
    assert client.get("/games/chess/1/board/board.js").status_code == 404


def test_a_changed_file_has_a_new_address(client: TestClient[Any], tmp_path: Path) -> None:
    before = game_info(client, "venom")["files"]["module"]
    (tmp_path / "venom" / "board" / "parts" / "card.js").write_text("export const card = 2;")
    after = game_info(client, "venom")["files"]["module"]
    assert before != after
    old = client.get(before)
    assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")


def test_two_games_of_a_package_have_their_own_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = INIT.format(name="venom", title="Venom") + 'GAMES += (replace(GAMES[0], name="bane"),)\n'
    names = ("board/bane.js", "board/bane.cover.svg", "board/board.js", "board/cover.svg")
    install_game(tmp_path, "venom", {"__init__.py": both, **dict.fromkeys(names, "")})
    with searched(tmp_path, monkeypatch), client_of([list_games]) as client:
        bane, venom = game_info(client, "bane")["files"], game_info(client, "venom")["files"]
    assert [bane["module"].rpartition("/")[2], bane["cover"].rpartition("/")[2]] == [
        "bane.js",
        "bane.cover.svg",
    ]
    assert [venom["module"].rpartition("/")[2], venom["cover"].rpartition("/")[2]] == [
        "board.js",
        "cover.svg",
    ]


def test_the_games_are_listed_the_easiest_first(server: ServerProcess) -> None:
    efforts = [find(game["name"]).effort for game in server.http.get("/api/games").json()]
    assert efforts == sorted(efforts) and efforts[0] < efforts[-1]
