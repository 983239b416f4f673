"""What people type reaches others as visible text, and names at a table look different."""

from __future__ import annotations

import pytest

from tests.server.server_process import ServerProcess
from tests.server.socket_client import SocketClient
from tests.server.table_harness import TableHarness
from theriac.faults import Fault
from theriac.server.store import events
from theriac.server.tables import messages
from theriac.server.tables.decisions import Denied, Requester, decide, signal_for
from theriac.server.typed_text import clean_line, clean_name, distinct_name, skeleton

#: Text that shows nothing, hides something or turns what is around it.
UNSEEN = {
    "control": "a\x1b[31mb",
    "null": "a\x00b",
    "right to left override": "a\u202eb",
    "right to left mark": "a\u200fb",
    "isolate": "a\u2066b",
    "zero width space": "a\u200bb",
    "zero width joiner": "a\u200db",
    "byte order mark": "\ufeffab",
    "soft hyphen": "a\u00adb",
    "tag": "a\U000e0041b",
    "variation selector": "a\U000e0100b",
    "grapheme joiner": "a\u034fb",
    "lone surrogate": "a\ud800b",
    "private use": "a\ue000b",
}
#: Text that only looks empty.
BLANK = [
    "",
    " ",
    "\u00a0",
    "\u3000",
    "\u3164",
    "\uffa0",
    "\u115f",
    "\u2800",
    "\ufe0f",
    "\u2003\u2003",
]


@pytest.mark.parametrize("text", UNSEEN.values(), ids=list(UNSEEN))
def test_characters_that_cannot_be_seen_are_refused(text: str) -> None:
    with pytest.raises(Fault, match="cannot be seen"):
        clean_line(text)
    with pytest.raises(Fault, match="this nickname cannot be used"):
        clean_name(text)


@pytest.mark.parametrize("text", BLANK)
def test_text_that_only_looks_empty_is_refused(text: str) -> None:
    with pytest.raises(Fault):
        clean_line(text)
    with pytest.raises(Fault, match="this nickname cannot be used"):
        clean_name(text)


def test_marks_are_not_stacked() -> None:
    assert clean_line("กำ ที่ ậ נּ") == "กำ ที่ ậ נּ"
    with pytest.raises(Fault, match="more than 4 marks"):
        clean_line("a" + "\u0301" * 6)


def test_text_is_composed_and_has_single_spaces() -> None:
    assert clean_line("  Jose\u0301\u00a0\n ❤\ufe0f ") == "José ❤\ufe0f"
    assert clean_name("x" * 24) == "x" * 24
    with pytest.raises(Fault, match="at most 24 characters"):
        clean_name("x" * 25)


@pytest.mark.parametrize(
    "alike",
    [
        "ana", "ANA", "\u0410na", "An\u0430", "\u0391na", "\uff21\uff4e\uff41", "\u00c1na", "Ana ",
        "\U0001d400\U0001d427\U0001d41a",
    ],
)  # fmt: skip
def test_names_that_look_alike_have_one_skeleton(alike: str) -> None:
    assert skeleton(alike) == skeleton("Ana")
    assert distinct_name(alike, ["Bo", "Ana"]) == f"{alike} (2)"


def test_different_names_stay_as_they_are() -> None:
    assert distinct_name("Ana", ["Bo", "Anna", "アナ", "Αννα", ""]) == "Ana"
    assert distinct_name("Ana", ["Ana", "Ana (2)"]) == "Ana (3)"
    assert skeleton("Ian") == skeleton("lan") and skeleton("Bo") == skeleton("B0")
    assert skeleton("Tom") == skeleton("Torn")


def test_two_players_of_a_table_have_two_names() -> None:
    harness = TableHarness("shokoba", [None, None, None])
    sat = []
    for seat, (player, name) in enumerate([("a", "Ana"), ("b", "\u0410na"), ("c", "Ana")]):
        requester = Requester(player, name, frozenset(), harness.table.version)
        sit = messages.Sit(f"s{seat}", seat, **harness.commit(seat, "nonce"))
        (event, *_) = harness.apply(*decide(harness.table, requester, sit))
        assert isinstance(event, events.Sat)
        sat.append(event.name)
    assert sat == ["Ana", "\u0410na (2)", "Ana (3)"]


def test_a_spectator_cannot_talk_under_the_name_of_a_player() -> None:
    harness = TableHarness("shokoba", [None, None])
    harness.sit("ana", "bo")
    spectator = Requester("x", "An\u0430", frozenset(), harness.table.version)
    (said,) = decide(harness.table, spectator, messages.Say("id", "I resign"))
    assert said == events.Said("An\u0430 (2)", "I resign")
    (reacted,) = decide(harness.table, spectator, messages.React("id", 1, "sad"))
    assert isinstance(reacted, events.Reacted) and reacted.name == "An\u0430 (2)"
    for request in (messages.Typing("id"), messages.Point("id", "yes")):
        assert signal_for(harness.table, spectator, request).name == "An\u0430 (2)"
    own = Requester("ana", "Ana", frozenset(), harness.table.version)
    assert signal_for(harness.table, own, messages.Point("id", "yes")).name == "Ana"


def test_chat_with_characters_that_cannot_be_seen_is_refused() -> None:
    harness = TableHarness("shokoba", [None, None])
    for text in (*UNSEEN.values(), "\u3164"):
        requester = Requester("ana", "Ana", frozenset(), 1)
        with pytest.raises(Denied):
            decide(harness.table, requester, messages.Say("id", text))


def test_a_blank_nickname_gets_no_key(server: ServerProcess) -> None:
    for name in ("\u3164", "\u2800\u2800", "A\u202ena"):
        response = server.http.post("/api/players", json={"name": name})
        assert response.status_code == 400, name
        assert "this nickname cannot be used" in response.json()["why"]
    ana = server.new_player("Ana")
    table = ana.open("shokoba", [None, None])
    clients = [
        SocketClient(server, table, ana),
        SocketClient(server, table, server.new_player("ANA")),
    ]
    for seat, client in enumerate(clients):
        client.sit(seat)
    clients[0].reach(clients[1].version)
    assert [seat["name"] for seat in clients[0].table_info["seats"]] == ["Ana", "ANA (2)"]
