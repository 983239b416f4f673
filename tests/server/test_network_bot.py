"""The example of a program that plays over HTTP, as docs/wire.md tells it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import theriac
from tests.server.club import PATIENCE, Club, Person
from tests.server.line import Line, seated

FILE = Path(__file__).parents[2] / "examples" / "network_bot.py"
GAMES = list(theriac.all_games().values())


def start(club: Club, table: str, *key: str) -> subprocess.Popen[str]:
    """The program at a table."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(FILE), f"http://{club.host}", table, *key],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_plays_every_game_to_its_end(club: Club) -> None:
    owner: Person = club.person()
    running = []
    for game in GAMES:
        table = owner.open(game.name, [None, *["easy"] * (game.players[1] - 1)])
        running.append((game, table, start(club, table)))
    for game, table, program in running:
        out, err = program.communicate(timeout=10 * PATIENCE)
        assert (program.returncode, err) == (0, ""), out
        told = owner.look(table)
        assert told["room"]["stage"] == "over" and told["room"]["seats"][0]["name"] == "Network bot"
        assert out.splitlines()[-1] == f"scores {told['view']['scores']}"
        assert any(line.startswith("move ") for line in out.splitlines()), game.name


def test_two_of_them_play_together_one_with_a_key_it_was_given(club: Club) -> None:
    ana = club.person("Ana")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    watching = Line(club, table)
    first = start(club, table, ana.key)
    watching.until(lambda: watching.room["seats"][0]["taken"])
    assert watching.room["seats"][0]["name"] == "Ana"
    second = start(club, table)
    watching.until(lambda: watching.room["stage"] == "over")
    for program in (first, second):
        out, err = program.communicate(timeout=PATIENCE)
        assert (program.returncode, err) == (0, ""), out


def test_it_plays_on_for_somebody_whom_a_bot_has_replaced(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seated(table, ana, bo)
    one.hang_up()
    two.until(lambda: two.present == [1])
    two.do("hand", seat=0, level="easy")
    program = start(club, table, ana.key)
    two.until(lambda: two.kinds[-1] == "returned")
    two.until(lambda: two.view["to_act"] == 1)
    program.terminate()
    program.communicate(timeout=PATIENCE)


def test_it_says_what_is_wrong(club: Club) -> None:
    ana = club.person()
    full = ana.open("dungeon", ["easy"])
    for table, key, why in (
        ("nosuch", (), "there is no such table"),
        (ana.open("shokoba", [None, None]), ("wrong.key",), "this key is not known here"),
        (full, (ana.key,), "no seat is free"),
    ):
        program = start(club, table, *key)
        _, err = program.communicate(timeout=PATIENCE)
        assert (program.returncode, err) == (1, f"{why}\n")
