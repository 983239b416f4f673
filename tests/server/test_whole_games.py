"""Whole games over the wire: players, bots, a spectator, a reconnect."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import theriac
from tests.command import call
from tests.server.server_process import Player, ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from theriac.game import Game
from theriac.testing.setups import short_options

GAMES = list(theriac.all_games().values())
NAMES = [game.name for game in GAMES]


def play_on(clients: list[SocketClient], random: Random, moves: int) -> None:
    """Make random moves for these clients: this many, or until the game is over."""
    for _ in range(moves):
        clients[0].until(
            lambda: clients[0].table_info["stage"] == "over" or is_clients_turn(clients)
        )
        if clients[0].table_info["stage"] == "over":
            return
        mover = next(client for client in clients if client.seat == clients[0].view["to_act"])
        mover.reach(clients[0].version)
        if not mover.view["legal"]:  # it knows more: a bot has just moved for it
            clients[0].reach(mover.version)
            continue
        mover.play(random.choice(mover.view["legal"]))
        clients[0].reach(mover.version)


def is_clients_turn(clients: list[SocketClient]) -> bool:
    """Is one of these clients to act, as far as the first one knows?"""
    return clients[0].view["to_act"] in [client.seat for client in clients]


def finished_table(
    server: ServerProcess, game: Game, random: Random
) -> tuple[str, list[Player], list[SocketClient]]:
    """A short game played to its end by two players and bots, with a reconnect on the way."""
    ana, bo = server.new_players("Ana", "Bo")
    options = short_options(game)
    seats = [None, None, *["easy"] * (options.pop("players") - 2)]
    table = ana.open(game.name, seats, options=options)
    clients = [*seat_players(table, ana, bo), SocketClient(server, table)]
    play_on(clients[:2], random, 3)
    clients[0].close()
    seen = clients[0].version
    play_on(clients[1:2], random, 1 if clients[1].view["to_act"] == 1 else 0)
    again = SocketClient(server, table, ana, since=seen)
    assert [update["version"] for update in again.events] == list(
        range(seen + 1, again.version + 1)
    )
    clients[0] = again
    play_on(clients[:2], random, 10_000)
    for client in clients:
        client.until(lambda client=client: client.table_info["stage"] == "over")  # type: ignore[misc]
    return table, [ana, bo], clients


def _without_rounds(view: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in view.items() if key != "rounds"}


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_a_whole_game_ends_in_the_same_state_for_everyone(
    server: ServerProcess, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = short_options(game)["players"]
    table, people, clients = finished_table(server, game, Random(game.name))
    for_spectator = server.http.get(f"/api/tables/{table}").json()["welcome"]
    for client, welcome in zip(
        clients, [*(p.get_table(table) for p in people), for_spectator], strict=True
    ):
        assert (client.version, client.table_info, client.view) == (
            welcome["version"],
            welcome["room"],
            welcome["view"],
        )
        assert client.seat == welcome.get("seat")
    assert len({json.dumps(client.view["table"]) for client in clients}) == 1
    assert clients[0].view["over"] and clients[0].table_info["games"] == 1

    record = people[0].get(f"/api/tables/{table}/games/1")
    assert record["seal"]["commitment"] == clients[2].events[0]["event"]["commitment"]
    assert record["seal"]["nonces"] == ["nonce 0", "nonce 1"] + ["bot"] * (players - 2)
    assert record["x_names"][:2] == ["Ana", "Bo"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert call(capsys, "verify", file).status == 0
    assert len(people[0].get(f"/api/tables/{table}/games/1/verify")["steps"]) == 8
    for seat in (None, *range(players)):
        steps = replayed(people[0], table, seat)
        # The page's views also say how many rounds a whole game has.
        shown = [{"n": step["n"], **_without_rounds(step["view"])} for step in steps]
        assert shown == replayed_by_command(capsys, file, seat)
        assert [step.get("move") for step in steps] == [
            None,
            *shown_to(record, game, seat, clients),
        ]


def replayed(player: Player, table: str, seat: int | None) -> list[Any]:
    """The steps of the first game at a table."""
    choice = {} if seat is None else {"seat": seat}
    steps: list[Any] = player.get(f"/api/tables/{table}/games/1/replay", **choice)["steps"]
    return steps


def replayed_by_command(
    capsys: pytest.CaptureFixture[str], file: Path, seat: int | None
) -> list[Any]:
    """What `theriac replay` prints of a record."""
    choice = [] if seat is None else ["--seat", seat]
    outcome = call(capsys, "replay", file, "--json", "--each", *choice)
    assert outcome.status == 0
    return [json.loads(line) for line in outcome.out.splitlines()]


def shown_to(record: Any, game: Game, seat: int | None, clients: list[SocketClient]) -> list[str]:
    """The moves of a record as a seat sees them: without the cards that others laid face down."""
    text = game.settings(record["options"], 0).text
    made = [update["event"] for update in clients[2].events if update["event"]["kind"] == "moved"]
    assert len(made) == len(record["moves"])
    return [
        move if seat in (None, event["seat"]) else text.write_public(text.read(move))
        for move, event in zip(record["moves"], made, strict=True)
    ]
