"""A bot plays for whoever is away, or on an empty seat; who comes back plays again."""

from __future__ import annotations

from random import Random

from tests.server.club import Club
from tests.server.line import Line, seated
from tests.server.test_undo import same_as_fresh
from tests.server.test_whole_games import play_on


def test_who_is_there_is_told_to_all(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, watching = Line(club, table, ana), Line(club, table)
    one.sit(0)
    one.until(lambda: one.present == [0])
    two = Line(club, table, bo)
    assert one.present == [0], "who only watches is not at the table"
    two.sit(1)
    for line in (one, two, watching):
        line.until(lambda line=line: line.present == [0, 1])  # type: ignore[misc]
    second = Line(club, table, bo)
    two.hang_up()
    second.do("ping")
    one.do("ping")
    assert one.present == [0, 1], "the other device is still there"
    second.hang_up()
    one.until(lambda: one.present == [0])
    one.do("ping")


def test_who_is_away_is_played_for_and_plays_again_on_coming_back(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seated(table, ana, bo)
    assert one.refused("hand", seat=1, level="easy")["why"] == "Bo is at the table"
    assert one.refused("hand", seat=0, level="easy")["why"] == "Ana is at the table"
    two.hang_up()
    one.until(lambda: one.present == [0])
    one.do("hand", seat=1, level="easy")
    one.until(lambda: one.room["seats"][1]["stand_in"] == "easy")
    assert one.refused("hand", seat=1, level="easy")["code"] == "seat"
    play_on([one], Random(1), 3)
    assert [told["event"].get("bot") for told in one.events if told["event"].get("seat") == 1][-1]
    two = Line(club, table, bo)
    assert two.room["seats"][1]["stand_in"] is None
    assert two.last("returned") == {"kind": "returned", "seat": 1}
    one.reach(two.version)
    assert same_as_fresh(one, ana) and same_as_fresh(two, bo)
    play_on([one, two], Random(2), 4)


def test_somebody_without_a_socket_returns_by_asking(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seated(table, ana, bo)
    two.hang_up()
    one.until(lambda: one.present == [0])
    one.do("hand", seat=1, level="easy")
    assert one.refused("return")["why"] == "you already play for yourself"
    bo.ask(table, "return")
    assert bo.look(table)["room"]["seats"][1]["stand_in"] is None
    assert one.refused("hand", seat=1, level="easy")["why"] == "Bo is at the table"


def test_an_empty_seat_is_given_to_a_bot_by_whoever_opened_the_table(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None, None])
    one, two = Line(club, table, ana), Line(club, table, bo)
    one.sit(0)
    two.sit(1)
    assert two.refused("hand", seat=2, level="easy")["code"] == "denied"
    assert one.refused("hand", seat=2, level="genius")["why"] == (
        "level genius: use easy, medium, hard or expert"
    )
    assert one.refused("hand", seat=3, level="easy")["code"] == "seat"
    one.do("hand", seat=2, level="medium")
    one.until(lambda: one.room["stage"] == "playing")
    assert one.room["seats"][2]["bot"] == "medium"


def test_only_players_hand_the_seat_of_one_who_is_away(club: Club) -> None:
    ana, bo, cy = club.persons("Ana", "Bo", "Cy")
    table = ana.open("shokoba", [None, None])
    one, two = seated(table, ana, bo)
    three = Line(club, table, cy)
    two.hang_up()
    one.until(lambda: one.present == [0])
    assert three.refused("hand", seat=1, level="easy")["code"] == "seat"


def test_between_games_a_bot_may_play_the_next_one_for_who_has_gone(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0})
    lines = seated(table, ana, bo)
    play_on(lines, Random(1), 1000)
    lines[1].hang_up()
    lines[0].do("ready", nonce="again")
    lines[0].until(lambda: lines[0].present == [0])
    lines[0].do("hand", seat=1, level="easy")
    lines[0].until(lambda: lines[0].room["stage"] == "playing")
    back = Line(club, table, bo)
    assert back.room["seats"][1]["stand_in"] is None
