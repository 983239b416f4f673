"""`theriac play`: whole games through pipes and a terminal; saving, resuming, leaving."""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.command import SEED, environment, new_table, process, start
from theriac.cli.move_input import Unclear, as_notation, match_typed
from theriac.cli.screen import find_guide
from theriac.game import all_games, find
from theriac.record import replay

HEX = SEED.hex()
PROMPT = "Your move (? for help): "
#: The games in which every move has a number in a list.
LISTED = [name for name, game in all_games().items() if not find_guide(game)]


def saved(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text())
    return record


def play(home: Path, game: str, typed: str, *arguments: str) -> tuple[str, dict[str, Any]]:
    """Play with typed input; the output, and the saved game."""
    file = home / "game.json"
    said = process(home, "play", game, "--seed", HEX, "--save", str(file), *arguments, typed=typed)
    assert (said.status, said.err) == (0, "")
    return said.out, saved(file)


@pytest.mark.parametrize(
    ("game", "bots"), [*zip(LISTED, itertools.cycle(["greedy", "random"]), strict=False)]
)
def test_a_whole_game_through_a_pipe(game: str, bots: str, tmp_path: Path) -> None:
    out, record = play(tmp_path, game, "1\n" * 500, "--bots", bots, "--seat", "1")
    match = replay(record, "plain")
    assert match.over
    assert "The game is over" in out
    assert "Round 1 is over" in out
    assert "\x1b" not in out
    assert "★" in out
    last = out[out.index("The game is over") :]
    for seat, score in enumerate(match.view()["scores"]):
        name = "you" if seat == 1 else f"seat {seat}"
        assert re.search(rf"^{name} +{score}\b", last, re.MULTILINE)
    assert record["x_seat"] == 1
    assert record["x_bots"] == bots


def test_every_move_is_printed(tmp_path: Path) -> None:
    out, record = play(tmp_path, "poison", "1\n" * 5)
    moves_shown = re.findall(r"^(?:you|seat \d) +\S+ into cauldron \d: \d+", out, re.MULTILINE)
    assert len(moves_shown) == len(record["moves"])


@pytest.mark.parametrize("typed", ["", "1\n", "1\n1", "nonsense\n", "\n\n"])
def test_the_end_of_input_saves_and_leaves(typed: str, tmp_path: Path) -> None:
    out, record = play(tmp_path, "poison", typed)
    assert "Saved. Continue with: theriac play --resume" in out
    match = replay(record, "plain")
    assert match.to_act == 0
    mine = [seat for seat in acting(record) if seat == 0]
    assert len(mine) == typed.count("1")


def acting(record: dict[str, Any]) -> list[int | None]:
    """The seat that made each move of a record."""
    match = replay({**record, "moves": []}, "plain")
    seats = []
    for move in record["moves"]:
        seats.append(match.to_act)
        match.play(move)
    return seats


def test_a_resumed_game_continues_as_if_never_left(tmp_path: Path) -> None:
    _, whole = play(tmp_path, "shokoba", "1\n" * 500)
    file = tmp_path / "game.json"
    file.unlink()
    play(tmp_path, "shokoba", "1\n" * 4)
    times = 0
    while not replay(saved(file), "plain").over:
        said = process(tmp_path, "play", "--resume", str(file), typed="1\n" * 25)
        assert (said.status, said.err) == (0, "")
        times += 1
    assert times > 1
    assert saved(file)["moves"] == whole["moves"]


def test_resuming_keeps_the_seat_the_bots_and_extra_keys(tmp_path: Path) -> None:
    _, record = play(tmp_path, "poison", "1\n", "--seat", "2", "--bots", "random", "-p", "3")
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**record, "x_note": "Sunday"}))
    said = process(tmp_path, "play", "poison", "--resume", str(file), typed="1\n")
    assert "you have seat 2, against 2 random bots" in said.out
    assert saved(file)["x_note"] == "Sunday"
    assert len(saved(file)["moves"]) > len(record["moves"])
    other = tmp_path / "other.json"
    said = process(tmp_path, "play", "--resume", str(file), "--save", str(other), "--seat", "0")
    assert said.status == 0
    assert saved(other)["x_seat"] == 0
    assert saved(file)["x_seat"] == 2


def test_a_finished_game_can_be_shown(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(new_table(find("poison"), 10_000).record()))
    said = process(tmp_path, "play", "--resume", str(file))
    assert said.status == 0
    assert "The game is over" in said.out


@pytest.mark.parametrize(
    ("change", "more", "sentence"),
    [
        ({"x_seat": 9}, [], "seat 9: there are seats 0 to 2"),
        ({"x_seat": "0"}, [], "seat 0: there are seats 0 to 2"),
        ({"x_bots": "deep"}, [], "no bot is called deep"),
        ({"x_bots": 3}, [], "no bot is called 3"),
        ({"moves": ["R9@1"]}, [], "game.json: move 1: R9@1: no card R9 is in the deck (POI-01)"),
        ({}, ["--players", "3"], "--players: leave it out: the file given to --resume sets it"),
        ({}, ["--seed", HEX], "--seed: leave it out"),
        ({}, ["--set", "first=0"], "--set: leave it out"),
    ],
)
def test_a_game_that_cannot_be_resumed_is_refused(
    change: dict[str, Any], more: list[str], sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(new_table(find("poison"), 2).record() | change))
    before = file.read_bytes()
    said = process(tmp_path, "play", "--resume", str(file), *more)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1
    assert file.read_bytes() == before


def test_resuming_another_game_than_that_of_the_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(new_table(find("poison"), 2).record()))
    said = process(tmp_path, "play", "shokoba", "--resume", str(file))
    assert said.status == 2
    assert "this is a game of poison, not of shokoba" in said.err


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    said = process(tmp_path, "play", "poison", "--save", "notes.txt")
    assert said.status == 2
    assert "the file exists" in said.err
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_without_a_file_the_game_is_saved_in_the_users_data_folder(tmp_path: Path) -> None:
    shown = [process(tmp_path, "play", "poison", typed="1\n").out for _ in range(2)]
    files = list((tmp_path / "data/theriac/games").glob("poison-*.json"))
    assert len(files) == 2
    assert all(any(f"--resume {file}\n" in out for out in shown) for file in files)
    assert len({saved(file)["seed"] for file in files}) == 2


def test_options_and_decks_go_into_the_save(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text('game = "poison"\n[cards]\nR1 = 4\nX = 4\n')
    _, record = play(
        tmp_path, "poison", "", "-p", "3", "--deck", str(deck), "--set", "open_piles=on"
    )
    assert record["options"] == {"players": 3, "open_piles": True, "deck": ["R1"] * 4 + ["X"] * 4}


def test_refusals_say_why_and_where_to_read(tmp_path: Path) -> None:
    match = new_table(find("poison"), first=2)
    missing = next(card for card in match.settings.text.cards if card not in match.view(0)["hand"])
    typed = f"{missing.lower()} 2\nR3@1\nzz\nrules poi-08\nrules zzz\n?\n"
    out, record = play(tmp_path, "poison", typed, "-p", "3", "--set", "first=2")
    assert f"Not played: {missing}@2: {missing} is not in hand (POI-07)." in out
    assert "Read that rule: rules POI-07" in out
    assert "Not played: R3@1: no card R3 is in the deck (POI-01)." in out
    assert "Not played: zz: a move is a card and a cauldron, such as R5@2 (POI-07)." in out
    assert "No colour may be in two cauldrons" in out
    assert "clause zzz: poison has clauses POI-01 to POI-21" in out
    assert "Type a card and a cauldron" in out
    assert record["moves"] == []


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    said = process(tmp_path, "play", "poison", typed=b"\xff\xfe\n\xed\xa0\x80\n1\n")
    assert (said.status, said.err) == (0, "")
    assert said.out.count("Not played") == 2


def test_save_and_quit_and_table(tmp_path: Path) -> None:
    out, record = play(tmp_path, "poison", "save\ntable\nquit\n1\n", "--set", "first=3")
    assert f"Saved in {tmp_path / 'game.json'}" in out
    assert out.count("Round 1 of 4") == 2
    assert record["moves"] == []


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with start(tmp_path, "play", "poison", "--save", str(file), "--set", "first=3") as running:
        assert running.stdin is not None
        running.stdin.write(b"1\n")
        running.stdin.flush()
        while not file.exists() or len(saved(file)["moves"]) < 1:
            time.sleep(0.05)
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=120)
    assert (running.returncode, err) == (130, b"")
    assert b"Saved. Continue with" in out


class Terminal:
    """`theriac` in a terminal of its own."""

    def __init__(self, home: Path, *arguments: str, columns: int = 80) -> None:
        self._side, other = pty.openpty()
        more = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "40", "NO_COLOR": ""}
        own = environment(home, **more)
        del own["NO_COLOR"]
        self.running = subprocess.Popen(
            [sys.executable, "-m", "theriac", *arguments], stdin=other, stdout=other,
            stderr=other, env=own, close_fds=True, start_new_session=True,
        )  # fmt: skip
        os.close(other)
        self.shown = ""

    def read_until(self, wanted: str) -> str:
        """What is shown up to this text, or to the end."""
        new = ""
        while wanted not in new:
            ready, _, _ = select.select([self._side], [], [], 60)
            assert ready, f"timed out waiting for {wanted!r} after {new!r}"
            try:
                data = os.read(self._side, 65536)
            except OSError:  # the other side is closed
                break
            if not data:
                break
            new += data.decode(errors="replace")
        self.shown += new
        return new

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._side, keys.encode())


def test_a_whole_game_in_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    terminal = Terminal(tmp_path, "play", "poison", "-p", "3", "--seed", HEX, "--save", str(file))
    while terminal.read_until(PROMPT).endswith(PROMPT):
        terminal.type("1\n")
    assert terminal.running.wait(120) == 0
    assert "\x1b[1;38;2;" in terminal.shown or "\x1b[1;38;5;" in terminal.shown
    assert "The game is over" in terminal.shown
    assert replay(saved(file), "plain").over
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.shown)
    drawn = [line.rstrip("\r") for line in plain.split("\n") if "│" in line or "┃" in line]
    assert drawn
    assert max(map(len, drawn)) <= 80


def test_the_tabulator_key_completes_a_move(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    file = tmp_path / "game.json"
    terminal = Terminal(
        tmp_path, "play", "poison", "--save", str(file), "--seed", HEX, "--set", "first=3"
    )
    terminal.read_until(PROMPT)
    move = new_table(find("poison"), players=4, first=3).legal()[0]
    terminal.type(move[:-1].lower() + "\t")
    terminal.read_until(move[:-1].lower())
    terminal.type(move[-1] + "\n")
    terminal.read_until(PROMPT)
    terminal.type("\x04")
    assert terminal.running.wait(120) == 0
    assert saved(file)["moves"][0] == move


# Typing aids

LEGAL = ["B5@2", "R1@1", "R1@3", "R5@1", "X@1", "X@2", "X@3"]
GEMS = ["S1=R1", "S10", "E7=S3+R4", "E7=S2+S5", "S4", "pass"]


@pytest.mark.parametrize(
    ("typed", "legal", "move"),
    [
        ("R5@1", LEGAL, "R5@1"),
        ("r5@1", LEGAL, "R5@1"),
        (" r5  1 ", LEGAL, "R5@1"),
        ("r51", LEGAL, "R5@1"),
        ("r5", LEGAL, "R5@1"),
        ("b", LEGAL, "B5@2"),
        ("1", LEGAL, "B5@2"),
        ("7", LEGAL, "X@3"),
        ("x2", LEGAL, "X@2"),
        ("8", LEGAL, None),
        ("0", LEGAL, None),
        ("9" * 50, LEGAL, None),
        ("²", LEGAL, None),
        ("r7", LEGAL, None),
        ("1@r5", LEGAL, None),
        ("", LEGAL, None),
        ("@", LEGAL, None),
        ("s1", GEMS, "S1=R1"),
        ("s10", GEMS, "S10"),
        ("e7 r4 s3", GEMS, "E7=S3+R4"),
        ("E7=R4+S3", GEMS, "E7=S3+R4"),
        ("e7s3", GEMS, "E7=S3+R4"),
        ("s3 e7 r4", GEMS, None),
        ("PASS", GEMS, "pass"),
        ("p", GEMS, "pass"),
    ],
)
def test_typed_input_is_read_as_a_move(typed: str, legal: list[str], move: str | None) -> None:
    assert match_typed(typed, legal) == move


@pytest.mark.parametrize(
    ("typed", "legal", "named"),
    [("x", LEGAL, "X@1, X@2 or X@3"), ("r1", LEGAL, "R1@1 or R1@3"), ("e7", GEMS, "E7=S3+R4 or")],
)
def test_ambiguous_input_lists_the_candidates(typed: str, legal: list[str], named: str) -> None:
    with pytest.raises(Unclear) as fault:
        match_typed(typed, legal)
    assert f"{typed} could be {named}" in str(fault.value)


@pytest.mark.parametrize(
    ("game", "typed", "written"),
    [
        ("poison", "p7 2", "P7@2"),
        ("poison", "p7", "P7@1"),
        ("poison", "P7@2", "P7@2"),
        ("poison", "r9 2", "r9 2"),
        ("shokoba", "e7 r4 s3", "E7=S3+R4"),
        ("shokoba", "S9=S1+S1", "S9=S1+S1"),
        ("shokoba", "CLAIM S3", "claim=S3"),
        ("shokoba", "e7!", "E7!"),
    ],
)
def test_typed_illegal_moves_are_put_into_notation(game: str, typed: str, written: str) -> None:
    text = new_table(find(game)).settings.text
    assert as_notation(typed, text) == written
