"""The generated files of the wire are up to date, and real traffic fits the published schema.

`Line` checks every message that any test of the server receives. Here the messages of a client are
checked too, and that no message and no event of the schema was left out.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from tests.server import line as lines
from tests.server.club import Club
from tests.server.line import Line
from tests.server.test_whole_games import play_on
from tests.server.wire_check import SCHEMA, check_client_message, check_server_message
from tools import wire


@pytest.mark.parametrize("path", list(wire.outputs()), ids=lambda path: path.name)
def test_generated_files_are_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == wire.outputs()[path], "run `make wire`"


def test_the_document_lists_every_message_and_event() -> None:
    document = (wire.ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
    for tag in tags("ClientMessage", "do"):
        assert f'{{"do": "{tag}", ' in document, tag
    for kind in tags("ClientEvent", "kind"):
        assert f"`{kind}`" in document, kind
    for code in SCHEMA["$defs"]["RefusalCode"]["enum"]:
        assert f"`{code}`" in document, code


class RecordingSocket:
    """A socket that checks what it sends, and keeps all messages."""

    def __init__(self, socket: Any, sent: list[Any], received: list[Any]) -> None:
        self._socket = socket
        self._sent = sent
        self._received = received

    def send(self, text: str) -> None:
        check_client_message(json.loads(text))
        self._sent.append(json.loads(text))
        self._socket.send(text)

    def recv(self, seconds: float) -> Any:
        text = self._socket.recv(seconds)
        self._received.append(json.loads(text))
        return text

    def send_unchecked(self, text: str) -> None:
        self._socket.send(text)

    def close(self) -> None:
        self._socket.close()


def tags(union: str, key: str) -> set[str]:
    """The tags of a union of the schema: what `key` may be."""
    names = [option["$ref"].rpartition("/")[2] for option in SCHEMA["$defs"][union]["anyOf"]]
    return {SCHEMA["$defs"][name]["properties"][key]["enum"][0] for name in names}


def test_every_message_of_a_table_fits_the_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    received: list[Any] = []
    dial = lines.dial
    monkeypatch.setattr(
        lines, "dial", lambda *arguments: RecordingSocket(dial(*arguments), sent, received)
    )
    club = Club(tmp_path)
    ana, bo = club.persons("Ana", "Bo")
    table = ana.open("shokoba", [None, None], clock={"per": "move", "seconds": 3600})
    spectator = Line(club, table)
    one, two = Line(club, table, ana), Line(club, table, bo)
    one.sit(1)
    one.do("stand")
    talk(one, two)
    one.sit(0)
    two.sit(1)
    one.reach(two.do("ping"))
    play_on([one, two], Random(1), 2)
    use_hint_and_undo(one, two)
    two.hang_up()
    one.until(lambda: one.present == [0])
    one.do("hand", seat=1, level="easy")
    two = Line(club, table, bo, since=two.version)
    assert two.refused("return")["code"] == "seat"
    play_on([one, two], Random(2), 10_000)
    one.until(lambda: one.room["stage"] == "over")
    one.do("ready", nonce="again")
    one.do("close")
    spectator.reach(one.do("ping"))
    one.socket.send_unchecked("this is no JSON")
    one.until(lambda: None in one.answers)
    club.process.send_signal(signal.SIGTERM)
    spectator.until(lambda: spectator.bye)

    assert {message["do"] for message in sent} == tags("ClientMessage", "do")
    updates = [message for message in received if "at" in message]
    updates += [
        each for message in received for each in message.get("welcome", {"events": []})["events"]
    ]
    assert {update["event"]["kind"] for update in updates} == tags("ClientEvent", "kind")
    for key in ("welcome", "at", "id", "present", "passing", "bye"):
        assert any(key in message for message in received), key


def talk(one: Line, two: Line) -> None:
    """Everything that can be said at a table."""
    version = one.do("say", text="hello")
    two.do("react", to=version, sign="like")
    two.do("gesture", sign="wave")
    two.do("gesture", sign="here", at="S3")
    two.do("typing")


def use_hint_and_undo(one: Line, two: Line) -> None:
    """The seat to act takes a hint, plays, and takes the move back."""
    mover, other = (one, two) if one.view["to_act"] == one.seat else (two, one)
    mover.reach(other.do("ping"))
    mover.do("hint")
    mover.play(mover.view["legal"][0])
    mover.do("undo")
    other.until(lambda: other.room["undo"])
    other.do("answer", agree=True)
    mover.reach(other.do("ping"))


@pytest.mark.parametrize(
    "message",
    [
        {"id": "1", "version": 1, "versoin": 1},
        {"version": 1, "at": 1, "event": {"kind": "sat", "name": "Ana", "seat": 0, "nonce": "x"}},
        {"version": 1, "at": 1, "event": {"kind": "slept"}},
        {"present": [0.5]},
    ],
)
def test_the_check_refuses_what_the_schema_does_not_name(message: Any) -> None:
    with pytest.raises(jsonschema_rs.ValidationError):
        check_server_message(message)
