"""Hidden information stays hidden: it changes no byte of what the server sends to a viewpoint."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.server.table_harness import START, TableHarness
from theriac.engine.contract import SPECTATOR
from theriac.server.bots.bot_pool import BotPool
from theriac.server.limits import Limits
from theriac.server.running.metrics import Metrics
from theriac.server.store import events
from theriac.server.store.database import database_url
from theriac.server.store.events import LogEntry
from theriac.server.store.store import Store
from theriac.server.tables import messages, views
from theriac.server.tables.decisions import Requester
from theriac.server.tables.history import LastGame, history_after
from theriac.server.tables.messages import encoder
from theriac.server.tables.pubsub import PubSub
from theriac.server.tables.service import TableService
from theriac.server.tables.session import TableSession
from theriac.server.tables.table import Table
from theriac.testing.playing import some_move
from theriac.testing.setups import GAMES, Setup, names, setups_of
from theriac.testing.test_blind import all_texts

#: How many positions of a game are checked, and how many texts are tried in each.
POSITIONS, TEXTS = 12, 12


def some_setups() -> list[Setup]:
    """About four setups of each game, evenly spaced."""
    found = []
    for game in GAMES:
        setups = setups_of(game)
        found += setups[:: max(1, len(setups) // 3)]
    return found


SETUPS = some_setups()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> TableService:
    """A service whose store is never used: it refuses all requests of these tests."""
    url = database_url(str(tmp_path_factory.mktemp("hidden") / "unused.sqlite"))
    return TableService(Store(url), BotPool(1), PubSub(), Metrics(), bot_delay=0)


class Messages:
    """Everything that the server would send to a viewpoint."""

    def __init__(self, service: TableService, setup: Setup) -> None:
        self._service = service
        self._texts = all_texts(setup, TEXTS)

    def to(self, table: Table, viewpoint: int) -> list[bytes]:
        """Welcomes, the last updates, and refusals, encoded."""
        now = START + 60_000
        sent: list[Any] = [views.welcome_for(table, viewpoint, since, now) for since in (0, None)]
        for entry in table.log[-3:]:
            sent += views.updates_for(table, entry, [viewpoint], now).values()
        sent += asyncio.run(self._refusals(table, viewpoint))
        return [encoder.encode(one) for one in sent]

    async def _refusals(self, table: Table, viewpoint: int) -> list[Any]:
        session = TableSession(table)
        player = "stranger" if viewpoint == SPECTATOR else table.seats[viewpoint].player
        assert player is not None
        requester = Requester(player, "Somebody", frozenset(), table.version)
        return [
            await self._service.handle(session, requester, request)
            for request in self._requests(table, viewpoint)
        ]

    def _requests(self, table: Table, viewpoint: int) -> Iterator[messages.TableRequest]:
        """Requests that will be refused; a legal move is left out because it would be made."""
        match = table.current_match
        legal = match.legal() if viewpoint == match.to_act else match.out_of_turn()
        for number, text in enumerate(self._texts):
            if text not in legal:
                yield messages.Play(f"m{number}", text, table.version)
        yield messages.Play("old", legal[0] if legal else "x", 0)
        yield messages.Answer("answer", agree=True)
        yield messages.Return("return")
        yield messages.Hint("hint")  # refused, or the hint of this position again
        yield messages.Ready("ready", "0" * 64, "0" * 64)
        yield messages.Reveal("reveal", "x")
        yield messages.CallOff("call off")


class HiddenSwap:
    """Replaces everything that a viewpoint cannot know by something else."""

    def __init__(self, harness: TableHarness) -> None:
        self._table = harness.table
        self._engine = harness.table.game.engine()
        self._chance = self._engine.chance()
        self._engine.seed_stream(self._chance.random, 4, 7)

    @contextlib.contextmanager
    def hiding_from(self, viewpoint: int) -> Iterator[bool]:
        """A context in which what is hidden from a viewpoint is replaced; has it changed the
        position?
        """
        table, match = self._table, self._table.current_match
        memory, seed = match._memory.copy(), match.seed
        log, hints = [*table.log], {**table._hints}
        players = [seat.player for seat in table.seats]
        self._hide_from(viewpoint)
        yield bool((memory != match._memory).any())
        match._memory[:], match.seed = memory, seed
        table.log[:], table._hints = log, hints
        for seat, player in zip(table.seats, players, strict=True):
            seat.player = player

    def _hide_from(self, viewpoint: int) -> None:
        match = self._table.current_match
        for seat in range(match.players) if viewpoint == SPECTATOR else [viewpoint]:
            self._engine.imagine(match.look(seat), self._chance.random, match._g)
        self._table.log[:] = [self._replace_hidden(entry, viewpoint) for entry in self._table.log]
        self._replace_hints(viewpoint)
        match.seed = bytes(32)
        for number, taken in enumerate(self._table.seats):
            if number != viewpoint:
                taken.player = f"another {number}"

    def _replace_hints(self, viewpoint: int) -> None:
        """Replace the hints that other seats were given."""
        for number, hint in self._table._hints.items():
            if hint.seat != viewpoint:
                self._table._hints[number] = msgspec.structs.replace(hint, move="another")

    def _replace_hidden(self, entry: LogEntry, viewpoint: int) -> LogEntry:
        """The entry with another move that looks the same, or with another hidden hint."""
        event = entry.event
        if isinstance(event, events.Hinted) and event.seat != viewpoint:
            return entry._replace(event=msgspec.structs.replace(event, move="another"))
        if not isinstance(event, events.Moved) or event.seat == viewpoint:
            return entry
        text = self._table.current_match.settings.text
        shown = text.write_public(text.read(event.move))
        if shown == event.move:
            return entry
        look_alike = [
            text.write(m) for m in text.catalogue().tolist() if text.write_public(m) == shown
        ]
        swapped = next(move for move in look_alike if move != event.move)
        return entry._replace(event=msgspec.structs.replace(event, move=swapped))


def opened(setup: Setup) -> TableHarness:
    """A table at which a game has begun, and a hint was taken."""
    players = setup.given["players"]
    harness = TableHarness(setup.game.name, [None] * players, options=dict(setup.given))
    harness.sit(*(f"p{seat}id" for seat in range(players)))
    give_hint(harness)
    return harness


def give_hint(harness: TableHarness) -> None:
    """Give the seat to act a hint."""
    seat = harness.table.to_act
    if seat is not None:
        harness.apply(events.Hinted(seat, harness.table.current_match.legal()[-1]))


def random_moves(setup: Setup) -> list[str]:
    """The moves of a random game, at most 120."""
    random = Random(repr(setup))
    harness = opened(setup)
    while harness.table.stage == "playing" and len(harness.table.current_match.moves) < 120:
        harness.play(some_move(harness.table.current_match, random))
    return list(harness.table.current_match.moves)


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
def test_hidden_information_changes_no_byte(service: TableService, setup: Setup) -> None:
    moves = random_moves(setup)
    harness, all_messages = opened(setup), Messages(service, setup)
    every = max(1, len(moves) // POSITIONS)
    swapped = 0
    for number, move in enumerate(moves):
        is_checked = number % every == 0
        if number and (is_checked or number % 3 == 0):
            give_hint(harness)
        for viewpoint in (SPECTATOR, *range(setup.given["players"])) if is_checked else ():
            before = all_messages.to(harness.table, viewpoint)
            assert_no_secrets(harness.table, before)
            with HiddenSwap(harness).hiding_from(viewpoint) as changed:
                swapped += changed
                assert all_messages.to(harness.table, viewpoint) == before
        harness.play(move)
    assert swapped or setup.given["players"] == 1, "nothing was hidden: this test shows nothing"


@pytest.mark.parametrize("setup", SETUPS, ids=names(SETUPS))
def test_the_history_shows_no_more_than_was_sent(setup: Setup) -> None:
    """A position that is made again later has what its message had: see the test above."""
    harness, moves = opened(setup), random_moves(setup)[:40]
    viewpoints = (SPECTATOR, *range(setup.given["players"]))
    begun = harness.table.begun_version
    sent = {each: [views.view_of_match(harness.table.current_match, each)] for each in viewpoints}
    for move in moves:
        harness.play(move)
        entry = next(e for e in harness.table.log[::-1] if isinstance(e.event, events.Moved))
        for viewpoint in viewpoints:
            sent[viewpoint].append(views.view_of_match(harness.table.current_match, viewpoint))
            update = views.updates_for(harness.table, entry, [viewpoint], START)[viewpoint]
            assert update.view is not None
            assert sent[viewpoint][-1].items() <= update.view.items()
    last = LastGame.of(harness.table)
    assert last is not None
    everything = Limits(page_events=10**6, page_bytes=10**9)
    for viewpoint in viewpoints:
        shown = last.after(0, viewpoint, everything)
        assert [update.view for update in shown if update.view] == sent[viewpoint]
        plain = history_after(harness.table, viewpoint, begun - 1, everything)
        assert [update.event for update in shown] == [update.event for update in plain]
        assert_no_secrets(harness.table, [encoder.encode(shown)])


def assert_no_secrets(table: Table, messages_sent: list[bytes]) -> None:
    """No message contains the secret, the seed or a player's id."""
    sent = b"".join(messages_sent)
    assert table.secret.hex().encode() not in sent
    assert (
        table.current_match.seed is not None and table.current_match.seed.hex().encode() not in sent
    )
    assert not any(f"p{seat}id".encode() in sent for seat in range(len(table.seats)))


@pytest.mark.parametrize("viewpoint", [SPECTATOR, 0])
def test_nonces_are_secret_until_the_game_begins(viewpoint: int) -> None:
    harness = TableHarness("shokoba", [None, None])
    harness.ask("p1id", messages.Sit("sit", 1, **harness.commit(1, "the nonce of seat 1")))
    sent = encoder.encode(views.welcome_for(harness.table, viewpoint, 0, START))
    updates = views.updates_for(harness.table, harness.table.log[-1], [viewpoint], START)
    sent += encoder.encode(updates[viewpoint])
    assert b"nonce" not in sent and b"p1id" not in sent
    harness.ask("p0id", messages.Sit("sit", 0, **harness.commit(0, "the nonce of seat 0")))
    harness.ask("p1id", messages.Reveal("reveal", "the nonce of seat 1"))
    assert harness.table.missing == [0] and harness.table.seats[1].nonce is not None
    sent = encoder.encode(views.welcome_for(harness.table, viewpoint, 0, START))
    assert b"nonce of" not in sent, "while it waits for others"
    harness.reveal()
    sent = encoder.encode(views.welcome_for(harness.table, viewpoint, 0, START))
    assert b"the nonce of seat 1" in sent, "now everyone can check that it was used"


def test_nonces_for_the_next_game_are_secret_too() -> None:
    harness = TableHarness("dungeon", [None, None], options={"minutes": 1})
    harness.sit("ana", "bo")
    harness.wait(60)
    harness.time_out()
    assert harness.table.stage == "over"
    harness.ask("ana", messages.Ready("ready", **harness.commit(0, "for the next one")))
    sent = encoder.encode(views.welcome_for(harness.table, 1, 0, START))
    assert b"for the next one" not in sent


def test_there_is_no_record_before_the_end(tmp_path: Path) -> None:
    harness = TableHarness("shokoba", [None, None])
    harness.sit("ana", "bo")
    assert harness.table.finished == []
    with pytest.raises(AssertionError):
        harness.table.record()
