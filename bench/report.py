"""What both benchmarks share: the machine in words, and where results are kept."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console

RESULTS = Path(__file__).parent / "results"
console = Console(soft_wrap=True, highlight=False)


def arguments(description: str, name: str, **more: dict[str, Any]) -> argparse.Namespace:
    """The options that every benchmark has, and more."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a short run, kept as NAME-quick")
    parser.add_argument("--name", default=name, help="keep the results under this name")
    for option, settings in more.items():
        parser.add_argument(f"--{option}", **settings)
    given = parser.parse_args()
    if given.quick:
        given.name += "-quick"
    return given


def machine() -> dict[str, Any]:
    """The processor, and the versions that matter."""
    packages = ("theriac", "numpy", "numba", "open_spiel")
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def version(name: str) -> str | None:
    """The installed version of a package, or None."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def show_machine() -> dict[str, Any]:
    """Print the machine on one line, and return it."""
    m = machine()
    console.print(
        f"{m['cpu']}, {m['cores']} cores, load {m['load']}; Python {m['python']}, "
        f"Numba {m['numba']}, NumPy {m['numpy']}, OpenSpiel {m['open_spiel'] or 'not installed'}"
    )
    return m


def write(name: str, before: dict[str, Any], results: dict[str, Any]) -> None:
    """Keep the results as bench/results/NAME.json, with the machine as it was before."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    day = datetime.now(UTC).date().isoformat()
    content = {"date": day, "machine": before, **results}
    path.write_text(json.dumps(content, indent=1) + "\n")
    console.print(f"Written to bench/results/{path.name}")
