"""Watchers who are told late are told nothing newer, by no way, and miss nothing."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.server.club import Club, Person
from tests.server.line import Line, seated

#: Seconds that a test waits for, and more than any test takes.
SHORT, LONG = 2, 3600


def playing(club: Club, delay: int) -> tuple[str, list[Person], list[Line]]:
    """Ana and Bo play, and watchers hear of it later."""
    people = club.persons("Ana", "Bo")
    name = people[0].open("shokoba", [None, None], delay=delay, listed=True)
    return name, people, seated(name, *people)


def play_some(lines: list[Line], moves: int) -> None:
    """Some moves, each heard of by both."""
    for _ in range(moves):
        mover = lines[lines[0].view["to_act"]]
        mover.play(mover.view["legal"][0])
        for line in lines:
            line.reach(mover.version)


def test_a_watcher_hears_of_everything_once_and_late(club: Club) -> None:
    name, _, lines = playing(club, SHORT)
    watching = Line(club, name)
    heard = dict.fromkeys(range(2, watching.version + 1), time.time())
    play_some(lines, 2)
    while watching.version < lines[0].version:
        watching.read()
        heard.setdefault(watching.version, time.time())
    for told in watching.events[1:]:
        late = heard[told["version"]] - told["at"] / 1000
        assert late >= SHORT - 0.05, "told too early"
    assert watching.kinds == ["opened", "sat", "sat", "begun", "moved", "moved"]
    assert watching.view["table"] == lines[0].view["table"]


def test_no_way_of_asking_tells_a_watcher_more(club: Club) -> None:
    name, people, lines = playing(club, LONG)
    wu = club.person("Wu")
    watching = Line(club, name, wu)
    play_some(lines, 2)
    assert lines[0].version == 6
    assert people[0].look(name)["version"] == 6, "players see everything"
    told = wu.look(name)
    assert (told["version"], told["room"]["stage"], "view" in told) == (1, "gathering", False)
    assert all(t["version"] == 1 for t in told["events"])
    assert wu.look(name, since=0)["version"] == 1
    assert wu.look(name, since=1, wait=1)["version"] == 1
    assert club.web.get(f"/api/tables/{name}").json()["welcome"]["version"] == 1
    assert Line(club, name).version == 1
    assert watching.do("ping") == 1
    assert watching.do("gesture", sign="wave") == 1
    foreseen = wu.web.post(f"/api/tables/{name}/preview", json={"moves": ["S1"]}).json()
    assert foreseen == {"version": 1, "previews": {}}
    assert not watching.present and not Line(club, name).present
    assert watching.do("say", text="hi") == 1
    assert watching.refused("react", to=2, sign="wow")["why"] == "there is no event 2 to react to"
    lobby = next(t for t in club.web.get("/api/tables").json() if t["table"] == name)
    assert (lobby["stage"], lobby.get("to_act")) == ("gathering", None)
    assert lobby["changed"] <= watching.events[0]["at"]
    assert watching.do("ping") == 1 and watching.kinds == ["opened"]


def test_who_joins_late_misses_no_event(club: Club) -> None:
    """What happened before they came but is not told yet is told when it is time."""
    name, _, lines = playing(club, SHORT)
    play_some(lines, 1)
    watching = Line(club, name)
    watching.reach(lines[0].version)  # `Line` looks for gaps
    assert watching.view["table"] == lines[0].view["table"]


def test_who_takes_a_seat_is_told_everything_at_once(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    name = ana.open("shokoba", [None, None], delay=LONG)
    one = Line(club, name, ana)
    one.sit(0)
    two = Line(club, name, bo)
    assert two.version == 1 and not two.room["seats"][0]["taken"]
    two.sit(1)
    two.until(lambda: two.room["stage"] == "playing")
    one.until(lambda: one.room["stage"] == "playing")
    assert two.kinds == ["opened", "sat", "sat", "begun"]
    assert len(two.view["hand"]) == 3 and two.room == one.room
    told: Any = bo.look(name)
    assert (two.version, two.room, two.view) == (told["version"], told["room"], told["view"])


def test_who_stands_up_is_a_watcher_again(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    name = ana.open("shokoba", [None, None, None], delay=SHORT)
    one, two = Line(club, name, ana), Line(club, name, bo)
    two.sit(1)
    two.do("stand")
    two.until(lambda: not two.room["seats"][1]["taken"])
    one.sit(0)
    two.until(lambda: two.room["seats"][0]["taken"])
    assert time.time() - two.events[-1]["at"] / 1000 >= SHORT - 0.05, "told too early"
    assert two.kinds == ["opened", "sat", "stood", "sat"]


def play_through(lines: list[Line]) -> None:
    """A whole game."""
    while lines[0].room["stage"] == "playing":
        play_some(lines, 1)
        for line in lines:
            line.until(lambda line=line: line.room["stage"] == "over" or not line.view["over"])  # type: ignore[misc]


@pytest.mark.parametrize("delay", [SHORT, LONG])
def test_a_record_is_a_watchers_when_the_end_is_told(club: Club, delay: int) -> None:
    ana, bo = club.persons("Ana", "Bo")
    name = ana.open("dungeon", [None, None], delay=delay, options={"minutes": 0})
    play_through(seated(name, ana, bo))
    path = f"/api/tables/{name}/games/1"
    paths = [path, f"{path}/replay", f"{path}/verify"]
    assert [ana.web.get(path).status_code for path in paths] == [200, 200, 200]
    watching = Line(club, name)
    if delay == LONG:
        assert [club.web.get(path).status_code for path in paths] == [404, 404, 404]
    else:
        watching.until(lambda: watching.room["stage"] == "over")
        assert [club.web.get(path).status_code for path in paths] == [200, 200, 200]
