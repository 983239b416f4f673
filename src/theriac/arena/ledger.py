"""Where results are kept: a folder with the plan and a line for each finished game.

A game is on disk before it counts. A run that was stopped, however it was stopped, goes on with the
games that are missing.
"""

from __future__ import annotations

import csv
import importlib.util
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from theriac.arena.plan import Key, Plan, name_options
from theriac.arena.sitting import Played
from theriac.faults import Fault, quote
from theriac.run_folder import lock, naming

PLAN = "arena.json"
GAMES = "games.jsonl"


class Ledger:
    """The folder of one plan. Use it in a `with` statement."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self.plan = plan
        self.games: dict[Key, Played] = {}
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Ledger:
        """Open it, or begin it; raises `Fault` if it is of another plan or in use."""
        with naming(self.folder, "results"):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._check_plan()
            self._file = (self.folder / GAMES).open("a+b")
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
        """How many games are still to be played."""
        return self.plan.games - len(self.games)

    def add(self, played: Played) -> None:
        """Keep a finished game; one that is known already changes nothing."""
        assert self._file is not None
        if played.key in self.games:
            return
        with naming(self.folder, "results"):
            self._file.write(msgspec.json.encode(played) + b"\n")
            self._file.flush()
        self.games[played.key] = played

    def ordered(self) -> list[Played]:
        """All games by key."""
        return [self.games[key] for key in sorted(self.games)]

    def _check_plan(self) -> None:
        path = self.folder / PLAN
        mine = msgspec.json.format(msgspec.json.encode(self.plan), indent=1) + b"\n"
        if not path.exists():
            if any(self.folder.iterdir()):
                raise Fault(
                    f"{quote(str(self.folder), 300)}: the folder is not empty, and no "
                    f"{PLAN} is in it: give a new one"
                )
            beside = path.with_name(f".{PLAN}.new")
            beside.write_bytes(mine)
            os.replace(beside, path)  # noqa: PTH105
            return
        theirs = path.read_bytes()
        if theirs != mine:
            raise Fault(
                f"{quote(str(self.folder), 300)}: it was begun with {_difference(theirs, mine)}: "
                "give the same again to go on, or another folder"
            )

    def _read(self) -> None:
        """Read what is there; what was cut off while it was written is removed. Raises `Fault`."""
        assert self._file is not None
        known = {seating.key for seating in self.plan.seatings()}
        self._file.seek(0)
        lines = self._file.readlines()
        for number, line in enumerate(lines, 1):
            played = _parse(line)
            if played and played.key in known:
                self.games.setdefault(played.key, played)
            elif number == len(lines) and not line.endswith(b"\n"):
                self._file.truncate(sum(len(line) for line in lines[:-1]))
            else:
                where = quote(str(self.folder / GAMES), 300)
                raise Fault(f"{where}: line {number} is no game of this plan; give another folder")


def _parse(line: bytes) -> Played | None:
    """The game in a line, if it is whole."""
    try:
        return msgspec.json.decode(line, type=Played) if line.endswith(b"\n") else None
    except msgspec.DecodeError:
        return None


def _difference(theirs: bytes, mine: bytes) -> str:
    """What differs first between two plans, in words."""
    try:
        before, now = msgspec.json.decode(theirs), msgspec.json.decode(mine)
        name = next(name for name in now if before.get(name) != now[name])
    except (msgspec.DecodeError, AttributeError, StopIteration):
        return "something else"
    return f"{name} {quote(before.get(name), 80)}, not {quote(now[name], 80)}"


def has_parquet() -> bool:
    """Can Parquet files be written here?"""
    return importlib.util.find_spec("pyarrow") is not None


def write_rows(folder: Path, rows: Iterable[dict[str, Any]], form: str) -> Path:
    """The table of all seats of all games, as `games.parquet` or `games.csv`."""
    listed = list(rows)
    path = folder / f"games.{form}"
    with naming(folder, "results"):
        if form == "parquet":
            import pyarrow as pa
            from pyarrow import parquet

            parquet.write_table(pa.Table.from_pylist(listed), path)
        else:
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(listed[0]) if listed else [])
                writer.writeheader()
                writer.writerows(listed)
    return path


def rows_of(plan: Plan, games: Iterable[Played]) -> Iterator[dict[str, Any]]:
    """A row for each seat of each game."""
    names = [name_options(setting.options) for setting in plan.settings]
    for game in games:
        match, deal, line_up = game.key
        for seat, bot in enumerate(game.bots):
            row = {
                "game": plan.game,
                "table": plan.settings[match].label,
                "options": names[match],
                "players": game.players,
                "deal": deal,
                "line_up": line_up,
                "first": game.first,
                "seat": seat,
                "bot": bot,
                "score": game.scores[seat],
                "share": game.shares[seat],
                "rank": game.ranks[seat],
                "forfeit": game.forfeits.get(bot),
                "moves": game.moves[seat],
                "seconds": game.seconds[seat],
                "median_seconds": game.median[seat],
                "longest_seconds": game.longest[seat],
                "rounds": game.rounds,
                "why": game.why,
            }
            if game.study:
                row |= {
                    "game_moves": game.study.moves,
                    "choices": game.study.choices,
                    "legal": game.study.legal,
                    "lead_changes": game.study.lead_changes,
                    "swings": " ".join(str(swing) for swing in game.study.swings),
                }
            yield row
