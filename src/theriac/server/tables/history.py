"""A table's history in pages, for clients that come late: events, and the positions they led to.

The positions of the last game are not kept: they are made again from its moves, as a viewpoint may
know them. That takes time, so `LastGame` is replayed in a thread. It shares nothing that changes
with the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from theriac.engine.rule import Speed
from theriac.game import Game
from theriac.match import Match
from theriac.server.limits import Limits
from theriac.server.store import events
from theriac.server.store.events import LogEntry
from theriac.server.tables.messages import Update
from theriac.server.tables.table import Table
from theriac.server.tables.views import (
    page_of,
    redacted_event,
    updates_without_views,
    view_of_match,
)


def history_after(table: Table, viewpoint: int, version: int, limits: Limits) -> list[Update]:
    """The oldest page of the events after a version."""
    following = table.log[version : version + limits.page_events]
    return list(page_of(updates_without_views(table, following, viewpoint), limits))


class LastGame(NamedTuple):
    """The game in play or just finished: how it was dealt, and the log since it began."""

    game: Game
    options: dict[str, Any]
    seed: bytes | None
    speed: Speed | None
    #: The moves that it began with.
    known_moves: Sequence[str]
    entries: Sequence[LogEntry]

    @classmethod
    def of(cls, table: Table) -> LastGame | None:
        """The last game of a table; None before the first."""
        if table.match is None:
            return None
        match = table.match
        entries = table.log[table.begun_version - 1 :]
        options = dict(match.settings.given)
        return cls(table.game, options, match.seed, table.speed, table.known_moves, entries)

    def after(self, version: int, viewpoint: int, limits: Limits) -> list[Update]:
        """The oldest page of its events after a version. Those that changed the position have the
        `view` of it.
        """
        return list(page_of(self._updates(version, viewpoint), limits))

    def _updates(self, version: int, viewpoint: int) -> Iterator[Update]:
        past = [entry for entry in self.entries if entry.number <= version]
        match = self._play(self._moves_of(past))
        for entry in self.entries[len(past) :]:
            event, view = entry.event, None
            if isinstance(event, events.Moved):
                match.play(event.move)
            elif isinstance(event, events.Undone):
                match = self._play(match.moves[: event.moves])
            if isinstance(event, events.Begun | events.Moved | events.Undone):
                view = view_of_match(match, viewpoint)
            shown = redacted_event(match, event, viewpoint)
            yield Update(entry.number, entry.at, shown, view=view)

    def _play(self, moves: Sequence[str]) -> Match:
        match = Match(self.game, self.options, seed=self.seed, speed=self.speed)
        for move in moves:
            match.play(move)
        return match

    def _moves_of(self, entries: Iterable[LogEntry]) -> list[str]:
        """The moves that were made and not taken back."""
        moves = list(self.known_moves)
        for entry in entries:
            if isinstance(entry.event, events.Moved):
                moves.append(entry.event.move)
            elif isinstance(entry.event, events.Undone):
                del moves[entry.event.moves :]
        return moves
