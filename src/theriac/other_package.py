"""A stranger's package called `theriac` that was installed into the same folder as this one.

This one is called `theriac-games`. Both have a folder `theriac`, so each overwrites files of the
other.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).resolve().parent


def find_other_package(folder: Path = _FOLDER) -> str | None:
    """What is wrong and what to do, in one sentence; None if no other package is in the way."""
    for info in folder.parent.glob("theriac-*.dist-info"):
        record = info / "RECORD"
        if record.is_file() and _has_files(record, folder.name):
            version = info.name.removesuffix(".dist-info").partition("-")[2]
            return (
                f"Another package, called theriac (version {version}), is installed in the folder "
                "of theriac-games, and the two overwrite each other: run `pip uninstall theriac "
                "theriac-games`, then `pip install theriac-games`."
            )
    return None


def _has_files(record: Path, folder: str) -> bool:
    """Whether a package's list of files names any in this folder."""
    lines = record.read_text("utf-8", "replace").splitlines()
    return any(line.startswith(f"{folder}/") for line in lines)
