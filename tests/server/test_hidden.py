"""Hidden is hidden, byte for byte: nothing the server sends depends on what one cannot know."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.contract.setups import GAMES, Setup, names, setups_of
from tests.contract.test_blind import all_texts
from tests.playing import some_move
from tests.server.alone import START, Alone
from theriac.engine.contract import SPECTATOR
from theriac.server.bots.bot_pool import BotPool
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry
from theriac.server.store.store import Store
from theriac.server.tables import messages, views
from theriac.server.tables.decisions import Requester
from theriac.server.tables.messages import encoder
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService
from theriac.server.tables.session import TableSession
from theriac.server.tables.table import Table

#: How many positions of a game are looked at, and how many texts are tried in each.
POSITIONS, TEXTS = 12, 12


def some_setups() -> list[Setup]:
    """Of each game the first, the last, and two between."""
    found = []
    for game in GAMES:
        setups = setups_of(game)
        found += setups[:: max(1, len(setups) // 3)]
    return found


SETUPS = some_setups()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> TableService:
    """A host whose store is never used: all that is asked of it here is refused."""
    url = database_url(str(tmp_path_factory.mktemp("hidden") / "unused.sqlite"))
    return TableService(Store(url), BotPool(1), PubSub(), Metrics(), bot_delay=0)


class Sent:
    """All that the server would send to an eye."""

    def __init__(self, host: TableService, setup: Setup) -> None:
        self._host = host
        self._texts = all_texts(setup, TEXTS)

    def to(self, room: Table, eye: int) -> list[bytes]:
        """A welcome, the last events, and what is refused."""
        now = START + 60_000
        told: list[Any] = [views.welcome_for(room, eye, since, now) for since in (0, None)]
        told += [views.update_for(room, entry, eye, now) for entry in room.log[-3:]]
        told += asyncio.run(self._refusals(room, eye))
        return [encoder.encode(one) for one in told]

    async def _refusals(self, room: Table, eye: int) -> list[Any]:
        live = TableSession(room)
        player = "stranger" if eye == SPECTATOR else room.seats[eye].player
        assert player is not None
        asker = Requester(player, "Somebody", frozenset(), room.version)
        return [
            await self._host.handle(live, asker, request) for request in self._requests(room, eye)
        ]

    def _requests(self, room: Table, eye: int) -> Iterator[messages.TableRequest]:
        """What will be refused; what is legal is not asked for, since it would happen."""
        table = room.current_match
        legal = table.legal() if eye == table.to_act else table.out_of_turn()
        for number, text in enumerate(self._texts):
            if text not in legal:
                yield messages.Play(f"m{number}", text, room.version)
        yield messages.Play("old", legal[0] if legal else "x", 0)
        yield messages.Answer("answer", agree=True)
        yield messages.Return("return")
        yield messages.Hint("hint")  # refused, or told again: it was given in this position
        yield messages.Ready("ready", "x")


class Swap:
    """Puts something else in the place of all that an eye cannot know."""

    def __init__(self, alone: Alone) -> None:
        self._room = alone.table
        self._engine = alone.table.game.engine()
        self._chance = self._engine.chance()
        self._engine.seed_stream(self._chance.random, 4, 7)

    def hide_from(self, eye: int) -> bool:
        """Is the position really another now?"""
        table = self._room.current_match
        before = table._memory.copy()
        for seat in range(table.players) if eye == SPECTATOR else [eye]:
            self._engine.imagine(table.look(seat), self._chance.random, table._g)
        self._room.log[:] = [self._other(entry, eye) for entry in self._room.log]
        self._advise_otherwise(eye)
        table.seed = bytes(32)
        for number, taken in enumerate(self._room.seats):
            if number != eye:
                taken.player = f"another {number}"
        return bool((before != table._memory).any())

    def _advise_otherwise(self, eye: int) -> None:
        """What others were advised is another move, in the room and in its log."""
        for number, hint in self._room._hints.items():
            if hint.seat != eye:
                self._room._hints[number] = msgspec.structs.replace(hint, move="another")

    def _other(self, entry: LogEntry, eye: int) -> LogEntry:
        """Another move that this eye was told of in the same words; another hint to another."""
        event = entry.event
        if isinstance(event, events.Hinted) and event.seat != eye:
            return entry._replace(event=msgspec.structs.replace(event, move="another"))
        if not isinstance(event, events.Moved) or event.seat == eye:
            return entry
        text = self._room.current_match.settings.text
        shown = text.write_public(text.read(event.move))
        if shown == event.move:
            return entry
        alike = [text.write(m) for m in text.catalogue().tolist() if text.write_public(m) == shown]
        other = next(move for move in alike if move != event.move)
        return entry._replace(event=msgspec.structs.replace(event, move=other))


def replayed(setup: Setup, moves: list[str]) -> Alone:
    """A room of that many persons after these moves."""
    players = setup.given["players"]
    alone = Alone(setup.game.name, [None] * players, options=dict(setup.given))
    alone.sit(*(f"p{seat}id" for seat in range(players)))
    for number, move in enumerate(moves):
        if number % 3 == 0:
            take_hint(alone)
        alone.play(move)
    take_hint(alone)
    return alone


def take_hint(alone: Alone) -> None:
    """Let whoever is to act have been advised something."""
    seat = alone.table.to_act
    if seat is not None:
        alone.apply(events.Hinted(seat, alone.table.current_match.legal()[-1]))


def walked(setup: Setup) -> list[str]:
    """The moves of a random game that goes on for a while."""
    random = Random(repr(setup))
    alone = replayed(setup, [])
    while alone.table.stage == "playing" and len(alone.table.current_match.moves) < 120:
        alone.play(some_move(alone.table.current_match, random))
    return list(alone.table.current_match.moves)


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
def test_what_one_cannot_know_changes_no_byte(host: TableService, setup: Setup) -> None:
    moves = walked(setup)
    sent = Sent(host, setup)
    other = 0
    for length in range(0, len(moves), max(1, len(moves) // POSITIONS)):
        for eye in (SPECTATOR, *range(setup.given["players"])):
            alone = replayed(setup, moves[:length])
            before = sent.to(alone.table, eye)
            keep_secrets(alone.table, before)
            swap = Swap(alone)
            other += swap.hide_from(eye)
            assert sent.to(alone.table, eye) == before
    assert other or setup.given["players"] == 1, "something was hidden, or this test says nothing"


def keep_secrets(room: Table, sent: list[bytes]) -> None:
    """What nobody is told while a game is played."""
    told = b"".join(sent)
    assert room.secret.hex().encode() not in told
    assert (
        room.current_match.seed is not None and room.current_match.seed.hex().encode() not in told
    )
    assert not any(f"p{seat}id".encode() in told for seat in range(len(room.seats)))


@pytest.mark.parametrize("eye", [SPECTATOR, 0])
def test_nonces_are_secret_until_the_game_begins(eye: int) -> None:
    alone = Alone("shokoba", [None, None])
    alone.ask("p1id", messages.Sit("sit", 1, "the nonce of seat 1"))
    told = encoder.encode(views.welcome_for(alone.table, eye, 0, START))
    told += encoder.encode(views.update_for(alone.table, alone.table.log[-1], eye, START))
    assert b"nonce" not in told and b"p1id" not in told
    alone.ask("p0id", messages.Sit("sit", 0, "the nonce of seat 0"))
    told = encoder.encode(views.welcome_for(alone.table, eye, 0, START))
    assert b"the nonce of seat 1" in told, "then anybody may check that it was used"


def test_nonces_for_the_next_game_are_secret_too() -> None:
    alone = Alone("dungeon", [None, None], options={"minutes": 1})
    alone.sit("ana", "bo")
    alone.wait(60)
    alone.time_out()
    assert alone.table.stage == "over"
    alone.ask("ana", messages.Ready("ready", "for the next one"))
    told = encoder.encode(views.welcome_for(alone.table, 1, 0, START))
    assert b"for the next one" not in told


def test_the_record_is_nobodys_before_the_end(tmp_path: Path) -> None:
    alone = Alone("shokoba", [None, None])
    alone.sit("ana", "bo")
    assert alone.table.finished == []
    with pytest.raises(AssertionError):
        alone.table.record()
