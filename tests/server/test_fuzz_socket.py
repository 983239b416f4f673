"""Whatever a socket receives, it replies to each message once or closes with a reason."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from tests.server.server_process import (
    RESPONSE_TIMEOUT_S,
    Player,
    ServerProcess,
    open_clients,
    started_servers,
)
from tests.server.socket_client import SocketClient, open_socket, seat_players
from theriac.server.rate_limit import TokenBucket
from theriac.testing.profiles import often

#: The close codes of a server: not text, too long, or a reason of ours.
CLOSE_CODES = {1002, 1003, 1007, 1009, 4401, 4408, 4429}

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
KINDS = """sit stand ready reveal call_off move undo answer hand return say react gesture typing
close hello ping""".split()
fields = st.fixed_dictionaries(
    {},
    optional={
        "seat": st.one_of(st.integers(-1, 16), anything),
        "nonce": st.one_of(st.text(max_size=70), anything),
        "commitment": st.one_of(st.text("0123456789abcdef", min_size=64, max_size=64), anything),
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
    """A message that is almost valid."""
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
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that reads every message: the rate limit would refuse most of them unread."""
    limits = ("player_rate", "player_burst", "message_rate", "message_burst")
    arguments = [part for limit in limits for part in ("--limit", f"{limit}=1000000")]
    running = ServerProcess(tmp_path_factory.mktemp("fuzzed"), *arguments)
    started_servers.pop_all()  # it outlives this test
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def playing(server: ServerProcess) -> tuple[str, Player]:
    """Ana at a table with bots, who move after each of her moves."""
    ana = server.new_player()
    ana.bucket = TokenBucket(1_000_000, 1_000_000)
    table = ana.open("shokoba", [None, "easy", "easy"])
    seat_players(table, ana)
    return table, ana


@given(sent=st.lists(frames, min_size=1, max_size=15))
@settings(max_examples=often(25, 1000))
def test_every_message_gets_a_reply_or_the_socket_is_closed_with_a_reason(
    server: ServerProcess, playing: tuple[str, Player], sent: list[str | bytes]
) -> None:
    table, ana = playing
    client = SocketClient(server, table, ana)
    before = reply_count(client)
    try:
        for frame in sent:
            client.socket.send(
                frame.encode("utf-8", "replace") if isinstance(frame, str) else frame,
                text=isinstance(frame, str),
            )
        client.until(lambda: reply_count(client) - before == len(sent))
    except ConnectionClosed as end:
        # A frame that was on its way when the server closed resets the connection, and with it the
        # reason that lay unread.
        is_reset = isinstance(end.__cause__, OSError)
        assert is_reset or (end.rcvd is not None and end.rcvd.code in CLOSE_CODES)
    else:
        assert client.do("ping") == client.version or client.version
        assert reply_count(client) - before == len(sent) + 1
    assert server.unexpected_log_lines() == []
    open_clients.close()


def reply_count(client: SocketClient) -> int:
    """The number of replies received."""
    return sum(len(answers) for answers in client.answers.values())


@given(first=frames, broken=st.booleans())
@settings(max_examples=often(15, 1000))
def test_any_first_message_gets_a_reply_or_the_socket_is_closed_with_a_reason(
    server: ServerProcess, playing: tuple[str, Player], first: str | bytes, broken: bool
) -> None:
    connection = open_socket(server, playing[0])
    data = first.encode("utf-8", "replace") if isinstance(first, str) else first
    connection.send(data + b"\xff" * broken, text=True)
    try:
        reply = connection.recv(RESPONSE_TIMEOUT_S)
        assert "welcome" in reply or "refused" in reply
    except ConnectionClosed as end:
        assert end.rcvd is not None and end.rcvd.code in CLOSE_CODES
    assert server.unexpected_log_lines() == []
    assert server.http.get("/healthz").json()["status"] == "ok"
    open_clients.close()
