"""Exports the results of a run as a table with one row per seat of each game."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from theriac.arena.arena_game import GameResult
from theriac.arena.schedule import Schedule, options_id
from theriac.run_folder import naming


def has_parquet() -> bool:
    """Is pyarrow installed?"""
    return importlib.util.find_spec("pyarrow") is not None


def write_table(folder: Path, rows: Iterable[dict[str, Any]], file_format: str) -> Path:
    """Write `games.parquet` or `games.csv`."""
    listed = list(rows)
    path = folder / f"games.{file_format}"
    with naming(folder, "results"):
        if file_format == "parquet":
            import pyarrow as pa
            from pyarrow import parquet

            parquet.write_table(pa.Table.from_pylist(listed), path)
        else:
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(listed[0]) if listed else [])
                writer.writeheader()
                writer.writerows(listed)
    return path


def seat_rows(schedule: Schedule, results: Iterable[GameResult]) -> Iterator[dict[str, Any]]:
    """A row for each seat of each game."""
    options = [options_id(setup.options) for setup in schedule.setups]
    for result in results:
        table, deal, line_up = result.key
        for seat, bot in enumerate(result.bots):
            row = {
                "game": schedule.game,
                "table": schedule.setups[table].label,
                "options": options[table],
                "players": result.players,
                "deal": deal,
                "line_up": line_up,
                "first": result.first,
                "seat": seat,
                "bot": bot,
                "score": result.scores[seat],
                "share": result.shares[seat],
                "rank": result.ranks[seat],
                "forfeit": result.forfeits.get(bot),
                "moves": result.moves[seat],
                "seconds": result.seconds[seat],
                "median_seconds": result.median[seat],
                "longest_seconds": result.longest[seat],
                "rounds": result.rounds,
                "why": result.why,
            }
            if result.luck:
                row |= {
                    "luck_of_nature": result.luck.nature[seat],
                    "luck_of_policies": result.luck.policies[seat],
                }
            if result.study:
                row |= {
                    "game_moves": result.study.moves,
                    "choices": result.study.choices,
                    "legal": result.study.legal,
                    "lead_changes": result.study.lead_changes,
                    "swings": " ".join(str(swing) for swing in result.study.swings),
                }
            yield row
