"""One message, one action or one client that is odd does not stop or fill anything."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from tests.server.server_process import ServerProcess
from theriac.server.admin.actions import Action
from theriac.server.running.logs import is_not_of_one_client
from theriac.server.socket import follower
from theriac.server.socket.follower import Follower
from theriac.server.tables.pubsub import ProcessMessage, RedisPubSub


def test_a_message_over_redis_that_cannot_be_read_ends_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The process listened no more: another program may use the same channel."""
    heard: list[ProcessMessage] = []

    async def on_message(message: ProcessMessage) -> None:
        heard.append(message)

    async def run() -> None:
        pubsub = RedisPubSub("redis://127.0.0.1:1", "own")
        for data in (b"\xff", b"[]", b'{"room": "t", "version": 2}', b'{"process": "own"}'):
            await pubsub._receive(data, on_message)

    asyncio.run(run())
    assert heard == [ProcessMessage("t", version=2)]
    assert caplog.text.count("cannot be read") == 2


def test_an_action_that_fails_does_not_stop_those_after_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    actions = [
        Action(1, 0, "op", "announce", None, None, {}),  # of a version that says it otherwise
        Action(2, 0, "op", "ban", "eve", None, {}),
    ]

    async def read_actions(*_: Any) -> list[Action]:
        return actions

    monkeypatch.setattr(follower, "read_actions", read_actions)
    forgotten: list[str] = []
    players: Any = SimpleNamespace(forget=forgotten.append)
    service: Any = SimpleNamespace(store=None, tables=[])
    asyncio.run(Follower(service, players).check())
    assert forgotten == ["eve"]
    assert "this action was not carried out: announce" in caplog.text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Invalid HTTP request received.", False),
        ("Unsupported upgrade request.", False),
        ("connection rejected (403 Forbidden)", False),
        ("the store has not answered for 11 seconds", True),
    ],
)
def test_nobody_fills_the_log_with_requests(said: str, kept: bool) -> None:
    record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, said, None, None)
    assert is_not_of_one_client(record) is kept


def test_a_path_of_many_parts_is_not_there(server: ServerProcess) -> None:
    """The router calls itself for each: 500."""
    for path in ("/a" * 3000, "/api" + "/a" * 3000):
        assert server.http.get(path).status_code == 404
