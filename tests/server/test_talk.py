"""Talking, reacting, gestures, typing; and the silence of the dungeon."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.alone import Alone
from tests.server.club import Club
from tests.server.line import Line, seated
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied, Requester, signal_for

#: A card that makes everybody silent, everywhere, and no creature but the Knight.
SILENT = ["0000s"] * 20 + ["4444t3K"]
WORDS: list[dict[str, Any]] = [
    {"do": "say", "text": "psst"},
    {"do": "react", "to": 1, "sign": "wow"},
    {"do": "typing"},
]


def test_what_is_said_is_heard_and_kept(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, _ = seated(table, ana, bo)
    watching = Line(club, table, club.person("Wu"))
    version = one.do("say", text="  Good   luck ☘ ")
    watching.reach(version)
    assert watching.last("said") == {
        "kind": "said",
        "name": "Ana",
        "text": "Good luck ☘",
        "seat": 0,
    }
    watching.do("say", text="Hello")
    watching.do("react", to=version, sign="like")
    one.until(lambda: "reacted" in one.kinds)
    assert one.last("said") == {"kind": "said", "name": "Wu", "text": "Hello"}
    assert one.last("reacted") == {"kind": "reacted", "name": "Wu", "to": version, "sign": "like"}
    fresh = Line(club, table, since=version - 1)
    assert [told["event"]["kind"] for told in fresh.events] == ["said", "said", "reacted"]


@pytest.mark.parametrize(
    "message",
    [
        {"do": "say", "text": ""},
        {"do": "say", "text": "   "},
        {"do": "say", "text": "x" * 301},
        {"do": "say", "text": "a\u0000b"},
        {"do": "say", "text": "a\u202eb"},
        {"do": "say", "text": 7},
        {"do": "react", "to": 0, "sign": "like"},
        {"do": "react", "to": 99, "sign": "like"},
        {"do": "react", "to": 1, "sign": "<b>"},
        {"do": "gesture", "sign": "speech"},
        {"do": "gesture", "sign": "wave", "at": "x" * 41},
    ],
)
def test_what_cannot_be_said_is_refused(club: Club, message: dict[str, Any]) -> None:
    ana = club.person()
    line = Line(club, ana.open("shokoba", [None, None]), ana)
    line.refused(**message)
    assert line.do("ping") == 1


def test_gestures_and_typing_pass_and_are_kept_nowhere(club: Club) -> None:
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seated(table, ana, bo)
    before = one.do("ping")
    one.do("gesture", sign="look", at="S3")
    one.do("typing")
    two.until(lambda: len(two.passing) == 2)
    assert two.passing == [
        {"name": "Ana", "seat": 0, "gesture": "look", "at": "S3"},
        {"name": "Ana", "seat": 0, "typing": True},
    ]
    assert two.do("ping") == before
    assert Line(club, table, since=0).passing == []


def silent_table(club: Club) -> tuple[Line, Line, Line]:
    """Two players in the dungeon who must be silent, and somebody who watches with a key."""
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0, "deck": SILENT})
    one, two = seated(table, ana, bo)
    mover = (one, two)[one.view["to_act"]]
    mover.play(mover.view["legal"][0])
    one.reach(mover.version)
    two.reach(mover.version)
    assert not one.view["table"]["talk"]
    return one, two, Line(club, table, club.person("Wu"))


@pytest.mark.clause("KKD-13")
def test_in_silence_nobody_talks_reacts_or_types(club: Club) -> None:
    one, two, watching = silent_table(club)
    before = one.do("ping")
    for line in (one, two, watching):
        for words in WORDS:
            refusal = line.refused(**words)
            assert refusal == {
                "code": "silence",
                "why": "the game forbids talking now: use a gesture, at a card or a place",
                "clause": "KKD-13",
            }
    assert one.do("ping") == before
    assert not one.passing and not two.passing


@pytest.mark.clause("KKD-13")
def test_in_silence_gestures_of_players_pass_and_those_of_watchers_do_not(club: Club) -> None:
    one, two, watching = silent_table(club)
    one.do("gesture", sign="no", at="0,0")
    two.until(lambda: two.passing)
    assert two.passing == [{"name": "Ana", "seat": 0, "gesture": "no", "at": "0,0"}]
    assert watching.refused("gesture", sign="yes")["clause"] == "KKD-13"
    assert len(two.passing) == 1


@pytest.mark.clause("KKD-13")
def test_in_silence_a_gesture_points_at_cards_and_places_and_says_nothing(club: Club) -> None:
    one, two, _ = silent_table(club)
    assert one.refused("gesture", sign="look", at="lay the 0 left")["clause"] == "KKD-13"
    one.do("gesture", sign="look", at="0000s")
    one.do("gesture", sign="here", at="-1,1")
    two.until(lambda: len(two.passing) == 2)
    assert [told["at"] for told in two.passing] == ["0000s", "-1,1"]


@pytest.mark.clause("KKD-13")
def test_after_the_game_silence_is_over() -> None:
    alone = Alone("dungeon", [None, None], options={"minutes": 1, "deck": SILENT})
    alone.sit("ana", "bo")
    alone.play()
    asker = Requester("ana", "Ana", frozenset(), 1)
    with pytest.raises(Denied) as refused:
        signal_for(alone.table, asker, messages.Typing("id"))
    assert refused.value.clause == "KKD-13"
    alone.wait(60)
    alone.time_out()
    assert alone.table.stage == "over"
    assert signal_for(alone.table, asker, messages.Typing("id")).typing is True
    alone.ask("ana", messages.Say("id", "phew"))
