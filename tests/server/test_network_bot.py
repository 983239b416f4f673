"""`examples/network_bot.py`, which plays over HTTP as docs/wire.md describes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import theriac
from tests.server.server_process import RESPONSE_TIMEOUT_S, Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from theriac.testing.setups import short_options

FILE = Path(__file__).parents[2] / "examples" / "network_bot.py"
GAMES = list(theriac.all_games().values())


def start(server: ServerProcess, table: str, *key: str) -> subprocess.Popen[str]:
    """Start the program at a table."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(FILE), f"http://{server.host}", table, *key],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_plays_every_game_to_its_end(server: ServerProcess) -> None:
    owner: Player = server.new_player()
    running = []
    for game in GAMES:
        options = short_options(game)
        seats = [None, *["easy"] * (options.pop("players") - 1)]
        table = owner.open(game.name, seats, options=options)
        running.append((game, table, start(server, table)))
    for game, table, program in running:
        out, err = program.communicate(timeout=10 * RESPONSE_TIMEOUT_S)
        assert (program.returncode, err) == (0, ""), out
        welcome = owner.get_table(table)
        assert (
            welcome["room"]["stage"] == "over"
            and welcome["room"]["seats"][0]["name"] == "Network bot"
        )
        assert out.splitlines()[-1] == f"scores {welcome['view']['scores']}"
        assert any(line.startswith("move ") for line in out.splitlines()), game.name


def test_two_of_them_play_together_one_with_a_given_key(server: ServerProcess) -> None:
    ana = server.new_player("Ana")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    spectator = SocketClient(server, table)
    first = start(server, table, ana.key)
    spectator.until(lambda: spectator.table_info["seats"][0]["taken"])
    assert spectator.table_info["seats"][0]["name"] == "Ana"
    second = start(server, table)
    spectator.until(lambda: spectator.table_info["stage"] == "over")
    for program in (first, second):
        out, err = program.communicate(timeout=RESPONSE_TIMEOUT_S)
        assert (program.returncode, err) == (0, ""), out


def test_it_takes_its_seat_back_from_a_stand_in_bot(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    one.close()
    two.until(lambda: two.present == [1])
    two.do("hand", seat=0)
    program = start(server, table, ana.key)
    two.until(lambda: two.kinds[-1] == "returned")
    two.until(lambda: two.view["to_act"] == 1)
    program.terminate()
    program.communicate(timeout=RESPONSE_TIMEOUT_S)


def test_errors_are_printed_in_one_line(server: ServerProcess) -> None:
    ana = server.new_player()
    full = ana.open("dungeon", ["easy"])
    for table, key, why in (
        ("nosuch", (), "there is no such table"),
        (ana.open("shokoba", [None, None]), ("wrong.key",), "this key is not known here"),
        (full, (ana.key,), "no seat is free"),
    ):
        program = start(server, table, *key)
        _, err = program.communicate(timeout=RESPONSE_TIMEOUT_S)
        assert (program.returncode, err) == (1, f"{why}\n")
