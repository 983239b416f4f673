"""The configuration file of `theriac serve`, and `--check`."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.command import Outcome, call
from tests.server.server_process import ServerProcess
from theriac.cli import serve
from theriac.cli.config_file import read_config, settings_of
from theriac.faults import Fault

SETTINGS = settings_of(serve.run, serve.NOT_IN_FILE)
EXAMPLE = Path(__file__).parents[2] / "docs" / "deploy" / "theriac.toml"


def check(capsys: pytest.CaptureFixture[str], folder: Path, text: str, *arguments: str) -> Outcome:
    """The outcome of `theriac serve --check` with a file of this text."""
    file = folder / "club.toml"
    file.write_text(text, encoding="utf-8")
    return call(capsys, "serve", "--config", str(file), "--check", *arguments)


def test_every_option_can_be_in_the_file_and_the_example_has_them_all(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = re.findall(r"--([a-z][a-z-]+)", call(capsys, "serve", "--help").out)
    names = {name.replace("-", "_") for name in shown} - {"help", "open", "config", "check"}
    assert names == set(SETTINGS)
    assert set(read_config(EXAMPLE, SETTINGS)) == set(SETTINGS)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("prot = 1", "there is no setting prot: use port"),
        ("bot-workers = 1", "there is no setting bot-workers: use bot_workers"),
        ("xyzzy = 1", "there is no setting xyzzy: use absence_grace, allowed_host"),
        ("port = 'eighty'", "port: eighty is not a whole number, such as port = 8765"),
        ("port = true", "port: True is not a whole number"),
        ("port = 1.5", "port: 1.5 is not a whole number"),
        ("host = 1", 'host: 1 is not a text in quotes, such as host = "127.0.0.1"'),
        ("bot_workers = 0", "bot_workers: 0 is not from 1 to 256"),
        ("bot_delay = 61", "bot_delay: 61 is not from 0 to 60"),
        ("origin = 'https://x.example'", "is not a list, such as origin ="),
        ("origin = [1]", "origin: 1 is not a text in quotes"),
        ("origin = ['club.example']", "origin: club.example is not an address such as"),
        ("[limits]\nbot_table = 5", "there is no limit bot_table: use bot_tables"),
        (
            "[limits]\nbot_tables = 'x'",
            "bot_tables: x is not a whole number, such as bot_tables = 200",
        ),
        ("[limits]\nbot_tables = 0", "bot_tables: 0 is not above 0"),
        ("limits = 5", "limits: 5 is not a section: write [limits]"),
        ("log_level = 'loud'", "log_level: loud is not debug, info, warning or error"),
        ("database = 'mysql://x/y'", "database: use a path or postgresql://…, not mysql://…"),
        ("channels = 'redis://x'", "channels is for several servers"),
        ("port = \n", "this is not TOML (Invalid value (at line 1, column 8))"),
        ("port = 1\nport = 2", "this is not TOML"),
    ],
)
def test_an_error_names_the_file_the_key_and_what_would_be_right(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, why: str
) -> None:
    outcome = check(capsys, tmp_path, text)
    assert outcome.status == 2 and outcome.out == ""
    assert f"{tmp_path / 'club.toml'}: " in outcome.err and why in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_a_typed_option_overrides_the_environment_and_that_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {name: str(tmp_path / f"{name}.sqlite") for name in ("file", "environment", "typed")}
    text = f"database = '{files['file']}'"
    monkeypatch.delenv("THERIAC_DATABASE", raising=False)
    assert files["file"] in check(capsys, tmp_path, text).out
    monkeypatch.setenv("THERIAC_DATABASE", files["environment"])
    assert files["environment"] in check(capsys, tmp_path, text).out
    typed = ("--database", files["typed"])
    assert files["typed"] in check(capsys, tmp_path, text, *typed).out
    # A fault about a typed option does not blame the file.
    wrong = check(capsys, tmp_path, "log_level = 'info'", "--log-level", "loud")
    assert wrong.err.startswith("--log-level: loud is not")


def test_limits_have_a_section(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text(
        "limit = ['tables=5']\n[limits]\nbot_tables = 7\nbot_share = 1", encoding="utf-8"
    )
    assert read_config(file, SETTINGS) == {"limit": ["tables=5", "bot_tables=7", "bot_share=1"]}


def test_a_missing_file_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    outcome = call(capsys, "serve", "--config", str(tmp_path / "none.toml"), "--check")
    assert outcome.status == 2 and "none.toml: No such file" in outcome.err


def test_check_changes_nothing_and_says_what_it_found(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    new = tmp_path / "new.sqlite"
    outcome = check(capsys, tmp_path, f"database = '{new}'")
    assert outcome.status == 0 and "a new file will be made" in outcome.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club.toml"]
    blocked = check(capsys, tmp_path, "database = '/dev/null/x.sqlite'")
    assert blocked.status == 2 and "database: no file can be made in /dev/null" in blocked.err
    with sqlite3.connect(new) as store:
        store.execute("CREATE TABLE alembic_version (version_num TEXT)")
        store.execute("INSERT INTO alembic_version VALUES ('9999')")
    store.close()
    newer = check(capsys, tmp_path, f"database = '{new}'")
    assert newer.status == 2 and "database: a newer Theriac made this store" in newer.err


def test_a_server_runs_by_its_file_and_check_sees_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "club.toml"
    file.write_text('log_level = "warning"\norigin = ["https://club.example"]\n', encoding="utf-8")
    server = ServerProcess(tmp_path / "club", "--config", str(file))
    outcome = check(capsys, tmp_path, f"database = '{server.database}'")
    assert outcome.status == 0, outcome.err
    assert "the newest" in outcome.out and "a server is running on this database" in outcome.out
    assert server.stop() == 0


def test_a_key_of_a_file_is_checked_without_a_server(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("prot = 1", encoding="utf-8")
    with pytest.raises(Fault, match="use port"):
        read_config(file, SETTINGS)
