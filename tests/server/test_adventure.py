"""The dungeon's adventure over the server: four forts in a row, spells carried, forts lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.alone import Alone
from tests.server.club import Club
from tests.server.line import Line, seated
from theriac.record import verify
from theriac.server.store import events
from theriac.server.tables import messages, views
from theriac.server.tables.decisions import Denied

#: Nothing is dangerous here: the Knight falls to the first card that covers a corner of his, and
#: gives the alarm if the next card does not.
QUICK = ["0000"] * 9 + ["0000t1K"]


def knight_in(view: Any) -> tuple[int, int] | None:
    """Where the Knight lies."""
    laid = [(card["x"], card["y"]) for card in view["table"]["fort"] if card["card"].endswith("K")]
    return laid[0] if laid else None


def place_of(move: str) -> tuple[int, int]:
    """Where a move lays its card."""
    x, y = move.partition("@")[2].split(",")
    return int(x), int(y)


def chosen(view: Any, win: bool) -> str:
    """A card laid so that the fort is won, or lost, as soon as that can be."""
    cards: list[str] = [move for move in view["legal"] if move[0].isdigit()]
    knight = knight_in(view)
    if knight is None:
        return cards[0]
    near = [{abs(a - b) for a, b in zip(place_of(m), knight, strict=True)} == {1} for m in cards]
    return cards[near.index(win)]


def play_fort(line: Line, win: bool) -> None:
    """One fort, alone."""
    line.until(lambda: line.room["stage"] == "playing")
    while line.room["stage"] == "playing":
        line.play(chosen(line.view, win))
        line.until(lambda: line.room["stage"] == "over" or not line.view["over"])
    assert line.view["winners"] == ([0] if win else [])


def part(line: Line) -> tuple[int, int]:
    """Which fort is offered or played, and how many spells are held."""
    options = line.room["options"]
    return options["level"], len(options.get("spells", []))


@pytest.mark.clause("KKD-25", "KKD-26", "KKD-32")
def test_four_forts_in_a_row_with_one_lost_between(club: Club) -> None:
    ana = club.person()
    options = {"minutes": 0, "deck": QUICK}
    table = ana.open("dungeon", [None], adventure=True, options=options)
    (line,) = seated(table, ana)
    offered = []
    for number, win in enumerate([False, True, True, False, True, True]):
        if number:
            line.do("ready", nonce=f"fort {number}")
        play_fort(line, win)
        offered.append(part(line))
    assert offered == [(1, 0), (2, 1), (3, 2), (3, 2), (4, 3), (1, 0)]
    records = [ana.get(f"/api/tables/{table}/games/{n}") for n in range(1, 7)]
    assert [record["options"]["level"] for record in records] == [1, 1, 2, 3, 3, 4]
    spells = [record["options"].get("spells", []) for record in records]
    assert spells[3] == spells[4] and set(spells[2]) < set(spells[3]) < set(spells[5])
    assert len({record["seed"] for record in records}) == 6
    for record in records:
        assert len(verify(record)) == 4
    line.do("ready", nonce="once more")
    line.until(lambda: line.room["stage"] == "playing")
    assert part(line) == (1, 0) and line.view["table"]["spells"] == []


@pytest.mark.clause("KKD-25")
def test_without_adventure_the_same_game_is_offered_again() -> None:
    alone = Alone("dungeon", [None], options={"minutes": 0, "deck": QUICK, "level": 2})
    alone.sit("ana")
    while alone.table.stage == "playing":
        alone.play(chosen(alone.table.current_match.view(0), win=True))
    assert alone.table.finished and alone.table.options["level"] == 2
    assert "spells" not in alone.table.options


def with_ice() -> Alone:
    """Two players with the spell ice; the Knight has just been laid."""
    options = {"minutes": 0, "level": 1, "spells": ["ice"], "deck": [*QUICK, "0000", "0000"]}
    alone = Alone("dungeon", [None, None], options=options)
    alone.sit("ana", "bo")
    while knight_in(alone.table.current_match.view()) is None:
        assert alone.table.to_act is not None
        alone.play(chosen(alone.table.current_match.view(alone.table.to_act), win=True))
    return alone


@pytest.mark.clause("KKD-31")
def test_a_spell_is_cast_by_whoever_is_not_to_act() -> None:
    alone = with_ice()
    waiting = 1 - (alone.table.to_act or 0)
    view = views.view_of_table(alone.table, waiting, alone.now)
    assert view is not None and view["legal"] == []
    (spell,) = view["anytime"]
    player = ["ana", "bo"][waiting]
    turn = alone.table.to_act
    happened = alone.ask(player, messages.Play("cast", spell, alone.table.version))
    assert happened == [events.Moved(waiting, spell)]
    assert alone.table.to_act == turn
    assert alone.table.current_match.view()["table"]["spells"] == []


@pytest.mark.clause("KKD-31")
def test_a_card_is_laid_only_by_whoever_is_to_act() -> None:
    alone = with_ice()
    turn = alone.table.to_act or 0
    card = next(move for move in alone.table.current_match.legal() if move[0].isdigit())
    with pytest.raises(Denied, match=f"it is seat {turn}'s turn"):
        alone.ask(["ana", "bo"][1 - turn], messages.Play("card", card, alone.table.version))
    view = views.view_of_table(alone.table, turn, alone.now)
    assert view is not None and "anytime" not in view
    spectating = views.view_of_table(alone.table, -1, alone.now)
    assert spectating is not None and "anytime" not in spectating
