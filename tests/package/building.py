"""Building wheels and sdists from a copy of the sources, as a fresh clone has them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def sources() -> list[str]:
    """The files of the project that git has, or will have with the next commit."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [name for name in names.splitlines() if (ROOT / name).is_file()]


def export(folder: Path) -> Path:
    """A copy of all sources in a new folder: no page, no node_modules, nothing that was built."""
    for name in sources():
        if not (ROOT / name).is_symlink():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def build(
    target: str, tree: Path, out: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Hatchling for one target, "sdist" or "wheel"; the result is in `out`."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    known = {name: value for name, value in os.environ.items() if name != "THERIAC_WITHOUT_PAGE"}
    return subprocess.run(
        command,
        cwd=tree,
        check=False,
        capture_output=True,
        text=True,
        env={**known, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **environment},
    )


def built(out: Path) -> Path:
    """The one package in a folder."""
    (package,) = (path for path in out.iterdir() if path.name.startswith("theriac_games-"))
    return package


def names_in(package: Path) -> set[str]:
    """The files in a wheel, or in an sdist below its folder."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return set(wheel.namelist())
    with tarfile.open(package) as sdist:
        return {name.partition("/")[2] for name in sdist.getnames()}


def metadata_of(wheel: Path) -> str:
    """The METADATA of a wheel."""
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        return opened.read(name).decode()
