"""What the benchmarks share: options, a description of the machine, and the results files."""

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
    """Parse the options of every benchmark, and `more`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="a short run, written as NAME-quick")
    parser.add_argument("--name", default=name, help="write the results under this name")
    for option, settings in more.items():
        parser.add_argument(f"--{option}", **settings)
    given = parser.parse_args()
    if given.quick:
        given.name += "-quick"
    return given


def machine() -> dict[str, Any]:
    """The processor, its load, and the versions of the packages that matter."""
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


def write(name: str, machine: dict[str, Any], results: dict[str, Any]) -> None:
    """Write the results and a description of the machine to bench/results/NAME.json."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    day = datetime.now(UTC).date().isoformat()
    content = {"date": day, "machine": machine, **results}
    path.write_text(json.dumps(content, indent=1) + "\n")
    console.print(f"Written to bench/results/{path.name}")
