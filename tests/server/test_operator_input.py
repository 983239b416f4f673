"""What an operator types or is shown: no text reaches the terminal as a command to it, and wrong
input gets a sentence.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import Outcome, call
from theriac.server.store.database import database_url
from theriac.server.store.migrate import upgrade
from theriac.server.store.store import Store

#: Colours the text, renames the window, rings the bell, and turns the direction of text.
ESCAPES = "\x1b[31mEve\x1b]0;x\x07\u202e"
#: What Python makes of an argument that is not UTF-8.
NOT_UTF8 = "\udcff\udcfe"
CANNOT_BE_PRINTED = "has characters that cannot be printed: leave them out"

Admin = Callable[..., Outcome]


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A store of before, in which people have names that nobody can take any more."""
    file = str(tmp_path / "tables.sqlite")

    async def fill() -> None:
        url = database_url(file)
        await upgrade(url)
        store = Store(url)
        for player, name in (("eve", ESCAPES), ("bo", ":smile: [red]Bo[/red]"), ("c", "100%")):
            await store.add_player(player, name, "hash", 1)
        await store.close()

    asyncio.run(fill())
    return file


@pytest.fixture
def admin(database: str, capsys: pytest.CaptureFixture[str]) -> Admin:
    """Runs a command of `theriac admin`."""

    def run(*arguments: str) -> Outcome:
        return call(capsys, "admin", "--database", database, *arguments)

    return run


def test_a_list_shows_names_as_they_are_and_escapes_none(admin: Admin) -> None:
    shown = admin("people").out
    assert all(line.isprintable() for line in shown.splitlines())
    assert r"\x1b[31mEve\x1b]0;x\x07\u202e" in shown
    assert ":smile: [red]Bo[/red]" in shown


def test_a_search_is_for_the_text(admin: Admin) -> None:
    found = json.loads(admin("people", "--search", "%", "--json").out)
    assert [person["person"] for person in found] == ["c"]
    assert json.loads(admin("people", "--search", "_", "--json").out) == []


@pytest.mark.parametrize("text", [NOT_UTF8, ESCAPES])
@pytest.mark.parametrize(
    "command",
    [
        ("people", "--search"),
        ("mute",),
        ("unban",),
        ("kick", "eve", "--table"),
        ("close-table",),
        ("delete-table",),
        ("export-person",),
        ("delete-person",),
        ("renew-key",),
    ],
)
def test_text_that_cannot_be_printed_is_refused(
    admin: Admin, command: tuple[str, ...], text: str
) -> None:
    outcome = admin(*command, text)
    assert outcome.status == 2 and CANNOT_BE_PRINTED in outcome.err
    assert outcome.err.strip().isprintable()


@pytest.mark.parametrize("text", [NOT_UTF8, ESCAPES])
def test_who_acts_has_a_name_that_can_be_printed(admin: Admin, text: str) -> None:
    outcome = admin("--by", text, "mute", "eve")
    assert outcome.status == 2 and CANNOT_BE_PRINTED in outcome.err
    assert admin("audit").out == "none\n"


def test_a_stage_and_a_number_are_checked(admin: Admin) -> None:
    assert (
        "--stage nosuch: use gathering, playing, over or closed"
        in admin("tables", "--stage", "nosuch").err
    )
    for number in (str(10**30), str(2**31), "0"):
        outcome = admin("close-report", number)
        assert outcome.status == 2 and "Invalid value" in outcome.err


@pytest.mark.parametrize("name", [NOT_UTF8, ESCAPES])
def test_a_backup_may_have_any_name(
    admin: Admin, database: str, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = call(capsys, "backup", str(tmp_path / name), "--database", database)
    assert outcome.status == 0 and outcome.out.strip().isprintable()
    assert (tmp_path / name).exists()
    (done,) = json.loads(admin("audit", "--json").out)
    assert done["details"]["file"].isprintable()


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (r'database = "a\u0000b"', "database: 'a\\x00b' has a character that no name may have"),
        ('origin = ["http://[::1"]', "origin: http://[::1 is not an address such as https://"),
        ("a = " + "[" * 3000 + "]" * 3000, "it is nested too deeply"),
        ("port = 70000", "port: 70000 is not from 0 to 65535"),
        (r'metrics_token = "a\nb"', "metrics_token: use letters, digits and signs of ASCII"),
        ("[limits]\nhello_timeout_s = 1e300", "hello_timeout_s: 1e+300 is not above 0 and at most"),
    ],
)
def test_a_config_file_is_checked(
    config: str, why: str, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "club.toml"
    file.write_text(config, encoding="utf-8")
    more = () if "database" in config else ("--database", database)
    outcome = call(capsys, "serve", "--config", str(file), "--check", *more)
    assert outcome.status == 2 and why in outcome.err, outcome


def test_the_name_of_a_database_is_shown_without_escapes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = call(capsys, "serve", "--check", "--database", str(tmp_path / "\x1b[31mred"))
    assert outcome.status == 0 and r"\x1b[31mred" in outcome.out and "\x1b" not in outcome.out


def test_a_host_that_cannot_be_listened_on_is_shown_without_escapes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for host in ("\x1b[31mred", "a\0b"):
        file = str(tmp_path / "tables.sqlite")
        outcome = call(capsys, "serve", "--host", host, "--port", "0", "--database", file)
        assert outcome.status == 2 and "cannot listen on '" in outcome.err
        assert outcome.err.strip().isprintable()
