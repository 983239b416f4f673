"""Chat, reactions, gestures and typing; and the silence of the dungeon."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient, seat_players
from tests.server.table_harness import TableHarness
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied, Requester, signal_for

#: A deck in which every card but the Knight brings silence.
SILENT = ["0000s"] * 20 + ["4444t3K"]
WORDS: list[dict[str, Any]] = [
    {"do": "say", "text": "psst"},
    {"do": "react", "to": 1, "sign": "wow"},
    {"do": "typing"},
]


def test_chat_is_sent_to_all_and_stored(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, _ = seat_players(table, ana, bo)
    spectator = SocketClient(server, table, server.new_player("Wu"))
    version = one.do("say", text="  Good   luck ☘ ")
    spectator.reach(version)
    assert spectator.last("said") == {
        "kind": "said",
        "name": "Ana",
        "text": "Good luck ☘",
        "seat": 0,
    }
    spectator.do("say", text="Hello")
    spectator.do("react", to=version, sign="like")
    one.until(lambda: "reacted" in one.kinds)
    assert one.last("said") == {"kind": "said", "name": "Wu", "text": "Hello"}
    assert one.last("reacted") == {"kind": "reacted", "name": "Wu", "to": version, "sign": "like"}
    fresh = SocketClient(server, table, since=version - 1)
    assert [update["event"]["kind"] for update in fresh.events] == ["said", "said", "reacted"]


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
        {"do": "gesture", "sign": "wave", "at": "S3"},
    ],
)
def test_bad_talk_is_refused(server: ServerProcess, message: dict[str, Any]) -> None:
    ana = server.new_player()
    client = SocketClient(server, ana.open("shokoba", [None, None]), ana)
    client.refused(**message)
    assert client.do("ping") == 1


def test_gestures_and_typing_are_sent_and_not_stored(server: ServerProcess) -> None:
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("shokoba", [None, None])
    one, two = seat_players(table, ana, bo)
    before = one.do("ping")
    one.do("gesture", sign="look", at="S3")
    one.do("typing")
    two.until(lambda: len(two.signals) == 2)
    assert two.signals == [
        {"name": "Ana", "seat": 0, "gesture": "look", "at": "S3"},
        {"name": "Ana", "seat": 0, "typing": True},
    ]
    assert two.do("ping") == before
    assert SocketClient(server, table, since=0).signals == []


@pytest.mark.parametrize("at", ["S11", "s3", " S3", "hello", "\u202eS3", "S3\x1b[31m", "\u200bS3"])
def test_a_gesture_points_at_a_card_or_a_place_of_the_game(at: str) -> None:
    harness = TableHarness("shokoba", [None, None])
    harness.sit("ana", "bo")
    asker = Requester("ana", "Ana", frozenset(), 1)
    assert signal_for(harness.table, asker, messages.Point("id", "look", "S3")).at == "S3"
    with pytest.raises(Denied, match="is no card or place of shokoba"):
        signal_for(harness.table, asker, messages.Point("id", "look", at))


def test_a_gesture_points_at_nothing_before_the_game() -> None:
    harness = TableHarness("shokoba", [None, None])
    asker = Requester("ana", "Ana", frozenset(), 1)
    assert signal_for(harness.table, asker, messages.Point("id", "wave")).gesture == "wave"
    with pytest.raises(Denied, match="no game has begun"):
        signal_for(harness.table, asker, messages.Point("id", "look", "S3"))


def silent_table(server: ServerProcess) -> tuple[SocketClient, SocketClient, SocketClient]:
    """Two players in the dungeon who must be silent, and a spectator with a key."""
    ana, bo = server.new_players("Ana", "Bo")
    table = ana.open("dungeon", [None, None], options={"minutes": 0, "deck": SILENT})
    one, two = seat_players(table, ana, bo)
    mover = (one, two)[one.view["to_act"]]
    mover.play(mover.view["legal"][0])
    one.reach(mover.version)
    two.reach(mover.version)
    assert not one.view["table"]["talk"]
    return one, two, SocketClient(server, table, server.new_player("Wu"))


@pytest.mark.clause("KKD-13")
def test_in_silence_nobody_talks_reacts_or_types(server: ServerProcess) -> None:
    one, two, spectator = silent_table(server)
    before = one.do("ping")
    for client in (one, two, spectator):
        for words in WORDS:
            refusal = client.refused(**words)
            assert refusal == {
                "code": "silence",
                "why": "the game forbids talking now: "
                "players may use a gesture, at a card or a place",
                "clause": "KKD-13",
            }
    assert one.do("ping") == before
    assert not one.signals and not two.signals


@pytest.mark.clause("KKD-13")
def test_in_silence_players_may_make_gestures_and_spectators_may_not(
    server: ServerProcess,
) -> None:
    one, two, spectator = silent_table(server)
    one.do("gesture", sign="no", at="0,0")
    two.until(lambda: two.signals)
    assert two.signals == [{"name": "Ana", "seat": 0, "gesture": "no", "at": "0,0"}]
    assert spectator.refused("gesture", sign="yes")["clause"] == "KKD-13"
    assert len(two.signals) == 1


@pytest.mark.clause("KKD-13")
def test_in_silence_a_gesture_can_only_point_at_a_card_or_a_place(
    server: ServerProcess,
) -> None:
    one, two, _ = silent_table(server)
    assert one.refused("gesture", sign="look", at="lay the 0 left")["clause"] == "KKD-13"
    one.do("gesture", sign="look", at="0000s")
    one.do("gesture", sign="here", at="-1,1")
    two.until(lambda: len(two.signals) == 2)
    assert [signal["at"] for signal in two.signals] == ["0000s", "-1,1"]


@pytest.mark.clause("KKD-13")
def test_silence_ends_with_the_game() -> None:
    harness = TableHarness("dungeon", [None, None], options={"minutes": 1, "deck": SILENT})
    harness.sit("ana", "bo")
    harness.play()
    asker = Requester("ana", "Ana", frozenset(), 1)
    with pytest.raises(Denied) as refused:
        signal_for(harness.table, asker, messages.Typing("id"))
    assert refused.value.clause == "KKD-13"
    harness.wait(60)
    harness.time_out()
    assert harness.table.stage == "over"
    assert signal_for(harness.table, asker, messages.Typing("id")).typing is True
    harness.ask("ana", messages.Say("id", "phew"))


@pytest.mark.clause("SHO-02")
def test_while_a_game_in_teams_is_played_nobody_talks_or_makes_gestures(
    server: ServerProcess,
) -> None:
    people = server.new_players("Ana", "Bo", "Cy", "Di")
    table = people[0].open("shokoba", [None] * 4, options={"teams": True})
    watcher = SocketClient(server, table, server.new_player("Wu"))
    watcher.do("say", text="good luck")
    clients = seat_players(table, *people)
    before = clients[0].do("ping")
    for client in (clients[0], clients[2], watcher):
        for words in [*WORDS, {"do": "gesture", "sign": "yes"}]:
            refusal = client.refused(**words)
            why = "the game forbids talking now"
            assert refusal == {"code": "silence", "why": why, "clause": "SHO-02"}
    assert clients[0].view["silence"] == {"clause": "SHO-02", "gestures": False}
    watcher.reach(before)
    assert watcher.view["silence"] == clients[0].view["silence"]
    assert clients[1].do("ping") == before
    assert not any(client.signals for client in (*clients, watcher))


@pytest.mark.clause("SHO-02")
def test_partners_talk_again_when_the_game_is_over() -> None:
    harness = TableHarness("shokoba", [None] * 4, options={"teams": True})
    harness.sit("ana", "bo", "cy", "di")
    with pytest.raises(Denied) as refused:
        harness.ask("ana", messages.Say("id", "psst"))
    assert refused.value.clause == "SHO-02"
    while harness.table.stage == "playing":
        harness.play()
    harness.ask("ana", messages.Say("id", "well played"))
    assert harness.table.silence is None
