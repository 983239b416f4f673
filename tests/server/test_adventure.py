"""The dungeon's adventure on a server: four forts in a row, with spells kept and forts lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness
from theriac.server.store import events
from theriac.server.tables import messages, views
from theriac.server.tables.decisions import Denied
from theriac.verification import verify

#: A deck without danger: the Knight falls to the first card that covers one of his corners, and
#: gives the alarm if the next card covers none.
QUICK = ["0000"] * 9 + ["0000t1K"]


def knight_in(view: Any) -> tuple[int, int] | None:
    """The place of the Knight, if he has been laid."""
    laid = [(card["x"], card["y"]) for card in view["table"]["fort"] if card["card"].endswith("K")]
    return laid[0] if laid else None


def place_of(move: str) -> tuple[int, int]:
    """The place where a move lays its card."""
    x, y = move.partition("@")[2].split(",")
    return int(x), int(y)


def choose_move(view: Any, win: bool) -> str:
    """A move that lays a card and wins the fort as soon as possible, or loses it."""
    cards: list[str] = [move for move in view["legal"] if move[0].isdigit()]
    knight = knight_in(view)
    if knight is None:
        return cards[0]
    near = [{abs(a - b) for a, b in zip(place_of(m), knight, strict=True)} == {1} for m in cards]
    return cards[near.index(win)]


def play_fort(client: SocketClient, win: bool) -> None:
    """Play one fort with one player."""
    client.until(lambda: client.table_info["stage"] == "playing")
    while client.table_info["stage"] == "playing":
        client.play(choose_move(client.view, win))
        client.until(lambda: client.table_info["stage"] == "over" or not client.view["over"])
    assert client.view["winners"] == ([0] if win else [])


def part(client: SocketClient) -> tuple[int, int]:
    """The level of the fort that is offered or played, and the number of spells held."""
    options = client.table_info["options"]
    return options["level"], len(options.get("spells", []))


@pytest.mark.clause("KKD-25", "KKD-26", "KKD-32")
def test_an_adventure_repeats_a_lost_fort_and_keeps_the_spells(server: ServerProcess) -> None:
    ana = server.new_player()
    options = {"minutes": 0, "deck": QUICK}
    table = ana.open("dungeon", [None], adventure=True, options=options)
    (client,) = seat_players(table, ana)
    offered = []
    for number, win in enumerate([False, True, True, False, True, True]):
        if number:
            client.do("ready", nonce=f"fort {number}")
        play_fort(client, win)
        offered.append(part(client))
    assert offered == [(1, 0), (2, 1), (3, 2), (3, 2), (4, 3), (1, 0)]
    records = [ana.get(f"/api/tables/{table}/games/{n}") for n in range(1, 7)]
    assert [record["options"]["level"] for record in records] == [1, 1, 2, 3, 3, 4]
    spells = [record["options"].get("spells", []) for record in records]
    assert spells[3] == spells[4] and set(spells[2]) < set(spells[3]) < set(spells[5])
    assert len({record["seed"] for record in records}) == 6
    for record in records:
        assert len(verify(record)) == 8
    client.do("ready", nonce="once more")
    client.until(lambda: client.table_info["stage"] == "playing")
    assert part(client) == (1, 0) and client.view["table"]["spells"] == []


@pytest.mark.clause("KKD-25")
def test_without_adventure_the_same_game_is_offered_again() -> None:
    harness = TableHarness("dungeon", [None], options={"minutes": 0, "deck": QUICK, "level": 2})
    harness.sit("ana")
    while harness.table.stage == "playing":
        harness.play(choose_move(harness.table.current_match.view(0), win=True))
    assert harness.table.finished and harness.table.options["level"] == 2
    assert "spells" not in harness.table.options


def with_ice() -> TableHarness:
    """Two players with the spell ice; the Knight has just been laid."""
    options = {"minutes": 0, "level": 1, "spells": ["ice"], "deck": [*QUICK, "0000", "0000"]}
    harness = TableHarness("dungeon", [None, None], options=options)
    harness.sit("ana", "bo")
    while knight_in(harness.table.current_match.view()) is None:
        assert harness.table.to_act is not None
        harness.play(choose_move(harness.table.current_match.view(harness.table.to_act), win=True))
    return harness


@pytest.mark.clause("KKD-31")
def test_a_player_who_is_not_to_act_can_cast_a_spell() -> None:
    harness = with_ice()
    waiting = 1 - (harness.table.to_act or 0)
    view = views.view_of_table(harness.table, waiting, harness.now)
    assert view is not None and view["legal"] == []
    (spell,) = view["anytime"]
    player = ["ana", "bo"][waiting]
    turn = harness.table.to_act
    happened = harness.ask(player, messages.Play("cast", spell, harness.table.version))
    assert happened == [events.Moved(waiting, spell)]
    assert harness.table.to_act == turn
    assert harness.table.current_match.view()["table"]["spells"] == []


@pytest.mark.clause("KKD-31")
def test_only_the_player_to_act_can_lay_a_card() -> None:
    harness = with_ice()
    turn = harness.table.to_act or 0
    card = next(move for move in harness.table.current_match.legal() if move[0].isdigit())
    with pytest.raises(Denied, match=f"it is {['Ana', 'Bo'][turn]}'s turn"):
        harness.ask(["ana", "bo"][1 - turn], messages.Play("card", card, harness.table.version))
    view = views.view_of_table(harness.table, turn, harness.now)
    assert view is not None and "anytime" not in view
    spectating = views.view_of_table(harness.table, -1, harness.now)
    assert spectating is not None and "anytime" not in spectating
