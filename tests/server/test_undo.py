"""Taking a move back: by consent, never past a revealed card, not after another has moved."""

from __future__ import annotations

import pytest

from tests.server.alone import Alone
from tests.server.club import Club, Person
from tests.server.line import Line, seated
from theriac.faults import Fault
from theriac.server.store import events
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied


def trio(club: Club) -> tuple[list[Line], list[Person], str]:
    """Three persons at Shokoba; seat 0 has just made a move."""
    people = club.persons("Ana", "Bo", "Cy")
    table = people[0].open("shokoba", [None, None, None], options={"first": 2})
    lines = seated(table, *people)
    lines[0].play(lines[0].view["legal"][0])
    for line in lines:
        line.reach(lines[0].version)
    return lines, people, table


def same_as_fresh(line: Line, person: Person) -> bool:
    """Has a line been told all that it would be told anew?"""
    told = person.look(line.table)
    line.reach(told["version"])
    return bool((line.room, line.view) == (told["room"], told["view"]))


def test_a_move_is_taken_back_when_all_others_agree(club: Club) -> None:
    lines, people, table = trio(club)
    before = lines[0].view["hand"]
    lines[0].do("undo")
    lines[1].do("answer", agree=True)
    lines[1].until(lambda: lines[1].room["undo"] == {"seat": 0, "agreed": [1]})
    lines[2].do("answer", agree=True)
    lines[0].until(lambda: "undone" in lines[0].kinds)
    assert lines[0].view["to_act"] == 0 and len(lines[0].view["hand"]) == len(before) + 1
    assert lines[0].room["undo"] is None
    assert all(same_as_fresh(line, person) for line, person in zip(lines, people, strict=True))
    lines[0].play(lines[0].view["legal"][0])
    assert people[0].look(table)["view"]["to_act"] == 1


def test_one_refusal_is_enough(club: Club) -> None:
    lines, people, _ = trio(club)
    lines[0].do("undo")
    lines[1].do("answer", agree=True)
    lines[2].do("answer", agree=False)
    lines[0].until(lambda: lines[0].kinds[-1] == "undo_answered" and not lines[0].room["undo"])
    assert lines[0].view["to_act"] == 1
    assert lines[2].refused("answer", agree=True)["code"] == "denied"
    assert same_as_fresh(lines[1], people[1])


def test_a_move_of_another_ends_the_asking(club: Club) -> None:
    lines, people, _ = trio(club)
    lines[0].do("undo")
    lines[1].until(lambda: lines[1].room["undo"])
    lines[1].play(lines[1].view["legal"][0])
    lines[0].reach(lines[1].version)
    assert lines[0].room["undo"] is None
    assert all(same_as_fresh(line, person) for line, person in zip(lines, people, strict=True))
    assert lines[2].refused("answer", agree=True)["code"] == "denied"
    assert "only your own move" in lines[0].refused("undo")["why"]


def test_only_who_made_the_last_move_asks_and_others_answer(club: Club) -> None:
    lines, _, _ = trio(club)
    why = (
        "the move cannot be taken back: "
        "you can take back only your own move, before anyone else has moved"
    )
    assert lines[1].refused("undo")["why"] == why
    assert lines[1].refused("answer", agree=True)["code"] == "denied"
    lines[0].do("undo")
    assert (
        lines[0].refused("answer", agree=True)["why"]
        == "no other player has asked to take a move back"
    )


def test_among_bots_a_move_is_taken_back_at_once() -> None:
    alone = Alone("shokoba", [None, "easy"], options={"first": 1})
    alone.sit("ana")
    alone.play()
    happened = alone.ask("ana", messages.TakeBack("undo"))
    assert happened == [events.UndoAsked(0), events.Undone(0)]
    assert alone.table.current_match.moves == [] and alone.table.to_act == 0


def test_not_after_another_has_moved() -> None:
    alone = Alone("shokoba", [None, "easy"], options={"first": 1})
    alone.sit("ana")
    alone.play()
    alone.play()
    with pytest.raises(Denied, match="only your own move"):
        alone.ask("ana", messages.TakeBack("undo"))


def test_nothing_is_taken_back_before_the_first_move() -> None:
    alone = Alone("shokoba", [None, "easy"], options={"first": 1})
    alone.sit("ana")
    with pytest.raises(Denied, match="no move has been made"):
        alone.ask("ana", messages.TakeBack("undo"))


def test_never_past_a_card_that_was_drawn() -> None:
    """In the dungeon a card is drawn after each that is laid."""
    alone = Alone("dungeon", [None, None], secret=bytes(32).hex(), options={"minutes": 0})
    alone.sit("ana", "bo")
    mover = alone.table.to_act
    alone.play()
    assert alone.table.stage == "playing"
    with pytest.raises(Denied, match="a card has been revealed since"):
        alone.ask(["ana", "bo"][mover or 0], messages.TakeBack("undo"))


@pytest.mark.parametrize("game", ["shock", "anaphylaxis"])
def test_never_past_a_card_that_was_revealed(game: str) -> None:
    """Whoever wins a trick opens the chest, or a door: then even the last card stays."""
    alone = Alone(game, [None, None, None], options={"first": 0})
    alone.sit("ana", "bo", "cy")
    revealed = alone.table.current_match.drawn
    while alone.table.current_match.drawn == revealed:
        mover = alone.table.to_act
        assert mover is not None
        if alone.table.current_match.moves:
            last = alone.table._movers[-1]
            assert last is not None and alone.table.undo_refusal(last) is None
        alone.play(next(move for move in alone.table.current_match.legal() if "~" not in move))
    assert mover is not None
    with pytest.raises(Denied, match="a card has been revealed since"):
        alone.ask(["ana", "bo", "cy"][mover], messages.TakeBack("undo"))


def test_who_is_played_for_by_a_bot_need_not_be_asked() -> None:
    alone = Alone("shokoba", [None, None, None], options={"first": 2})
    alone.sit("ana", "bo", "cy")
    alone.play()
    alone.ask("ana", messages.TakeBack("undo"))
    alone.ask("ana", messages.Hand("h1", 1, "easy"))
    assert alone.table.undo is not None
    assert alone.ask("ana", messages.Hand("h2", 2, "easy"))[-1] == events.Undone(0)


def test_the_record_holds_only_what_was_not_taken_back() -> None:
    alone = Alone("shokoba", [None, None], options={"first": 1})
    alone.sit("ana", "bo")
    lay = alone.table.current_match.legal()[0]
    alone.play(lay)
    alone.ask("ana", messages.TakeBack("undo"))
    alone.ask("bo", messages.Answer("answer", agree=True))
    other = next(move for move in alone.table.current_match.legal() if move != lay)
    alone.play(other)
    while alone.table.stage == "playing":
        alone.play()
    assert alone.table.finished[0]["moves"][0] == other


def test_a_bad_answer_changes_nothing() -> None:
    alone = Alone("shokoba", [None, None], options={"first": 1})
    alone.sit("ana", "bo")
    before = alone.table.version
    for player in ("ana", "bo", "stranger"):
        with pytest.raises(Fault):
            alone.ask(player, messages.Answer("answer", agree=True))
    assert alone.table.version == before
