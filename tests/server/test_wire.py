"""The generated files of the wire are up to date, and real traffic fits the published schema.

`SocketClient` checks every message that a test receives from the server. Here the messages of a
client are checked too, and that no message and no event of the schema is left out.
"""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from tests.server import socket_client
from tests.server.server_process import ServerProcess
from tests.server.short_games import SHORT_FOR_TWO
from tests.server.socket_client import SocketClient, share_events
from tests.server.test_whole_games import play_on
from tests.server.wire_check import SCHEMA, check_client_message, check_server_message
from theriac.server.app import MAX_BODY_BYTES
from theriac.server.auth import new_id, new_key
from theriac.server.socket.close_codes import CloseCode
from theriac.server.socket.connection import MAX_MESSAGE_BYTES
from theriac.server.tables import messages
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
    open_socket = socket_client.open_socket

    def open_recording_socket(*arguments: Any, **more: Any) -> RecordingSocket:
        return RecordingSocket(open_socket(*arguments, **more), sent, received)

    monkeypatch.setattr(socket_client, "open_socket", open_recording_socket)
    server = ServerProcess(tmp_path, compiled=True)
    ana, bo = server.new_players("Ana", "Bo")
    clock = {"per": "move", "seconds": 3600}
    table = ana.open("shokoba", [None, None], clock=clock, options=SHORT_FOR_TWO)
    spectator = SocketClient(server, table)
    one, two = SocketClient(server, table, ana), SocketClient(server, table, bo)
    one.sit(1)
    one.do("stand")
    talk(one, two)
    one.sit(0)
    call_deal_off(one, two)
    two.sit(1)
    share_events([one, two])
    play_on([one, two], Random(1), 2)
    two.do("gesture", sign="here", at="S3")
    use_hint_and_undo(one, two)
    two.close()
    one.until(lambda: one.present == [0])
    one.do("hand", seat=1)
    two = SocketClient(server, table, bo, since=two.version)
    assert two.refused("return")["code"] == "seat"
    play_on([one, two], Random(2), 10_000)
    one.until(lambda: one.table_info["stage"] == "over")
    one.do("lock", locked=True)
    one.do("remove", seat=1)
    one.do("ready", nonce="again")
    one.do("close")
    spectator.reach(one.do("ping"))
    one.socket.send_unchecked("this is no JSON")
    one.until(lambda: None in one.answers)
    server.process.send_signal(signal.SIGTERM)
    spectator.until(lambda: spectator.bye)

    assert {message["do"] for message in sent} == tags("ClientMessage", "do")
    updates = [message for message in received if "at" in message]
    updates += [
        each for message in received for each in message.get("welcome", {"events": []})["events"]
    ]
    assert {update["event"]["kind"] for update in updates} == tags("ClientEvent", "kind")
    for key in ("welcome", "at", "id", "present", "passing", "bye"):
        assert any(key in message for message in received), key


def call_deal_off(one: SocketClient, two: SocketClient) -> None:
    """A player sits down, does not reveal a nonce, and stands up; the other agrees again."""
    two.reveals = False
    two.sit(1)
    assert one.refused("call_off")["code"] == "denied"
    two.do("stand")
    two.reveals = True
    one.do("ready", nonce="for the next deal")


def talk(one: SocketClient, two: SocketClient) -> None:
    """Send every kind of talk."""
    version = one.do("say", text="hello")
    two.do("react", to=version, sign="like")
    two.do("gesture", sign="wave")
    two.do("gesture", sign="here")
    two.do("typing")


def use_hint_and_undo(one: SocketClient, two: SocketClient) -> None:
    """The seat to act takes a hint, plays, and takes the move back."""
    mover, other = (one, two) if one.view["to_act"] == one.seat else (two, one)
    mover.reach(other.do("ping"))
    mover.do("hint")
    mover.play(mover.view["legal"][0])
    mover.do("undo")
    other.until(lambda: other.table_info["undo"])
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


# The document


def table_in_document(first: str) -> dict[str, str]:
    """The rows of the table in docs/wire.md whose first heading is this."""
    text = Path("docs/wire.md").read_text(encoding="utf-8")
    rows = text.partition(f"| {first} |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {row[0]: row[1] for row in cells}


def test_the_document_lists_every_close_code() -> None:
    assert [int(code) for code in table_in_document("close code")] == list(CloseCode)
    assert len({code.value for code in CloseCode}) == len(CloseCode.__members__)
    page = Path("web/src/connection.ts").read_text(encoding="utf-8")
    assert f"UNKNOWN_KEY = {CloseCode.UNKNOWN_KEY};" in page


def test_the_document_has_the_limits_of_the_server() -> None:
    def most(annotated: Any) -> str:
        limit = annotated.__metadata__[0]
        return f"{limit.max_length if limit.max_length is not None else limit.le:,}"

    limits = table_in_document("what")
    assert limits == {
        "a message of a client": f"{MAX_MESSAGE_BYTES:,} bytes",
        "the body of an HTTP request": f"{MAX_BODY_BYTES:,} bytes",
        "`id` of a request": f"1 to {most(messages.Id)} characters from `!` to `~`",
        "`name`": f"{most(messages.Name)} characters",
        "`text` of `say`": f"{most(messages.Words)} characters",
        "`nonce`": f"{most(messages.Nonce)} characters",
        "`move`": f"{most(messages.Move)} characters",
        "`at` of a gesture": f"{most(messages.Place)} characters",
        "`seat`": f"0 to {most(messages.SeatNumber)}",
        "`commitment`, and `to` of `sit` and `ready`": (
            f"{most(messages.Commitment)} hex digits, in lower case"
        ),
        "`since`, `version`, `to` of `react`": f"0 to {most(messages.Number)}",
    }


def patterns_in(schema: Any) -> set[str]:
    """All patterns in a schema."""
    if isinstance(schema, list):
        return {pattern for part in schema for pattern in patterns_in(part)}
    if not isinstance(schema, dict):
        return set()
    own = {schema["pattern"]} if isinstance(schema.get("pattern"), str) else set()
    return own | patterns_in(list(schema.values()))


def test_no_pattern_accepts_a_line_feed_at_the_end() -> None:
    patterns = patterns_in(wire.definitions(wire._HTTP))
    examples = {"x", "0" * 64}
    for pattern in patterns:
        fitting = [text for text in examples if re.search(pattern, text)]
        assert fitting, f"add an example of {pattern}"
        assert not any(re.search(pattern, text + "\n") for text in fitting), pattern
        validator = jsonschema_rs.validator_for({"type": "string", "pattern": pattern})
        assert all(validator.is_valid(text) for text in fitting)
        assert not any(validator.is_valid(text + "\n") for text in fitting), pattern
    assert len(patterns) == 2


def test_ids_have_the_form_in_the_document() -> None:
    for _ in range(100):
        assert re.fullmatch("[A-Za-z0-9_-]{16}", new_id())
        assert re.fullmatch(r"[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{32}", str(new_key()))
