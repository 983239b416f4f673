"""A socket that is sent anything answers each message once, or closes and says why."""

from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.server.club import PATIENCE, Club, Person, visits
from tests.server.line import Line, dial, seated

#: What a server says when it closes: not text, too long, or a reason of its own.
STATED = {1002, 1003, 1007, 1009, 4408, 4429}

numbers = st.one_of(st.integers(), st.integers(-(10**40), 10**40), st.floats(), st.booleans())
plain = st.one_of(st.none(), numbers, st.text(max_size=80))
anything = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
ids = st.one_of(st.text(string.ascii_letters, min_size=1, max_size=40), anything)
KINDS = """sit stand ready move undo answer hand return say react gesture typing close hello
ping""".split()
fields = st.fixed_dictionaries(
    {},
    optional={
        "seat": st.one_of(st.integers(-1, 16), anything),
        "nonce": st.one_of(st.text(max_size=70), anything),
        "move": st.one_of(st.text(max_size=62), anything),
        "version": st.one_of(st.integers(-1, 50), anything),
        "agree": anything,
        "level": st.one_of(st.sampled_from(["easy", "hard", "process:sh"]), anything),
        "text": st.one_of(st.text(max_size=310), anything),
        "to": st.one_of(st.integers(-1, 50), anything),
        "sign": st.one_of(st.sampled_from(["like", "wave", "yes"]), anything),
        "at": anything,
        "key": st.one_of(st.text(max_size=110), anything),
        "since": st.one_of(st.integers(-1, 50), anything),
    },
)


@st.composite
def near_valid(draw: st.DrawFn) -> str:
    """A message that is almost as it should be."""
    message: dict[str, Any] = {"id": draw(ids), "do": draw(st.sampled_from(KINDS)), **draw(fields)}
    if draw(st.integers(0, 9)) == 0:
        message.pop(draw(st.sampled_from(sorted(message))))
    return json.dumps(message)


texts = st.one_of(
    near_valid(),
    near_valid().map(lambda text: text[: len(text) // 2]),
    anything.map(json.dumps),
    st.text(max_size=200),
    st.integers(1, 4000).map(lambda n: "[" * n),
    st.integers(1, 700).map(lambda n: '{"id":' * n),
    st.integers(1, 4000).map(lambda n: '{"do":"ping","id":' + "9" * n + "}"),
)
frames = st.one_of(texts, texts, texts, st.binary(max_size=200))


@pytest.fixture(scope="module")
def playing(club: Club) -> tuple[str, Person]:
    """Ana against bots, who answer what she manages to play."""
    ana = club.person()
    table = ana.open("shokoba", [None, "easy", "easy"])
    seated(table, ana)
    return table, ana


@given(sent=st.lists(frames, min_size=1, max_size=15))
@settings(max_examples=60)
def test_every_message_is_answered_or_the_line_is_closed_with_a_reason(
    club: Club, playing: tuple[str, Person], sent: list[str | bytes]
) -> None:
    table, ana = playing
    line = Line(club, table, ana)
    before = count(line)
    try:
        for frame in sent:
            line.socket.send(
                frame.encode("utf-8", "replace") if isinstance(frame, str) else frame,
                text=isinstance(frame, str),
            )
        line.until(lambda: count(line) - before == len(sent))
    except ConnectionClosed as end:
        assert end.rcvd is not None and end.rcvd.code in STATED
    else:
        assert line.do("ping") == line.version or line.version
        assert count(line) - before == len(sent) + 1
    assert club.complaints() == []
    visits.close()


def count(line: Line) -> int:
    """How many answers have come."""
    return sum(len(answers) for answers in line.answers.values())


@given(first=frames, broken=st.booleans())
@settings(max_examples=30)
def test_any_first_message_is_answered_or_the_line_is_closed_with_a_reason(
    club: Club, playing: tuple[str, Person], first: str | bytes, broken: bool
) -> None:
    line = dial(club, playing[0])
    data = first.encode("utf-8", "replace") if isinstance(first, str) else first
    line.send(data + b"\xff" * broken, text=True)
    try:
        heard = line.recv(PATIENCE)
        assert "welcome" in heard or "refused" in heard
    except ConnectionClosed as end:
        assert end.rcvd is not None and end.rcvd.code in STATED
    assert club.complaints() == []
    assert club.web.get("/healthz").json()["status"] == "ok"
    visits.close()
