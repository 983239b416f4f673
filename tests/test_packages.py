"""Games that installed packages bring, and packages that do not bring what they should."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import theriac
from tests.command import call, process
from tests.packages import INIT, install, install_game, searched, write_files
from theriac.adapters.episode import Episode
from theriac.encoding import observation
from theriac.engine.cache import cache_folder, sources_key
from theriac.faults import Fault
from theriac.game import all_games, find
from theriac.tutorial import read_tutorial


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for installed packages, which this process searches."""
    with searched(tmp_path, monkeypatch) as folder:
        yield folder


def test_a_package_brings_its_games_after_those_of_theriac(site: Path) -> None:
    built_in = [name for name, game in all_games().items() if game.module.startswith("theriac.")]
    others = [name for name in all_games() if name not in built_in]
    all_games.cache_clear()
    install_game(site, "venom")
    install_game(site, "bane")
    assert list(theriac.all_games()) == [*built_in, *sorted(["bane", "venom", *others])]
    match = theriac.new("venom", players=3, seed=bytes(32))
    while not match.over:
        match.play(match.legal()[0])
    assert theriac.replay(match.record()).results() == match.results()


def test_one_package_may_bring_several_games(site: Path) -> None:
    both = INIT.format(name="venom", title="Venom") + 'GAMES += (replace(GAMES[0], name="bane"),)\n'
    install_game(site, "venom", {"__init__.py": both})
    assert find("bane").folder == find("venom").folder == site / "venom"


def test_the_command_line_lists_the_game_of_a_package(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install_game(site, "venom")
    said = call(capsys, "games")
    assert said.status == 0
    assert "venom  Venom, 3 to 6 players" in said.out


BROKEN = {
    "theriac-venom: its module venom cannot be imported (RuntimeError: no luck)": {
        "__init__.py": "raise RuntimeError('no luck')"
    },
    "theriac-venom: its module venom cannot be imported (SyntaxError": {"__init__.py": "GAMES = ("},
    "theriac-venom: its module venom has no tuple GAMES": {"__init__.py": ""},
    "theriac-venom: its module venom has no tuple GAMES of games": {
        "__init__.py": "GAMES = ('x',)"
    },
    "theriac-venom: its game poison has the name of a game of Theriac itself": {
        "__init__.py": INIT.format(name="poison", title="Venom")
    },
    "theriac-venom: the name of its game ../venom is not made of lower-case letters": {
        "__init__.py": INIT.format(name="../venom", title="Venom")
    },
    "theriac-venom: the module of its game venom, elsewhere, is not the package": {
        "__init__.py": INIT.format(name="venom", title="Venom").replace("__name__", "'elsewhere'")
    },
    "theriac-venom: the module of its game venom, theriac, is not the package": {
        "__init__.py": INIT.format(name="venom", title="Venom").replace("__name__", "'theriac'")
    },
}


@pytest.mark.parametrize(("sentence", "files"), BROKEN.items())
def test_a_broken_package_is_named(
    site: Path, capsys: pytest.CaptureFixture[str], sentence: str, files: dict[str, str]
) -> None:
    install_game(site, "venom", files)
    with pytest.raises(Fault) as raised:
        all_games()
    assert str(raised.value).startswith(f"the package {sentence}")
    said = call(capsys, "games")
    assert (said.status, said.out) == (2, "")
    assert said.err == f"{raised.value}\n"


def test_a_module_that_cannot_be_imported_is_the_cause(site: Path) -> None:
    install(site, "theriac-venom", {"venom": "venom.rules"})
    with pytest.raises(Fault, match="ModuleNotFoundError: No module named 'venom'") as raised:
        all_games()
    assert isinstance(raised.value.__cause__, ModuleNotFoundError)


def test_two_packages_with_one_name_of_a_game_are_both_named(site: Path) -> None:
    install_game(site, "bane")
    install_game(site, "venom", {"__init__.py": INIT.format(name="bane", title="Bane")})
    with pytest.raises(Fault, match=r"theriac-venom: its game bane .* of the package theriac-bane"):
        all_games()


def test_a_module_in_a_single_file_has_no_folder_for_a_game(site: Path) -> None:
    write_files(site, {"venom.py": INIT.format(name="venom", title="Venom")})
    install(site, "theriac-venom", {"venom": "venom"})
    with pytest.raises(Fault, match="venom, is not the package whose GAMES has it"):
        all_games()


def test_games_with_the_same_folder_name_have_their_own_compiled_rules(site: Path) -> None:
    (site / "mine").mkdir()
    (site / "mine" / "__init__.py").touch()
    install_game(site, "venom")
    shutil.copytree(site / "venom", site / "mine" / "venom")
    names = {cache_folder(module).name for module in ("venom", "mine.venom")}
    assert {name.rpartition("-")[0] for name in names} == {"venom", "mine.venom"}
    assert len({name.rpartition("-")[2] for name in names}) == 2


@pytest.mark.parametrize("file", ["venom/rules.py", "shared/tricks.py"])
def test_every_source_of_a_package_counts_for_its_compiled_rules(site: Path, file: str) -> None:
    write_files(site / "mine", {"__init__.py": "", "venom/__init__.py": "", file: "a = 1"})
    before = cache_folder("mine.venom")
    (site / "mine" / file).write_text("a = 2")
    sources_key.cache_clear()
    assert cache_folder("mine.venom") != before
    write_files(site / "mine", {"venom/tests/test_a.py": "a = 1"})
    changed = cache_folder("mine.venom")
    sources_key.cache_clear()
    assert cache_folder("mine.venom") == changed


def test_a_game_without_a_screen_is_played_in_words(site: Path) -> None:
    """As `theriac play` shows it, in a process of its own."""
    seats = 'POISON[0].text.__class__("T", (POISON[0].text,), {"per_seat": ("hands", "taken"), '
    seats += '"seat_keys": ("dealer",)})'
    init = INIT.format(name="venom", title="Venom").replace(
        "module=__name__", f"module=__name__, text={seats}"
    )
    install_game(site, "venom", {"__init__.py": init})
    path = os.pathsep.join([str(site), *sys.path])
    said = process(
        site, "play", "venom", "--players", "3", "--seed", "00" * 32,
        typed="table\n?\nrules\n1\nquit\n", PYTHONPATH=path,
    )  # fmt: skip
    assert said.status == 0, said.err
    assert re.search(r"^ +points +hands +taken *$", said.out, re.MULTILINE)
    assert re.search(r"▸ +you +0 +1[23] +0", said.out)
    assert "Your hand" in said.out
    assert re.search(r"^dealer +(you|seat \d)", said.out, re.MULTILINE)
    assert "Type a move as the list writes it." in said.out
    assert "venom has no rule page" in said.out
    assert re.search(r"^you +\w+@\d", said.out, re.MULTILINE)


def test_the_plain_screen_tells_how_a_round_ended(site: Path) -> None:
    install_game(site, "venom")
    match = theriac.new("venom", players=3, seed=bytes(32))
    while match.view()["round"] == 1:
        match.play(match.legal()[0])
    record = site / "game.json"
    record.write_text(json.dumps(match.record()))
    path = os.pathsep.join([str(site), *sys.path])
    said = process(site, "replay", str(record), "--each", PYTHONPATH=path)
    assert said.status == 0, said.err
    assert "Round 1 is over" in said.out
    for seat, points in enumerate(match.view()["scores"]):
        assert re.search(rf"│ seat {seat} │ +{points} │", said.out)


def test_what_a_package_lacks_is_named(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install_game(site, "venom")
    game = find("venom")
    assert call(capsys, "rules", "venom").err == (
        "venom has no rule page: its package would have it in rules/en.md\n"
    )
    for asked, sentence in (
        (read_tutorial, "venom has no tutorial"),
        (observation, "venom does not describe its observation: it has no encoding.toml"),
    ):
        with pytest.raises(Fault, match=sentence):
            asked(game)


def test_an_adapter_renders_a_game_without_a_screen(site: Path) -> None:
    install_game(site, "venom")
    episode = Episode(find("venom"), {"players": 3})
    episode.start(seed=1)
    assert "Your hand" in episode.render()
