"""The protocol of a socket, over a transport that only notes what is written to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from uvicorn.server import ServerState

from theriac.server.addresses import Proxies
from theriac.server.limits import DEFAULT_LIMITS
from theriac.server.socket.gate import Gate
from theriac.server.socket.protocols import (
    PINGS_EVERY_S,
    GuardedConfig,
    GuardedWebSocket,
    text_frame,
)

Step = Callable[[GuardedWebSocket, list[bytes]], Awaitable[Any]]


class NotingTransport:
    """Notes what is written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, content: bytes) -> None:
        self.written.append(content)

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    def set_write_buffer_limits(self, high: int) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str) -> None:
        return None


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def with_socket(step: Step) -> Any:
    """What a step returns that gets an open socket, and what is written to it."""

    async def run() -> Any:
        finished = asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            await send({"type": "websocket.accept"})
            await finished.wait()

        config = GuardedConfig(app, Gate(DEFAULT_LIMITS, Proxies("")))
        state = ServerState()
        protocol = GuardedWebSocket(config, state, {}, asyncio.get_running_loop())
        transport = NotingTransport()
        protocol.connection_made(cast(asyncio.Transport, transport))
        protocol.data_received(HANDSHAKE)
        while not transport.written:
            await asyncio.sleep(0)
        transport.written.clear()
        protocol.send_keepalive_ping()  # the handshake counts as something that was sent
        try:
            return await step(protocol, transport.written)
        finally:
            protocol.stop_keepalive()
            finished.set()
            await asyncio.gather(*state.tasks)

    return asyncio.run(run())


def test_gathered_messages_of_one_turn_are_written_together_and_in_order() -> None:
    async def step(protocol: GuardedWebSocket, written: list[bytes]) -> list[bytes]:
        protocol.gathers = True
        assert protocol.write_text(b"update") and protocol.write_text(b"reply")
        protocol.gathers = False
        assert protocol.write_text(b"after") and not written
        await asyncio.sleep(0)
        assert protocol.write_text(b"at once")
        return written.copy()

    together = b"".join(map(text_frame, (b"update", b"reply", b"after")))
    assert with_socket(step) == [together, text_frame(b"at once")]


@pytest.mark.parametrize("how", ["close", "shutdown"])
def test_a_message_is_written_before_the_socket_closes(how: str) -> None:
    async def step(protocol: GuardedWebSocket, written: list[bytes]) -> list[bytes]:
        protocol.gathers = True
        protocol.write_text(b"last words")
        if how == "close":
            await protocol.send({"type": "websocket.close", "code": 1000, "reason": ""})
        else:
            protocol.shutdown()
        await asyncio.sleep(0)
        return written

    first, *rest = with_socket(step)
    assert first == text_frame(b"last words")
    assert [frame[0] for frame in rest] == [0x88]


def test_a_client_is_pinged_unless_it_has_sent_something() -> None:
    async def step(protocol: GuardedWebSocket, written: list[bytes]) -> list[bool]:
        def ping_is_sent() -> bool:
            before = len(written)
            protocol.send_keepalive_ping()
            return len(written) > before

        protocol.data_received(b"\x81\x81\0\0\0\0x")
        after_message, after_silence = ping_is_sent(), ping_is_sent()
        protocol.data_received(pong_to(written[-1]))
        return [after_message, after_silence, ping_is_sent()]

    # A pong is no reason to leave the next ping out.
    assert with_socket(step) == [False, True, True]


def test_pings_of_many_sockets_are_due_at_the_same_moments() -> None:
    async def step(protocol: GuardedWebSocket, written: list[bytes]) -> list[float]:
        due = []
        for _ in range(5):
            await asyncio.sleep(PINGS_EVERY_S / 7)
            protocol.stop_keepalive()
            protocol.schedule_ping()
            assert protocol.ping_timer is not None
            due.append(protocol.ping_timer.when())
        return due

    due = with_socket(step)
    assert all(abs(time - round(time / PINGS_EVERY_S) * PINGS_EVERY_S) < 0.002 for time in due)
    assert due == sorted(due) and len(set(due)) < 5


def pong_to(ping: bytes) -> bytes:
    """A client's reply to a ping."""
    return b"\x8a\x84\0\0\0\0" + ping[2:]
