"""What `requirements.lock` installs, without installing it once more.

The development lock has the same versions with the same hashes, and `make test` installs that one.
"""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.package.building import ROOT


def locked(lock: str) -> dict[str, tuple[Requirement, frozenset[str]]]:
    """The requirements of a lock and their hashes, by name."""
    found = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / lock).read_text("utf-8").strip()):
        line, *hashes = entry.replace("\\", "").split("--hash=")
        requirement = Requirement(line.strip())
        found[requirement.name] = requirement, frozenset(each.strip() for each in hashes)
    return found


def link_locked_packages(folder: Path) -> Path:
    """A folder with the packages of `requirements.lock` and no others: links to them."""
    folder.mkdir()
    for name, (requirement, _) in locked("requirements.lock").items():
        if requirement.marker is None or requirement.marker.evaluate():
            there = distribution(name)
            assert requirement.specifier.contains(there.version), f"{name} {there.version}"
            for top in {file.parts[0] for file in there.files or ()} - {"..", "__pycache__"}:
                target = Path(str(there.locate_file(top)))
                if not (folder / top).exists():
                    (folder / top).symlink_to(target)
    return folder
