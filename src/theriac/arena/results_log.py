"""The folder of a run: its schedule, and a log with a line for each finished game.

A result is on disk before it counts. A run that was stopped, however it was stopped, resumes with
the games that are missing.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

import msgspec

from theriac.arena.arena_game import GameResult
from theriac.arena.schedule import GameKey, Schedule, TableSetup
from theriac.bots.registry import current_spec
from theriac.faults import Fault, quote
from theriac.run_folder import lock, naming

SCHEDULE = "arena.json"
RESULTS = "games.jsonl"


class ResultsLog:
    """The log of one schedule. Use it in a `with` statement.

    If the folder was started before a parameter of a bot was renamed, `schedule` is the stored one:
    bots keep the names and seeds that they had.
    """

    def __init__(self, folder: Path, schedule: Schedule) -> None:
        self.folder = folder
        self.schedule = schedule
        self.results: dict[GameKey, GameResult] = {}
        self._file: IO[bytes] | None = None

    def __enter__(self) -> ResultsLog:
        """Open the log or start it; raises `Fault` if it has another schedule or is in use."""
        with naming(self.folder, "results"):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._open_schedule()
            self._file = (self.folder / RESULTS).open("a+b")
        try:
            lock(self._file, self.folder, "another run is writing")
            self._read()
        except Fault:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._file:
            with self._file:
                os.fsync(self._file.fileno())

    @property
    def missing(self) -> int:
        """The number of games without a result."""
        return self.schedule.game_count - len(self.results)

    def add(self, result: GameResult) -> None:
        """Log the result of a game; does nothing if the game has one already."""
        assert self._file is not None
        if result.key in self.results:
            return
        with naming(self.folder, "results"):
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()
        self.results[result.key] = result

    def ordered(self) -> list[GameResult]:
        """All results, ordered by key."""
        return [self.results[key] for key in sorted(self.results)]

    def _open_schedule(self) -> None:
        """Store the schedule, or compare it with the stored one; raises `Fault`."""
        path = self.folder / SCHEDULE
        wanted = _encode(self.schedule)
        if not path.exists():
            if any(self.folder.iterdir()):
                raise Fault(
                    f"{quote(str(self.folder), 300)}: the folder is not empty and has no "
                    f"{SCHEDULE}: name a new folder"
                )
            temporary = path.with_name(f".{SCHEDULE}.new")
            temporary.write_bytes(wanted)
            os.replace(temporary, path)  # noqa: PTH105
            return
        stored = path.read_bytes()
        if stored == wanted:
            return
        earlier = _decode(stored)
        if earlier is None or _encode(_with_current_names(earlier)) != wanted:
            raise Fault(
                f"{quote(str(self.folder), 300)}: it was started with "
                f"{_difference(stored, wanted)}: give the same options to resume it, or name "
                "another folder"
            )
        self.schedule = earlier

    def _read(self) -> None:
        """Read the log, and cut off a line that was not written to its end. Raises `Fault`."""
        assert self._file is not None
        known = {spec.key for spec in self.schedule.games()}
        self._file.seek(0)
        lines = self._file.readlines()
        for number, line in enumerate(lines, 1):
            result = _parse(line)
            if result and result.key in known:
                self.results.setdefault(result.key, result)
            elif number == len(lines) and not line.endswith(b"\n"):
                self._file.truncate(sum(len(line) for line in lines[:-1]))
            else:
                where = quote(str(self.folder / RESULTS), 300)
                raise Fault(
                    f"{where}: line {number} is no game of this schedule: name another folder"
                )


def stored_schedule(folder: Path | None) -> Schedule | None:
    """The schedule of a run that was started in this folder, if there is one."""
    path = folder / SCHEDULE if folder else None
    return _decode(path.read_bytes()) if path and path.is_file() else None


def _encode(schedule: Schedule) -> bytes:
    return msgspec.json.format(msgspec.json.encode(schedule), indent=1) + b"\n"


def _decode(stored: bytes) -> Schedule | None:
    try:
        return msgspec.json.decode(stored, type=Schedule)
    except msgspec.DecodeError:
        return None


def _with_current_names(schedule: Schedule) -> Schedule:
    """The same schedule with renamed parameters of bots under their current names."""

    def current(bots: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(current_spec(bot) for bot in bots)

    setups = [
        TableSetup(setup.label, setup.options, [current(bots) for bots in setup.line_ups])
        for setup in schedule.setups
    ]
    return msgspec.structs.replace(schedule, bots=current(schedule.bots), setups=setups)


def _parse(line: bytes) -> GameResult | None:
    """The result in a line; None if the line is cut off or is something else."""
    try:
        return msgspec.json.decode(line, type=GameResult) if line.endswith(b"\n") else None
    except msgspec.DecodeError:
        return None


def _difference(stored: bytes, wanted: bytes) -> str:
    """The first key in which two schedules differ, in words."""
    try:
        before, now = msgspec.json.decode(stored), msgspec.json.decode(wanted)
        name = next(name for name in now if before.get(name) != now[name])
    except (msgspec.DecodeError, AttributeError, StopIteration):
        return "something else"
    return f"{name} {quote(before.get(name), 80)}, not {quote(now[name], 80)}"
