"""`theriac bots`, and bots in `theriac play`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bots.samples import LINE_BOT, PYTHON, ROOT
from tests.command import SEED, call, process
from theriac.bots import bot_names, list_bots
from theriac.bots.levels import bots_of
from theriac.bots.protocol import MAX_LINE_BYTES
from theriac.record import replay

HEX = SEED.hex()


def test_the_list_for_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    printed = {entry["name"]: entry for entry in json.loads(call(capsys, "bots", "--json").out)}
    assert list(printed) == bot_names()
    assert printed["easy"]["games"] == bots_of("easy")
    assert printed["random"]["parameters"] == []
    slip = {"name": "slip", "default": 0.0, "least": 0, "most": 1}
    assert printed["greedy"]["parameters"][0].items() >= slip.items()
    assert {entry["kind"] for entry in printed.values()} == {"house", "level"}


def test_the_list_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "bots").out
    for entry in list_bots():
        assert f"  {entry.name} " in said
        for parameter in entry.parameters or ():
            assert f"    {parameter.name}=" in said


def play(
    home: Path, bots: str, typed: str = "1\n" * 500, *more: str
) -> tuple[str, dict[str, object]]:
    file = home / "game.json"
    file.unlink(missing_ok=True)
    arguments = ["play", "poison", "-p", "3", "--seed", HEX, "--save", str(file), *more]
    said = process(home, *arguments, "--bots", bots, typed=typed)
    assert (said.status, said.err) == (0, "")
    return said.out, json.loads(file.read_text())


@pytest.mark.parametrize("bots", ["easy", "greedy:slip=0.4", LINE_BOT])
def test_any_bot_can_sit_at_the_table(bots: str, tmp_path: Path) -> None:
    out, record = play(tmp_path, bots)
    assert replay(record, "plain").over
    assert record["x_bots"] == bots
    assert "takes the seat" not in out
    head = " ".join(out.split("Kept as")[0].split())
    expected = f"2 bots ({bots})" if ":" in bots else f"2 {bots} bots"
    assert expected.replace(" ", "") in head.replace(" ", "")


def test_a_game_is_the_same_whenever_it_is_resumed(tmp_path: Path) -> None:
    _, whole = play(tmp_path, LINE_BOT)
    play(tmp_path, LINE_BOT, "1\n" * 3)
    file = tmp_path / "game.json"
    said = process(tmp_path, "play", "--resume", str(file), typed="1\n" * 500)
    assert (said.status, said.err) == (0, "")
    assert json.loads(file.read_text())["moves"] == whole["moves"]


def test_a_saved_game_may_use_the_old_name_of_a_parameter(tmp_path: Path) -> None:
    play(tmp_path, "search:simulations=2", "1\n" * 3)
    file = tmp_path / "game.json"
    record = json.loads(file.read_text()) | {"x_bots": "search:simulations=2,few=2"}
    file.write_text(json.dumps(record))
    said = process(tmp_path, "play", "--resume", str(file), typed="1\n")
    assert (said.status, said.err) == (0, "")
    assert json.loads(file.read_text())["x_bots"] == "search:simulations=2,playout_width=2"


def test_a_bot_that_fails_loses_its_seat_and_the_game_continues(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(
        "import sys\n"
        'sys.stdin.readline(); print(\'{"name": "x"}\', flush=True)\n'
        "sys.stdin.readline(); sys.exit('no idea')\n"
    )
    out, record = play(tmp_path, f"process:{PYTHON} {script}")
    assert replay(record, "plain").over
    flat = " ".join(out.split())
    for seat in (1, 2):
        assert flat.count(f"Seat {seat}: the bot process:") == 1
    assert flat.count("ended with status 1: no idea. A random bot takes the seat.") == 2
    assert "The game is over" in out


def test_bots_get_the_final_view(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if 'end' in message:\n"
        "        open(f'end {os.getpid()}', 'w').write(line)\n"
        "    elif 'view' in message:\n"
        "        print(json.dumps({'move': message['view']['legal'][0]}), flush=True)\n"
        "    else:\n"
        '        print(\'{"name": "x"}\', flush=True)\n'
    )
    _, record = play(tmp_path, f"process:{PYTHON} {script}")
    match = replay(record, "plain")
    received = [json.loads(file.read_text())["end"] for file in tmp_path.glob("end *")]
    assert sorted(received, key=str) == sorted((match.view(1), match.view(2)), key=str)


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ("greedy:slip=9", "bot greedy: slip=9 is not a number from 0 to 1"),
        ("process:no-such-program", "bot process: no program is called no-such-program"),
    ],
)
def test_unknown_bots_are_refused(
    bots: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    said = call(capsys, "play", "poison", "--save", file, "--bots", bots)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert not file.exists()


def test_the_example_is_in_the_documents_as_it_is() -> None:
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    example = (ROOT / "examples" / "line_bot.py").read_text("utf-8")
    assert f"```python\n{example}```\n" in page
    assert str(MAX_LINE_BYTES) in page
