"""Links and seats: sit, move, stand, watch, come back, play again; lists of tables."""

from __future__ import annotations

from random import Random

import pytest

from tests.server.club import Club, Person
from tests.server.line import Line, seated
from tests.server.test_whole_games import play_on


def taken(line: Line) -> list[str]:
    """Who sits where."""
    return [seat["name"] for seat in line.room["seats"]]


def test_whoever_has_the_link_sits_moves_and_stands(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None, None])
    one, two, watching = Line(club, table, ana), Line(club, table, bo), Line(club, table)
    one.sit(0)
    assert two.refused("sit", seat=0, nonce="x")["code"] == "seat"
    two.sit(1)
    two.sit(2)
    assert two.kinds[-2:] == ["stood", "sat"]
    one.do("stand")
    for line in (one, two, watching):
        line.reach(6)
        assert taken(line) == ["", "", "Bo"]
        assert line.room["stage"] == "gathering" and line.view is None
    assert one.refused("stand")["code"] == "seat"
    assert watching.refused("sit", seat=0, nonce="x")["code"] == "denied"


def test_a_seat_of_a_bot_and_one_that_is_not_there_are_refused(club: Club) -> None:
    ana = club.person()
    line = Line(club, ana.open("poison", [None, "easy", None]), ana)
    assert line.refused("sit", seat=1, nonce="x")["why"] == "a bot has seat 1: take another"
    assert line.refused("sit", seat=3, nonce="x")["why"] == "there is no seat 3, only 0 to 2"


def test_nobody_sits_or_stands_while_a_game_is_played(club: Club) -> None:
    ana, bo, cy = club.persons("Ana", "Bo", "Cy")
    table = ana.open("shokoba", [None, None])
    one, _ = seated(table, ana, bo)
    three = Line(club, table, cy)
    assert three.seat is None and three.view["to_act"] is not None and "hand" not in three.view
    assert three.refused("sit", seat=0, nonce="x")["code"] == "stage"
    assert one.refused("stand")["code"] == "stage"
    assert one.refused("sit", seat=1, nonce="x")["code"] == "stage"


def test_only_bots_play_by_themselves(club: Club) -> None:
    table = club.person().open("anaphylaxis", ["easy", "medium", "easy"])
    watching = Line(club, table)
    watching.until(lambda: watching.room["stage"] == "over")
    assert watching.view["over"] and watching.view["winners"]


def test_the_same_key_on_another_device_is_the_same_person(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    phone, other = seated(table, ana, bo)
    laptop = Line(club, table, ana)
    assert laptop.seat == phone.seat == 0
    assert laptop.view == phone.view and laptop.room == phone.room
    if phone.view["to_act"] == 1:
        phone.reach(laptop.version)
        other.play(other.view["legal"][0])
    laptop.until(lambda: laptop.view["legal"])
    laptop.play(laptop.view["legal"][0])
    phone.reach(laptop.version)
    assert phone.view == laptop.view and phone.last("moved") == laptop.last("moved")


def test_another_game_begins_when_all_are_ready(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    lines = seated(table, ana, bo)
    assert lines[0].refused("ready", nonce="x")["code"] == "stage"
    play_on(lines, Random(1), 1000)
    first = ana.get(f"/api/tables/{table}/games/1")
    lines[0].do("ready", nonce="again 0")
    assert lines[0].room["stage"] == "over"
    promised = lines[0].room["commitment"]
    lines[1].do("ready", nonce="again 1")
    lines[0].until(lambda: lines[0].room["stage"] == "playing")
    play_on(lines, Random(2), 1000)
    second = ana.get(f"/api/tables/{table}/games/2")
    assert second["seal"]["nonces"] == ["again 0", "again 1"]
    assert second["seal"]["commitment"] == promised
    assert second["seed"] != first["seed"]
    assert second["options"] == first["options"]
    assert ana.get(f"/api/tables/{table}/games/1") == first


def test_between_games_one_may_leave_and_another_come(club: Club) -> None:
    ana, bo, cy = club.persons("Ana", "Bo", "Cy")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    lines = seated(table, ana, bo)
    play_on(lines, Random(1), 1000)
    lines[0].do("ready", nonce="again")
    lines[1].until(lambda: lines[1].room["stage"] == "over")
    lines[1].do("stand")
    three = Line(club, table, cy)
    three.sit(1)
    three.until(lambda: three.room["stage"] == "playing")
    assert taken(three) == ["Ana", "Cy"] and len(three.view["hand"]) > 0
    lines[1].until(lambda: lines[1].room["stage"] == "playing")
    assert "hand" not in lines[1].view, "who has left sees no hand any more"


def test_who_gives_up_a_seat_or_takes_another_sees_the_last_game_from_there(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    lines = seated(table, ana, bo)
    play_on(lines, Random(1), 1000)
    for line in lines:
        line.until(lambda line=line: line.room["stage"] == "over")  # type: ignore[misc]
    from_seats = [line.view for line in lines]
    for line in lines:
        line.do("stand")
    one = lines[0]
    assert one.view == Line(club, table).view != from_seats[0]
    one.do("sit", seat=1, nonce="from another side")
    one.until(lambda: one.room["seats"][1]["taken"])
    assert one.view == from_seats[1]


def own_tables(person: Person) -> dict[str, tuple[str, int | None, bool]]:
    """One's tables: stage, own seat, one's turn."""
    return {
        told["table"]: (told["stage"], told.get("seat"), told.get("your_turn", False))
        for told in person.get("/api/me/tables")
    }


def test_own_tables_say_whose_turn_it_is(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    waiting = ana.open("shokoba", [None, None])
    Line(club, waiting, ana).sit(0)
    table = ana.open("shokoba", [None, None])
    lines = seated(table, ana, bo)
    turn = lines[0].view["to_act"]
    for seat, person in enumerate((ana, bo)):
        assert own_tables(person)[table] == ("playing", seat, seat == turn)
    assert own_tables(ana)[waiting] == ("gathering", 0, False)
    assert list(own_tables(ana)) == [table, waiting], "the newest first"
    assert set(own_tables(bo)) == {table}
    Line(club, waiting, ana).do("stand")
    assert set(own_tables(ana)) == {table}
    assert own_tables(club.person()) == {}


def listed(club: Club) -> dict[str, str]:
    """The lobby: tables and their stages."""
    return {told["table"]: told["stage"] for told in club.web.get("/api/tables").json()}


def test_the_lobby_lists_what_is_listed_and_no_private_table(club: Club) -> None:
    ana = club.person()
    public = ana.open("poison", [None, "easy", "easy"], listed=True)
    private = ana.open("poison", [None, "easy", "easy"])
    assert listed(club)[public] == "gathering" and private not in listed(club)
    line = Line(club, public, ana)
    line.sit(0)
    assert listed(club)[public] == "playing"
    assert "seat" not in str(club.web.get("/api/tables").json()).replace("seats", "")
    line.do("close")
    assert public not in listed(club)


def test_a_table_is_closed_by_whoever_opened_it(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = Line(club, table, ana), Line(club, table, bo)
    assert two.refused("close")["code"] == "denied"
    one.do("close")
    two.until(lambda: two.room["stage"] == "closed")
    for what in ({"do": "sit", "seat": 0, "nonce": "x"}, {"do": "say", "text": "hi"}):
        assert two.refused(**what)["why"] == "this table is closed"
    assert two.refused("gesture", sign="wave")["why"] == "this table is closed"
    assert table not in own_tables(ana)


@pytest.mark.parametrize("opener_plays", [True, False])
def test_a_table_where_others_play_is_not_closed(club: Club, opener_plays: bool) -> None:
    ana, bo = club.persons("Ana", "Bo")
    seats = [None, None] if opener_plays else [None, "easy"]
    table = ana.open("shokoba", [*seats, "easy"])
    (line, *_) = seated(table, *([ana, bo] if opener_plays else [bo]))
    assert ana.ask(table, "close")["refused"]["code"] == "stage"
    assert line.room["stage"] == "playing"


def test_a_game_against_bots_may_be_closed_by_its_only_person(club: Club) -> None:
    ana = club.person()
    table = ana.open("shokoba", [None, "easy"])
    (line,) = seated(table, ana)
    line.do("close")
    line.until(lambda: line.room["stage"] == "closed")
    assert club.web.get(f"/api/tables/{table}/games/1").status_code == 404


def test_another_nickname_holds_from_now_on(club: Club) -> None:
    ana = club.person("Ana")
    assert ana.web.put("/api/me", json={"name": " Anna  Maria "}).json() == {"name": "Anna Maria"}
    line = Line(club, ana.open("shokoba", [None, None]), ana)
    line.sit(0)
    assert taken(line)[0] == "Anna Maria"


def test_whoever_sits_down_is_there_and_who_comes_later_knows_it(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one = Line(club, table, ana)
    one.sit(0)
    one.until(lambda: one.present == [0])
    two = Line(club, table, bo)
    assert two.present == [0]
    two.sit(1)
    one.until(lambda: one.present == [0, 1])
    assert two.refused("hand", seat=0, level="easy")["why"] == "Ana is at the table"
    one.hang_up()
    two.until(lambda: two.present == [1])


def test_an_event_that_changes_the_room_names_ones_own_seat(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None, None])
    one, two = Line(club, table, ana), Line(club, table, bo)
    one.sit(1)
    two.reach(one.version)
    assert one.events[-1]["seat"] == 1
    assert "seat" not in two.events[-1]
