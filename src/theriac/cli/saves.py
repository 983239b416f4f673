"""Save files: ordinary game records, written after every move."""

from __future__ import annotations

import json
import os
import tempfile
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from theriac.cli.console import name_file
from theriac.faults import Fault

if TYPE_CHECKING:
    from theriac.game import Game


def new_save_path(game: Game) -> Path:
    """The default save file of a new game, in the user's data folder."""
    folder = own_folder("games")
    now = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    for more in ("", *(f"-{n}" for n in range(2, 1000))):
        path = folder / f"{game.name}-{now}{more}.json"
        if not path.exists():
            return path
    raise Fault(f"{name_file(folder)}: too many games were started at once")


def own_folder(name: str) -> Path:
    """A folder in the user's data folder; the temporary folder if that cannot be written to."""
    folder = Path(platformdirs.user_data_dir("theriac")) / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir())
    return folder if os.access(folder, os.W_OK) else Path(tempfile.gettempdir())


def check_save_path(path: Path) -> Path:
    """Check that the file a player named does not exist yet; raises `Fault`."""
    if path.exists():
        raise Fault(
            f"{name_file(path)}: the file exists; give another name, or resume the game: "
            f"--resume {path}"
        )
    return path


def save(path: Path, record: dict[str, Any]) -> None:
    """Write a record atomically: the file is always complete. Raises `Fault`."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(beside, path)  # noqa: PTH105
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it cannot be written as UTF-8"
        raise Fault(f"{name_file(path)}: the game cannot be saved there ({why})") from None
